# SPDX-License-Identifier: Apache-2.0
"""Links, ports, switches and hosts that go, move and come back while a transfer runs."""

import re

import pytest

from conftest import active, all_links_up, assert_disjoint, connections, links_of, tcp_rules
from life import (LEAST_MBPS, SUBFLOWS, TCP, TIMEOUT, assert_reservations_follow, cut_and_follow, data_connection, device,
                  disjoint_paths, edge, established, failing, flows, is_on, paths, reserved_by_link, set_subflows,
                  settled_packet_ins, transfer)
from mptcplab import demo
from mptcplab.failure import rules_of
from mptcplab.processes import run, wait_for
from mptcplab.rulewatch import RuleWatch

FEW_PACKETS = 5
"""Of TCP at the controller while a subflow is moved: with rules that come too late it is one for each millisecond."""
PLAIN = "60,"
"""The priority of rules of plain TCP."""
CLOCK_SECONDS = 0.1
"""By which the words of two switches' monitors may be off on a busy machine."""


@pytest.fixture
def spare(testbed):
    """A testbed whose connections have a subflow less than there are disjoint paths; and that number."""
    yield from _with_subflows(testbed, disjoint_paths(testbed) - 1)


@pytest.fixture
def full(testbed):
    """A testbed whose connections have as many subflows as there are disjoint paths; and that number."""
    yield from _with_subflows(testbed, disjoint_paths(testbed))


def _with_subflows(testbed, subflows):
    if subflows != SUBFLOWS:
        set_subflows(testbed, subflows)
    yield testbed, subflows
    if subflows != SUBFLOWS:
        all_links_up(testbed)
        set_subflows(testbed, SUBFLOWS)


def test_a_lost_path_is_replaced_by_a_disjoint_one_and_the_siblings_stay(spare):
    testbed, subflows = spare
    with transfer(testbed) as running:
        before = paths(established(testbed, subflows))
        with failing(testbed, tuple(before[1][1:3])) as failure:
            millis = cut_and_follow(testbed, failure)
            after = paths(data_connection(testbed))
            assert millis is not None and millis < 20_000
            assert after[:1] + after[2:] == before[:1] + before[2:]
            assert_disjoint(after)
            assert not is_on(after[1], failure.link)
            assert_reservations_follow(testbed)
            assert not {link for link in reserved_by_link(testbed) if set(link) == set(failure.link)}
            running.finish()
        assert running.mbps() > LEAST_MBPS


def test_the_siblings_rules_stay_when_the_forwarder_loses_its_own(spare):
    """Stock forwarding then removes all rules of the same two hosts that look like its own, whoever has made them."""
    testbed, subflows = spare
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    with transfer(testbed):
        before = established(testbed, subflows)
        network.ping(client, network.addresses(client)[0], network.addresses(server)[0])
        link = forwarders_link(network, client, server)
        kept = [rule for s, path in zip(before["subflows"], paths(before)) if not is_on(path, link)
                for rule in rules_of(network, s)]
        assert kept
        with RuleWatch(testbed.folder / "siblings", network.topology.switches) as watch, failing(testbed, link) as failure:
            cut_and_follow(testbed, failure)
            wait_for("the forwarder's rules on the lost link gone", lambda: forwarders_link(network, client, server) != link,
                     TIMEOUT)
            flows(testbed)
            assert not {rule: watch.change(rule) for rule in kept if watch.change(rule)}


def forwarders_link(network, client, server):
    """The link on which the forwarder's rule in the client's switch leads to the server; None without such a rule."""
    switch = network.homes(client)[0]
    rule = re.compile(rf"priority=10,\S*dl_src={client.MAC()},dl_dst={server.MAC()} actions=output:\"?([^\s\"]+)")
    found = rule.search(run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], f"reading {switch}'s rules"))
    return next(((switch, other) for other in network.topology.switches if found and (switch, other) in network.neighbours()
                 and found[1] in (str(network.port(switch, other)), network.interface(switch, other))), None)


