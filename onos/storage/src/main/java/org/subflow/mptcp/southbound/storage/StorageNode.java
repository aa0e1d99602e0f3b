// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.storage;

import io.atomix.cluster.Node;
import io.atomix.cluster.discovery.BootstrapDiscoveryProvider;
import io.atomix.core.Atomix;
import io.atomix.core.registry.ClasspathScanningRegistry;
import io.atomix.protocols.raft.partition.RaftPartitionGroup;
import java.io.File;

/**
 * One Atomix server that keeps the maps, the leaderships and the masterships of a cluster of ONOS nodes. It has the partition
 * groups that ONOS 2.5 looks for: {@code system} for the management of the cluster, and {@code raft} for the data. It is the
 * only storage node, so the cluster's state is as safe as this process and its folder.
 */
public final class StorageNode {
    private static final String MANAGEMENT_GROUP = "system";
    private static final String DATA_GROUP = "raft";
    private static final int ARGUMENTS = 5;

    private StorageNode() {
    }

    /**
     * Starts the node, which runs until SIGTERM.
     *
     * @param arguments the cluster's name as in {@code cluster.json}, the node's id, its IP address, its port, and the folder
     *                  for its files
     */
    public static void main(String[] arguments) {
        if (arguments.length != ARGUMENTS) {
            System.err.println("usage: StorageNode CLUSTER ID ADDRESS PORT FOLDER");
            System.exit(2);
        }
        String id = arguments[1];
        String address = arguments[2];
        int port = Integer.parseInt(arguments[3]);
        File folder = new File(arguments[4]);
        // The classes of its own alone: a look at all that is on the class path takes most of the start.
        Atomix node = Atomix.builder(ClasspathScanningRegistry.builder().withWhitelistPackages("io.atomix").build())
                .withClusterId(arguments[0])
                .withMemberId(id)
                .withHost(address).withPort(port)
                .withMembershipProvider(BootstrapDiscoveryProvider.builder()
                                                .withNodes(Node.builder().withId(id).withHost(address).withPort(port).build())
                                                .build())
                .withManagementGroup(group(MANAGEMENT_GROUP, id, folder))
                .withPartitionGroups(group(DATA_GROUP, id, folder))
                .withShutdownHookEnabled()
                .build();
        node.start().join();
        System.out.println("ready");
    }

    private static RaftPartitionGroup group(String name, String member, File folder) {
        return RaftPartitionGroup.builder(name)
                .withNumPartitions(1)
                .withMembers(member)
                .withDataDirectory(new File(folder, name))
                .build();
    }
}
