// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.subflow.mptcp.api.policy.PolicyEditService;
import org.subflow.mptcp.cli.completer.AddressCompleter;
import org.subflow.mptcp.cli.completer.PolicyNameCompleter;
import org.subflow.mptcp.cli.completer.StrategyCompleter;
import org.subflow.mptcp.cli.text.ConfiguredPolicies;

/** Adds a policy to ONOS's network configuration. The options are its fields there, which the application checks. */
@Service
@Command(scope = "onos", name = "mptcp-policy-add", description = "Adds a policy for connections that begin from now on",
        detailedDescription = "The first policy that matches a connection holds for it. Without --before, the new one is the last.\n"
                + "Without hosts, clients, servers and ports it matches everything. Connections that have begun keep their terms.\nExamples:\n"
                + "  mptcp-policy-add --servers 10.0.0.2 --ports 443 --ports 8000-8099 --weight 2 video\n"
                + "  mptcp-policy-add --hosts 10.0.9.0/24 --managed false --before video management\n"
                + "  mptcp-policy-add --clients 10.0.0.0/24 --whenShort refuse --minMbps 5 choosy")
public class PolicyAddCommand extends MptcpCommand {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    @Option(name = "--before", description = "Policy before which it comes; it is the last one if left out")
    @Completion(PolicyNameCompleter.class)
    private String before = null;

    @Option(name = "--hosts", multiValued = true, description = "Address or prefix of either end; may come several times")
    @Completion(AddressCompleter.class)
    private List<String> hosts = null;

    @Option(name = "--clients", multiValued = true, description = "Address or prefix of the host that opens the connection; may come several times")
    @Completion(AddressCompleter.class)
    private List<String> clients = null;

    @Option(name = "--servers", multiValued = true, description = "Address or prefix of the other host; may come several times")
    @Completion(AddressCompleter.class)
    private List<String> servers = null;

    @Option(name = "--ports", multiValued = true, description = "TCP port of the server, or a range such as 8000-8099; may come several times")
    private List<String> ports = null;

    @Option(name = "--managed", description = "false for plain forwarding, as for plain TCP (true)")
    @Completion(value = StringsCompleter.class, values = {"true", "false"})
    private String managed = null;

    @Option(name = "--strategy", description = "Path strategy in place of the setting")
    @Completion(StrategyCompleter.class)
    private String strategy = null;

    @Option(name = "--subflows", description = "Number of subflows in place of the setting, 1 to 64")
    private String subflows = null;

    @Option(name = "--mostSubflows", description = "The most subflows that are managed, and that agents open, in place of the setting")
    private String mostSubflows = null;

    @Option(name = "--joinPolicy", description = "What an MP_JOIN without a disjoint path gets, in place of the setting")
    @Completion(value = StringsCompleter.class, values = {"share", "backup", "block"})
    private String joinPolicy = null;

    @Option(name = "--weight", description = "Weight when connections share, 0.001 to 1000 (1)")
    private String weight = null;

    @Option(name = "--capMbps", description = "The most that a connection is given, Mbit/s per direction")
    private String capMbps = null;

    @Option(name = "--whenShort", description = "admit, or refuse for plain forwarding below --minMbps (admit)")
    @Completion(value = StringsCompleter.class, values = {"admit", "refuse"})
    private String whenShort = null;

    @Option(name = "--minMbps", description = "The least rate that refuse asks for, Mbit/s")
    private String minMbps = null;

    @Option(name = "--manageAfterMillis", description = "Age from which connections are managed, in place of the setting")
    private String manageAfterMillis = null;

    @Option(name = "--manageAfterBytes", description = "Octets from which connections are managed, in place of the setting")
    private String manageAfterBytes = null;

    @Option(name = "--disjoint", description = "In which way paths are disjoint, in place of the setting")
    @Completion(value = StringsCompleter.class, values = {"link", "node", "srlg"})
    private String disjoint = null;

    @Option(name = "--maxDelayMillis", description = "The longest delay of a path, in place of the setting; 0 for no limit")
    private String maxDelayMillis = null;

    @Option(name = "--maxDelaySpreadMillis", description = "The largest difference of two paths' delays, in place of the setting")
    private String maxDelaySpreadMillis = null;

    @Argument(index = 0, name = "name", required = true, description = "Name of its own: letters, digits, '.', '_' and '-'")
    private String name = null;

    @Override
    protected void run() {
        ArrayNode policies = get(PolicyEditService.class).change(
                (configured, list) -> list.insert(before == null ? list.size() : ConfiguredPolicies.index(list, before), policy()));
        if (outputJson()) {
            print("%s", policies);
        } else {
            print("Policy %s is number %d of %d.", name, ConfiguredPolicies.index(policies, name) + 1, policies.size());
        }
    }

    private ObjectNode policy() {
        ObjectNode policy = JSON.objectNode().put("name", name);
        putTexts(policy, "hosts", hosts);
        putTexts(policy, "clients", clients);
        putTexts(policy, "servers", servers);
        if (ports != null) {
            ports.forEach(port -> policy.withArray("ports").add(number(port)));
        }
        if (managed != null) {
            boolean truth = managed.equals("true");
            policy.set("managed", truth || managed.equals("false") ? JSON.booleanNode(truth) : JSON.textNode(managed));
        }
        putText(policy, "strategy", strategy);
        putNumber(policy, "subflows", subflows);
        putNumber(policy, "mostSubflows", mostSubflows);
        putText(policy, "joinPolicy", joinPolicy);
        putNumber(policy, "weight", weight);
        putNumber(policy, "capMbps", capMbps);
        putText(policy, "whenShort", whenShort);
        putNumber(policy, "minMbps", minMbps);
        putNumber(policy, "manageAfterMillis", manageAfterMillis);
        putNumber(policy, "manageAfterBytes", manageAfterBytes);
        putText(policy, "disjoint", disjoint);
        putNumber(policy, "maxDelayMillis", maxDelayMillis);
        putNumber(policy, "maxDelaySpreadMillis", maxDelaySpreadMillis);
        return policy;
    }

    private static void putTexts(ObjectNode policy, String field, List<String> values) {
        if (values != null) {
            values.forEach(policy.withArray(field)::add);
        }
    }

    private static void putText(ObjectNode policy, String field, String value) {
        if (value != null) {
            policy.put(field, value);
        }
    }

    private static void putNumber(ObjectNode policy, String field, String value) {
        if (value != null) {
            policy.set(field, number(value));
        }
    }

    /** Returns a number if it is a finite one, else the text, which the application refuses with the name of the field. */
    private static JsonNode number(String text) {
        try {
            return JSON.numberNode(Long.parseLong(text));
        } catch (NumberFormatException e) {
            try {
                double number = Double.parseDouble(text);
                return Double.isFinite(number) ? JSON.numberNode(number) : JSON.textNode(text);
            } catch (NumberFormatException neither) {
                return JSON.textNode(text);
            }
        }
    }
}
