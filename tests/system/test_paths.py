# SPDX-License-Identifier: Apache-2.0
"""Paths and throughput: MPTCP on disjoint and on shared paths, beside other traffic, and plain TCP.

What is asserted of goodput here holds on a busy machine as well; test_throughput.py has the bounds for a quiet one.
"""

import pytest

from conftest import assert_disjoint, connections
from life import PAYLOAD, SUBFLOWS, TCP, TIMEOUT, active, established, is_on, packet_ins, paths, set_subflows, transfer
from mptcplab import demo
from mptcplab.netcfg import switch_name
from mptcplab.processes import wait_for
from mptcplab.transfer import CrossTraffic
from sharing import capacity, link


@pytest.mark.long
def test_shortest_puts_all_subflows_on_one_path(testbed):
    demo.configure(testbed.onos, strategy="shortest")
    result, problems = demo.demonstrate(testbed, seconds=6, subflows=3)
    assert not problems
    data = result["connections"][0]
    assert len({tuple(s["path"]) for s in data["subflows"]}) == 1
    assert 5 < data["goodputMbps"] <= 10.5


@pytest.mark.long
def test_multiflow_finds_the_three_paths_too(testbed):
    demo.configure(testbed.onos, strategy="multiflow")
    result, problems = demo.demonstrate(testbed, seconds=8, subflows=3)
    assert not problems
    assert_disjoint([s["path"] for s in result["connections"][0]["subflows"]])
    assert result["connections"][0]["goodputMbps"] >= 15


@pytest.mark.long
def test_other_traffic_on_one_path_leaves_the_others_alone(testbed):
    result, problems = demo.demonstrate(testbed, seconds=12, subflows=3, udp=7)
    assert not problems
    data = result["connections"][0]
    assert_disjoint([s["path"] for s in data["subflows"]])
    assert data["goodputMbps"] >= 12
    a, b = testbed.network.cross_link
    loaded = next(link for link in result["links"] if (link["source"], link["target"]) == (a, b))
    assert loaded["measuredMbps"] > 6


def test_of_a_short_transfer_no_more_is_reported_than_the_links_carry(testbed):
    result, problems = demo.demonstrate(testbed, seconds=5, subflows=3)
    assert not problems
    assert 0 < result["connections"][0]["goodputMbps"] <= 30 * PAYLOAD + 0.1


def test_newcomers_keep_off_a_link_that_others_use(testbed):
    network, loaded = testbed.network, testbed.network.cross_link
    set_subflows(testbed, 2)
    try:
        # Of the three paths the one over s4 is the narrowest, unless others use one of the wider ones.
        with capacity(testbed, "s1", "s4", 8):
            wait_for("the wide paths", lambda: all(over == {"s2", "s3"} for over in planned(testbed)), TIMEOUT)
            other = CrossTraffic(network, 7, seconds=600)
            try:
                wait_for("other traffic measured", lambda: link(testbed, *loaded)["othersMbps"] > 4, TIMEOUT)
                assert planned(testbed) == [{"s3", "s4"}] * 2
                with transfer(testbed) as running:
                    taken = paths(established(testbed, 2))
                    assert not any(is_on(path, loaded) for path in taken), taken
                    # A newcomer is looked at once more when it is known what it sends: by then the others still send.
                    wait_for("how little comes back known", lambda: all(one["expectedDownMbps"] < 2 for one in active(testbed)),
                             TIMEOUT)
                    other.stop()
                    # A change of other traffic moves no subflow that has a path.
                    wait_for("no other traffic any more", lambda: link(testbed, *loaded)["othersMbps"] == 0, TIMEOUT)
                    wait_for("the wide paths again", lambda: all("s2" in over for over in planned(testbed)), TIMEOUT)
                    assert [paths(one) for one in active(testbed)] == [taken]
                    running.finish()
            finally:
                other.stop()
    finally:
        set_subflows(testbed, SUBFLOWS)


def planned(testbed):
    """By which switches a new connection of two subflows would be led, for each strategy that goes by residual bandwidth."""
    network = testbed.network
    hosts = {ip: host["id"] for host in testbed.onos.rest.get("/hosts")["hosts"] for ip in host["ipAddresses"]}
    ends = {role: hosts[network.addresses(of[0])[0]]
            for role, of in (("client", network.clients), ("server", network.servers))}
    answers = testbed.onos.rest.post("/mptcp/whatif", {**ends, "k": 2, "strategies": ["widest-disjoint", "resource-pool"]})
    return [{switch_name(s["path"][1]) for s in answer["subflows"]} for answer in answers["answers"]]


def test_several_transfers_between_the_same_hosts(testbed):
    result, problems = demo.demonstrate(testbed, seconds=10, subflows=3, connections=3)
    assert not problems
    data = [one for one in result["connections"] if one["goodputMbps"] > 0]
    assert len(data) == 3 and len({one["subflows"][0]["dst"] for one in data}) == 3
    for one in data:
        assert_disjoint([s["path"] for s in one["subflows"]])
        # A third of the three paths for each; one with a smaller demand leaves the rest to the others.
        assert 4 <= one["expectedMbps"] <= 16
    assert sum(one["goodputMbps"] for one in data) >= 14


def test_plain_tcp_runs_at_full_rate_without_the_controller(testbed):
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    # The forwarder's own MAC-level rules between the hosts are there before, as in any network with traffic.
    network.ping(client, network.addresses(client)[0], network.addresses(server)[0])
    before, known = packet_ins(testbed, *TCP), {one["id"] for one in connections(testbed)}
    transfer = testbed.transfer(seconds=8, wrapper=())
    transfer.finish()
    seen = packet_ins(testbed, *TCP) - before
    assert transfer.goodput() >= 8, "9.5 is what TCP gets of 10 on a quiet machine"
    # iperf3's two connections: three packets of handshake each, and what overtakes their rules; of some 6,000.
    assert seen < 1000
    assert {one["id"] for one in connections(testbed)} <= known, "plain TCP is no MPTCP connection"
