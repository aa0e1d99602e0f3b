# SPDX-License-Identifier: Apache-2.0
"""The application, a switch and ONOS itself go and come back while transfers run."""

import signal
import time

import pytest

from conftest import active, assert_disjoint, connections, counters, reserved, tcp_rules, tell
from life import (SUBFLOWS, TIMEOUT, activate, assert_reservations_follow, data_connection, deactivate, device, edge,
                  established, flows, packet_ins, paths, set_subflows, transfer, watch_rules)
from mptcplab.errors import LabError
from mptcplab.hosts import PREFIX, further_addresses
from mptcplab.processes import run, wait_for
from mptcplab.sampling import flow_bytes
from mptcplab.settings import progress
from sharing import allocated

PACKETS_TO_THE_CONTROLLER = 50_000
"""What all switches together may send to the controller until rules are there, on a busy machine; later next to nothing."""

LONGEST_STALL = 30
"""Seconds for which nothing may arrive on a machine that is busy with other things."""

ENDED_IN_ORDER = (0, -signal.SIGTERM, 128 + signal.SIGTERM)
"""Exit statuses of an ONOS that was asked to end."""


def ours_in_onos(testbed):
    """What ONOS still holds in the application's name."""
    rest = testbed.onos.rest
    intents = [i["key"] for i in rest.get("/intents")["intents"] if "mptcp" in i["key"].lower() and i["state"] != "WITHDRAWN"]
    rules = rest.get("/flows/application/org.subflow.mptcp").get("flows", [])
    return intents, rules, testbed.onos.shell("resources").strip()


def nothing_of_ours(testbed, resources):
    """True if no rule is in a switch and nothing in ONOS but the resources that were there; LabError says what is."""
    found = (tcp_rules(testbed), watch_rules(testbed), *ours_in_onos(testbed))
    if found != ([], 0, [], [], resources):
        raise LabError(str(found)[:2000])
    return True


def test_deactivated_in_mid_transfer_everything_of_ours_goes_and_the_traffic_does_not(testbed):
    resources = testbed.onos.shell("resources").strip()
    with transfer(testbed) as running:
        id_ = established(testbed, 3)["id"]
        deactivate(testbed)
        try:
            wait_for("nothing of ours in switches and ONOS", lambda: nothing_of_ours(testbed, resources), TIMEOUT)
            flows(testbed, megabits=5)
        finally:
            activate(testbed)
        wait_for("the connection found again", lambda: id_ in {c["id"] for c in active(testbed)}, TIMEOUT)
        wait_for("its three subflows", lambda: (len(data_connection(testbed)["subflows"]), state(testbed, id_))
                 == (3, "active"), TIMEOUT)
        assert_disjoint(paths(data_connection(testbed)))
        assert_reservations_follow(testbed)
        flows(testbed)
        running.finish()
    assert running.arrived["longestStall"] <= LONGEST_STALL


def test_activated_while_transfers_run_nothing_stalls_and_the_controller_is_not_flooded(testbed):
    deactivate(testbed)
    try:
        with transfer(testbed) as mptcp, transfer(testbed, mptcp=False, port=5301) as plain:
            flows(testbed, megabits=5)
            at_first = packet_ins(testbed)
            activate(testbed)
            # The forwarder's rules carry all that began before.
            wait_for("copies of TCP segments", lambda: counters(testbed)["switches.copying"]
                     == len(testbed.network.topology.switches), TIMEOUT)
            before = packet_ins(testbed) - at_first
            flows(testbed, megabits=20)
            after = packet_ins(testbed) - at_first
            progress(f"{before} packets to the controller until rules were there, {after - before} during the next 20 Mbit")
            assert before < PACKETS_TO_THE_CONTROLLER
            assert after - before < 500
            mptcp.finish()
            plain.finish()
        assert mptcp.arrived["longestStall"] <= LONGEST_STALL and plain.arrived["longestStall"] <= LONGEST_STALL
        assert not active(testbed), "their beginning was not seen: they are plain TCP"
    finally:
        if testbed.onos.application_state() != "ACTIVE":
            activate(testbed)


def test_an_edge_switch_that_comes_back_with_an_empty_table(testbed):
    with transfer(testbed) as running:
        id_ = established(testbed, 3)["id"]
        run(["ovs-vsctl", "del-controller", edge(testbed)], "taking a switch's controller away")
        try:
            wait_for("the switch gone", lambda: not device(testbed, edge(testbed))["available"], TIMEOUT)
            run(["ovs-ofctl", "-O", "OpenFlow13", "del-flows", edge(testbed)], "emptying a switch's table")
        finally:
            run(["ovs-vsctl", "set-controller", edge(testbed), "tcp:127.0.0.1:6653"], "giving a switch its controller back")
        wait_for("the switch in ONOS", lambda: device(testbed, edge(testbed))["available"], TIMEOUT)
        testbed.wait_for_links()
        wait_for("the connection active", lambda: state(testbed, id_) == "active", TIMEOUT)
        flows(testbed)
        wait_for("three disjoint paths", lambda: len({tuple(p) for p in paths(data_connection(testbed))}) == 3, TIMEOUT)
        assert_reservations_follow(testbed)
        running.finish()
    # Its hosts have gone from ONOS with it: they are learned again when they speak.
    network = testbed.network
    for address in network.addresses(network.clients[0]):
        network.ping(network.clients[0], address, network.addresses(network.servers[0])[0])


