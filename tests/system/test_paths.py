# SPDX-License-Identifier: Apache-2.0
"""What paths do to throughput: MPTCP on disjoint and on shared paths, beside other traffic, and plain TCP."""

from conftest import assert_disjoint
from mptcplab import demo
from mptcplab.processes import run
from mptcplab.transfer import Transfer


def test_shortest_puts_all_subflows_on_one_path(testbed):
    demo.configure(testbed.onos, strategy="shortest")
    result, problems = demo.demonstrate(testbed, seconds=10, subflows=3)
    assert not problems
    data = result["connections"][0]
    assert len({tuple(s["path"]) for s in data["subflows"]}) == 1
    assert 5 < data["goodputMbps"] <= 10.5


def test_multiflow_finds_the_three_paths_too(testbed):
    demo.configure(testbed.onos, strategy="multiflow")
    # As long as the demonstration: what counts is its last half.
    result, problems = demo.demonstrate(testbed, seconds=15, subflows=3)
    assert not problems
    assert_disjoint([s["path"] for s in result["connections"][0]["subflows"]])
    assert result["connections"][0]["goodputMbps"] >= 26


def test_other_traffic_on_one_path_leaves_the_others_alone(testbed):
    result, problems = demo.demonstrate(testbed, seconds=12, subflows=3, udp=7)
    assert not problems
    data = result["connections"][0]
    assert_disjoint([s["path"] for s in data["subflows"]])
    assert data["goodputMbps"] >= 18
    a, b = testbed.network.cross_link
    loaded = next(link for link in result["links"] if (link["source"], link["target"]) == (a, b))
    assert loaded["measuredMbps"] > 6


def test_several_transfers_between_the_same_hosts(testbed):
    result, problems = demo.demonstrate(testbed, seconds=10, subflows=3, connections=3)
    assert not problems
    data = [one for one in result["connections"] if one["goodputMbps"] > 0]
    assert len(data) == 3 and len({one["subflows"][0]["dst"] for one in data}) == 3
    for one in data:
        assert_disjoint([s["path"] for s in one["subflows"]])
        # A third of the three paths for each; their control connections hold a little.
        assert 9 <= one["expectedMbps"] <= 10.1
    assert sum(one["goodputMbps"] for one in data) >= 22


def test_plain_tcp_runs_at_full_rate_without_the_controller(testbed):
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    # The forwarder's own MAC-level rules between the hosts are there before, as in any network that lives.
    network.ping(client, network.addresses(client)[0], network.addresses(server)[0])
    before = punted(testbed)
    transfer = Transfer(client, server, network.addresses(server)[0], seconds=8, wrapper=())
    transfer.finish()
    seen = punted(testbed) - before
    assert transfer.goodput() >= 9.3
    # iperf3's two connections: three packets of handshake each, and what overtakes their rules.
    assert seen <= 2 * (3 + 20)
    assert transfer.local_ports()[0] not in mptcp_ports(testbed)


def punted(testbed):
    """TCP packets that the switches have sent to the controller, by the counters of the rules that do so."""
    total = 0
    for switch in testbed.network.topology.switches:
        for line in run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules").splitlines():
            if "CONTROLLER" in line and (",tcp" in line or " tcp" in line):
                total += int(line.split("n_packets=")[1].split(",")[0])
    return total


def mptcp_ports(testbed):
    return {int(s["src"].rsplit(":", 1)[1]) for c in testbed.onos.rest.get("/mptcp/connections")["connections"]
            for s in c["subflows"]}
