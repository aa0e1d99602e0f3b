// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.util.List;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.share.Allocators;

/** The text of {@code ./lab simulate --help}. */
final class Help {
    private Help() {
    }

    static String text() {
        List<String> strategies = PathStrategies.names();
        int half = strategies.size() / 2;
        return String.join("\n",
                "usage: ./lab simulate --topology FILE|NAME [OPTION…]",
                "",
                "Connections that arrive, share a network and end, without a network: completion times by strategy and allocator.",
                "",
                "  --topology FILE|NAME     as for ./lab plan; fattreeK has hosts",
                "  --capacity MBPS          capacity of links that give none (named topologies: 10)",
                "",
                "connections",
                "  --traffic FILE           arrivals: CSV with at (s),source,target,bytes and perhaps subflows,weight",
                "  --matrix FILE            a traffic matrix: CSV with source,target,mbps, or demands of SNDlib or REPETITA; without either",
                "                           file the demands of the topology's file, else random pairs",
                "  --connections N          how many arrive (1000; with arrivals in a file: all of it)",
                "  --load PART              of what the ends can send together, or of the demands (0.5; demands: 1)",
                "  --rate N                 connections per second, in place of --load",
                "  --ends PREFIX            random pairs are nodes whose names begin so (hosts if there are any, else all nodes)",
                "  --hosts PREFIX           nodes with one link whose names begin so are hosts: paths are chosen between their switches",
                "                           (fattreeK: h)",
                "  --sizes DISTRIBUTION     web-search, data-mining, fixed:BYTES, exponential:BYTES, or a file with lines of bytes and",
                "                           cumulative probability (web-search)",
                "",
                "what is compared, each value or several with commas, or all; all get the same connections",
                "  --strategy S             " + String.join(", ", strategies.subList(0, half)) + ",\n" + " ".repeat(27)
                        + String.join(", ", strategies.subList(half, strategies.size())),
                "  --allocator A            " + String.join(", ", Allocators.names()),
                "  --model M                by-connection: connections share, by hosts' agents; by-subflow: as kernels share without",
                "                           agents (by-connection)",
                "  --runs N                 how often, with the seeds from --seed on (1)",
                "  --seed N                 (0)",
                "",
                "connections and network",
                "  --k K                    subflows of a connection that has earned its paths (3)",
                "  --manage-after-bytes N   it earns them with so many bytes on the wire (100000)",
                "  --manage-after-millis N  or at such an age (3000)",
                "  --plain S                strategy of the one path before: ecmp, shortest (ecmp)",
                "  --failures FILE          CSV with at,source,target,state: links that go down and come up",
                "  --repair-millis N        from a failure until the subflows there have other paths (50)",
                "  --payload BYTES          of a full frame of 1514 bytes, 1428 for TCP over IPv4 (1514: sizes count as they are)",
                "",
                "computation and output",
                "  --shares exact|approximate  approximate: rates of connections by water-filling, for large networks (exact)",
                "  --step MS                compute shares at most so often (0: at each change)",
                "  --snapshots N            moments at which rates are compared with exact ones and the best of any routing (10)",
                "  --out DIR                all results and figures there; what is there already is not done again",
                "  --json FILE              the first run with each connection, and the report of all",
                "  --format table|json|csv  (table)",
                "",
                "The first strategy and allocator are the defaults. Ctrl-C keeps what was simulated. Same options, same output.",
                "Status: 0; 2 with one line if the input is wrong.",
                "");
    }
}