@pytest.mark.parametrize("number", [pytest.param(number, marks=[pytest.mark.long] if number else []) for number in range(20)])
def test_onos_killed_just_after_a_connection_has_begun_keeps_nothing_reserved(testbed, number):
    """Reservations and connections are written up to half a second later, each on its own: a crash may leave one only."""
    try:
        with transfer(testbed):
            wait_for("something reserved", lambda: reserved(testbed), TIMEOUT, every=0.02)
            wait_for("some subflows", lambda: any(len(c["subflows"]) > number % SUBFLOWS for c in active(testbed)), TIMEOUT,
                     every=0.02)
            testbed.onos.crash()
        testbed.onos.start()
        testbed.onos.wait_for_application()
        wait_for("nothing held", lambda: not active(testbed) and not reserved(testbed), 120)
        wait_for("nothing allocated in ONOS", lambda: not allocated(testbed), TIMEOUT)
        assert counters(testbed)["table.tokens"] <= len(connections(testbed))
        # An idle connection waits for its next packet; the rules that bring it are none of its paths'.
        wait_for("no rules of its connections", lambda: not tcp_rules(testbed), TIMEOUT)
        with transfer(testbed) as again:
            established(testbed, SUBFLOWS)
            assert_reservations_follow(testbed)
            again.finish()
    finally:
        wait_for("nothing held", lambda: not active(testbed) and not reserved(testbed), 120)


@pytest.mark.long
@pytest.mark.parametrize("end", ["stop", "crash"])
def test_onos_itself_restarted_while_transfers_run(testbed, capsys, end):
    network, client = testbed.network, testbed.network.clients[0]
    try:
        with transfer(testbed) as mptcp, transfer(testbed, mptcp=False, port=5301) as plain:
            before = established(testbed, 3)
            wait_for("rules for three subflows, both ways", lambda: len(flow_bytes(edge(testbed))) >= 2 * 3, TIMEOUT)
            # What began less than half a second before a crash is not written yet.
            flows(testbed, megabits=60)
            begun = time.monotonic()
            status = getattr(testbed.onos, end)()
            assert end == "crash" or status in ENDED_IN_ORDER
            flows(testbed, megabits=20)
            testbed.onos.start()
            testbed.onos.wait_for_application()
            away = time.monotonic() - begun
            wait_for("the connection found again", lambda: state(testbed, before["id"]) == "active", TIMEOUT)
            now = data_connection(testbed)
            assert now["id"] == before["id"] and paths(now) == paths(before)
            assert_reservations_follow(testbed)
            join(client, further_addresses(network.net.hosts.index(client) + 1, SUBFLOWS)[-1], SUBFLOWS)
            wait_for("a further subflow of the same connection",
                     lambda: [len(c["subflows"]) for c in active(testbed) if c["id"] == before["id"]] == [SUBFLOWS + 1], TIMEOUT)
            flows(testbed, megabits=20)
            mptcp.finish()
            plain.finish()
        stalls = [one.arrived["longestStall"] for one in (mptcp, plain)]
        tell(capsys, f"ONOS away for {away:.1f} s; longest stalls, MPTCP {stalls[0]:.1f} s, TCP {stalls[1]:.1f} s")
        # In order, the forwarder takes its rules away.
        assert max(stalls) <= LONGEST_STALL + (away if end == "stop" else 0)
        wait_for("nothing held", lambda: not active(testbed) and not reserved(testbed), 120)
        # A new connection is managed as ever, and nothing is left of the old one.
        set_subflows(testbed, SUBFLOWS)
        with transfer(testbed) as again:
            assert_disjoint(paths(established(testbed, SUBFLOWS)))
            assert_reservations_follow(testbed)
            again.finish()
        assert counters(testbed)["table.tokens"] <= len(connections(testbed))
        wait_for("nothing held", lambda: not active(testbed) and not reserved(testbed), 120)
    finally:
        set_subflows(testbed, SUBFLOWS)


def join(client, address, subflows):
    """Lets the client's kernel open a further subflow of its connections from one more address."""
    interface = client.defaultIntf().name
    client.pexec(["ip", "mptcp", "limits", "set", "subflow", str(subflows), "add_addr_accepted", "8"])
    client.pexec(["ip", "address", "replace", f"{address}/{PREFIX}", "dev", interface])
    client.pexec(["ip", "mptcp", "endpoint", "add", address, "dev", interface, "subflow"])


def state(testbed, id_):
    return next((c["state"] for c in connections(testbed) if c["id"] == id_), "gone")