def test_without_a_disjoint_path_it_shares_and_returns_to_its_own_when_the_link_does(full):
    testbed, subflows = full
    with transfer(testbed) as running:
        before = paths(established(testbed, subflows))
        with failing(testbed, tuple(before[0][:2])) as failure:
            cut_and_follow(testbed, failure)
            after = paths(data_connection(testbed))
            assert after[1:] == before[1:]
            assert any(links_of(after[0]) & links_of(path) for path in after[1:])
            assert_reservations_follow(testbed)
        disjoint_again(testbed)
        running.finish()
    assert running.mbps() > LEAST_MBPS


def test_it_returns_before_its_old_rules_go_and_no_packet_is_without_one(full):
    testbed, subflows = full
    with transfer(testbed) as running, RuleWatch(testbed.folder / "return", testbed.network.topology.switches) as watch:
        before = paths(established(testbed, subflows))
        # Where switches copy nothing, such rules carried it before, and a monitor tells no priorities.
        wait_for("no rule of plain TCP left", lambda: not any(rule.startswith(PLAIN) for _, rule in tcp_rules(testbed)), TIMEOUT)
        with failing(testbed, tuple(before[0][:2])) as failure:
            cut_and_follow(testbed, failure)
            away = data_connection(testbed)["subflows"][0]
            to_controller = settled_packet_ins(testbed, *TCP)
        disjoint_again(testbed)
        back = data_connection(testbed)["subflows"][0]
        handovers = list(ways(testbed.network, away, back))
        wait_for("the old rules gone", lambda: all(
            (was := watch.change(rule)) and not was[1] for old, _ in handovers for rule in old), TIMEOUT)
        assert len(handovers) == 2, "both directions"
        for old, new in handovers:
            left, *old_behind = [watch.change(rule)[0] for rule in old]
            taken, *new_behind = [watch.change(rule)[0] for rule in new]
            assert new_behind and max(new_behind) <= taken + CLOCK_SECONDS, "packets went where there were no rules yet"
            assert old_behind and min(old_behind) > left, "rules went before the packets that were on their way"
        assert settled_packet_ins(testbed, *TCP) - to_controller <= FEW_PACKETS
        running.finish()
    assert running.mbps() > LEAST_MBPS


def ways(network, old, new):
    """For each direction in which a subflow was moved: its old rules and its new ones, from the switch on where they part."""
    for was, now in zip(halves(rules_of(network, old)), halves(rules_of(network, new))):
        yield [rule for rule in was if rule not in now], [rule for rule in now if rule not in was]


def halves(rules):
    return rules[:len(rules) // 2], rules[len(rules) // 2:]


def disjoint_again(testbed):
    """Waits until the links are known, and the subflows on paths of their own with reservations to match."""
    testbed.wait_for_links()
    wait_for("disjoint paths again", lambda: are_disjoint(paths(data_connection(testbed))), TIMEOUT)
    assert_reservations_follow(testbed)


def test_the_parked_one_comes_back_to_work_when_the_link_does(full):
    testbed, subflows = full
    testbed.onos.configure(joinPolicy="backup")
    try:
        with transfer(testbed) as running:
            before = paths(established(testbed, subflows))
            with failing(testbed, tuple(before[2][:2])) as failure:
                cut_and_follow(testbed, failure)
                parked = data_connection(testbed)["subflows"][2]
                assert parked["state"] == "backup" and parked["path"]
                assert parked["expectedUpMbps"] == 0
                assert_reservations_follow(testbed)
            testbed.wait_for_links()
            wait_for("the parked subflow active", lambda: {s["state"] for s in data_connection(testbed)["subflows"]}
                     == {"active"}, TIMEOUT)
            assert_disjoint(paths(data_connection(testbed)))
            running.finish()
    finally:
        testbed.onos.configure(joinPolicy="share")


def test_hosts_that_cannot_reach_each_other_are_down_and_come_back(full):
    testbed, subflows = full
    network = testbed.network
    with transfer(testbed) as running:
        id_ = established(testbed, subflows)["id"]
        here = edge(testbed)
        middles = [path[1] for path in paths(data_connection(testbed))]
        for middle in middles:
            network.set_link(here, middle, up=False)
        wait_until_down(testbed, id_)
        network.set_link(here, middles[1], up=True)
        wait_until_back(testbed, id_)
        assert {tuple(path[:2]) for path in paths(data_connection(testbed))} == {(here, middles[1])}
        running.finish()


def wait_until_down(testbed, id_):
    wait_for("the connection down", lambda: state(testbed, id_) == "down", TIMEOUT)
    wait_for("nothing reserved", lambda: not reserved_by_link(testbed), 20)


def wait_until_back(testbed, id_):
    wait_for("the connection active", lambda: state(testbed, id_) == "active", TIMEOUT)
    flows(testbed)


def test_a_switch_that_loses_its_controller_is_left_and_taken_again(full):
    testbed, subflows = full
    with transfer(testbed) as running:
        before = paths(established(testbed, subflows))
        middle = before[1][1]
        run(["ovs-vsctl", "del-controller", middle], "taking a switch's controller away")
        try:
            wait_for("no path over that switch", lambda: all(
                middle not in path for path in paths(data_connection(testbed))), TIMEOUT)
            after = paths(data_connection(testbed))
            assert all(now == then for then, now in zip(before, after) if middle not in then)
            assert_reservations_follow(testbed)
            run(["ovs-ofctl", "-O", "OpenFlow13", "del-flows", middle], "emptying a switch's table")
        finally:
            run(["ovs-vsctl", "set-controller", middle, "tcp:127.0.0.1:6653"], "giving a switch its controller back")
        wait_for("the switch in ONOS", lambda: device(testbed, middle)["available"], TIMEOUT)
        disjoint_again(testbed)
        running.finish()
    assert running.mbps() > LEAST_MBPS


def test_a_host_whose_port_goes_is_down_and_comes_back(full):
    testbed, subflows = full
    interface = testbed.network.interface(edge(testbed), testbed.network.clients[0].name)
    with transfer(testbed) as running:
        id_ = established(testbed, subflows)["id"]
        run(["ip", "link", "set", interface, "down"], "taking the client's port down")
        try:
            wait_until_down(testbed, id_)
        finally:
            run(["ip", "link", "set", interface, "up"], "taking the client's port up")
        wait_until_back(testbed, id_)
        assert_reservations_follow(testbed)
        running.finish()


def test_a_host_that_moves_takes_its_connection_along(full):
    testbed, subflows = full
    network = testbed.network
    client = network.clients[0]
    here = edge(testbed)
    interface, number = network.interface(here, client.name), network.port(here, client.name)
    with transfer(testbed) as running:
        id_ = established(testbed, subflows)["id"]
        try:
            there = paths(data_connection(testbed))[0][1]
            move_port(interface, here, there, 77)
            wait_for("the connection at the client's new switch", lambda: state(testbed, id_) == "active" and all(
                path[:1] == [there] for path in paths(data_connection(testbed))), TIMEOUT)
            flows(testbed)
            assert_reservations_follow(testbed)
        finally:
            move_port(interface, there, here, number)
            network.limit_rate(here, client.name)
        wait_for("the connection where it was", lambda: state(testbed, id_) == "active" and all(
            path[:1] == [here] for path in paths(data_connection(testbed))), TIMEOUT)
        flows(testbed)
        running.finish()


def are_disjoint(found):
    links = [link for path in found for link in links_of(path)]
    return all(found) and len(links) == len(set(links))


def move_port(interface, from_switch, to_switch, number):
    run(["ovs-vsctl", "del-port", from_switch, interface, "--", "add-port", to_switch, interface,
         "--", "set", "interface", interface, f"ofport_request={number}"], "moving a port to another switch")


def test_a_demonstration_whose_hosts_are_cut_off_says_so_and_ends_well(testbed):
    network = testbed.network
    here = edge(testbed)
    *others, last = [b if a == here else a for a, b in ((link.a, link.b) for link in network.topology.links) if here in (a, b)]
    for other in others:
        network.set_link(here, other, up=False)
    result, problems = demo.demonstrate(testbed, seconds=12, subflows=SUBFLOWS, fail=((here, last), 3))
    assert not problems
    assert result["failure"]["rerouteMillis"] is None
    assert result["failure"]["lostMegabits"] > 0
    # Subflows of the control connection may have stood still for so long that they hold no path any more.
    assert {s["path"][1] for c in result["connections"] for s in c["subflows"] if s["path"]} == {last}


def state(testbed, id_):
    return next((c["state"] for c in connections(testbed) if c["id"] == id_), "gone")


def test_nothing_is_left_of_all_that(testbed):
    assert not active(testbed)
    assert not reserved_by_link(testbed)
