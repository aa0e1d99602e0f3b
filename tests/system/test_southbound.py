# SPDX-License-Identifier: Apache-2.0
"""ONOS's southbound beside real switches, without MPTCP: plain forwarding, intents of other applications, foreign rules."""

import contextlib

import pytest

from life import TIMEOUT, device
from mptcplab.netcfg import device_id, switch_name
from mptcplab.processes import run, wait_for

OTHER_APPLICATION, KEYS = "org.onosproject.fwd", ("0x51", "0x52")
PRIORITY = 200
"""Of the intents: above the forwarder's rules."""

ONOS_TABLE_0 = 1
"""Its number in the switches: their table 0 is the southbound's own."""

GOES_ON = "priority=0 actions=goto_table:1"
"""The rule of the southbound's own table that is always there, as Open vSwitch prints it."""

OWN_COOKIE = 0x737562666c6f7700
"""Of the rules of that table, but for the last byte."""


def test_the_forwarder_matches_port_and_mac_addresses_for_ten_seconds(testbed):
    ping(testbed)

    def kinds():
        return {(rule["priority"], rule["timeout"], tuple(sorted(c["type"] for c in rule["selector"]["criteria"])))
                for rule in rules_of(testbed, OTHER_APPLICATION)}
    assert wait_for("rules of the forwarder", kinds, TIMEOUT) == {(10, 10, ("ETH_DST", "ETH_SRC", "IN_PORT"))}


def test_a_rule_that_onos_could_have_sent_goes_and_one_that_it_cannot_read_stays(testbed):
    readable, unreadable = "cookie=0x78,priority=3,in_port=9", "cookie=0x77,priority=3,ip,nw_src=9.0.0.9/255.0.0.255"
    for rule in (unreadable, readable):
        run(["ovs-ofctl", "-O", "OpenFlow13", "add-flow", "s3", f"table={ONOS_TABLE_0},{rule},actions=drop"], "adding a rule")
    try:
        wait_for("the rule that ONOS did not send gone", lambda: "cookie=0x78" not in flow_table("s3"), TIMEOUT)
        assert "cookie=0x77" in flow_table("s3")
    finally:
        run(["ovs-ofctl", "-O", "OpenFlow13", "del-flows", "s3", "cookie=0x77/-1"], "removing a rule")


def test_onos_does_not_see_the_switches_first_table(testbed):
    for switch in testbed.network.topology.switches:
        first = [line for line in flow_table(switch).splitlines() if "table=0," in line]
        assert [line for line in first if GOES_ON in line], first
        assert all(int(line.split("cookie=")[1].split(",")[0], 16) & ~0xff == OWN_COOKIE for line in first), first
        seen = testbed.onos.rest.get(f"/flows/{device_id(switch)}")["flows"]
        assert seen and not [rule for rule in seen if int(rule["id"]) & ~0xff == OWN_COOKIE]


def test_the_first_table_comes_back_after_somebody_emptied_it(testbed):
    run(["ovs-ofctl", "-O", "OpenFlow13", "del-flows", "s1", "table=0"], "emptying the first table")
    wait_for("its rule back", lambda: GOES_ON in flow_table("s1"), TIMEOUT)
    ping(testbed)


def test_what_stands_in_the_first_table_goes_when_the_switch_connects_again(testbed):
    run(["ovs-ofctl", "-O", "OpenFlow13", "add-flow", "s3", "cookie=0x79,priority=40000,in_port=9,actions=drop"],
        "adding a rule as if ONOS's table 0 was still the switch's")
    try:
        # By another of ONOS's ports: without any controller Open vSwitch would forget all rules.
        run(["ovs-vsctl", "set-controller", "s3", "tcp:127.0.0.1:6633"], "letting a switch connect again")
        wait_for("the rule gone", lambda: "cookie=0x79" not in flow_table("s3"), TIMEOUT)
        wait_for("the one that is always there", lambda: GOES_ON in flow_table("s3"), TIMEOUT)
    finally:
        run(["ovs-vsctl", "set-controller", "s3", "tcp:127.0.0.1:6653"], "letting it connect as before")
    wait_for("the switch back", lambda: device(testbed, "s3")["available"], TIMEOUT)
    testbed.wait_for_links()


@pytest.fixture
def intents(testbed):
    """Another application leads IPv4 between the first hosts by two intents."""
    network, rest = testbed.network, testbed.onos.rest
    hosts = list(zip((network.clients[0], network.servers[0]), network.topology.pair(0)))
    with contextlib.ExitStack() as after:
        for key, ((source, here), (target, there)) in zip(KEYS, (hosts, hosts[::-1])):
            rest.post("/intents", {
                "type": "PointToPointIntent", "appId": OTHER_APPLICATION, "key": key, "priority": PRIORITY,
                "ingressPoint": {"device": device_id(here), "port": str(network.port(here, source.name))},
                "egressPoint": {"device": device_id(there), "port": str(network.port(there, target.name))},
                "selector": {"criteria": [{"type": "ETH_TYPE", "ethType": "0x800"},
                                          {"type": "IPV4_SRC", "ip": f"{network.addresses(source)[0]}/32"},
                                          {"type": "IPV4_DST", "ip": f"{network.addresses(target)[0]}/32"}]}})
            after.callback(rest.delete, f"/intents/{OTHER_APPLICATION}/{key}")
        wait_for("the intents installed", lambda: states(testbed) == {"INSTALLED"} and middles(testbed), TIMEOUT)
        yield
    wait_for("the intents gone", lambda: states(testbed) <= {"WITHDRAWN"} and not middles(testbed), TIMEOUT)


def test_a_rule_that_onos_calls_added_is_in_the_switch(testbed, intents):
    server_switch = testbed.network.topology.pair(0)[1]
    here = [rule for rule in of_the_intents(testbed) if rule["deviceId"] == device_id(server_switch)]
    assert len(here) == len(KEYS)
    assert all(is_in_switch(rule) for rule in here)


def test_intents_leave_a_link_that_fails(testbed, intents):
    client_switch = testbed.network.topology.pair(0)[0]
    # ONOS may take different paths of equal length for the two of them.
    before = min(middles(testbed))
    testbed.network.set_link(client_switch, before, up=False)
    try:
        wait_for("the intents on another path", lambda: states(testbed) == {"INSTALLED"}
                 and middles(testbed) and before not in middles(testbed), TIMEOUT)
        ping(testbed)
    finally:
        testbed.network.set_link(client_switch, before, up=True)
    testbed.wait_for_links()


def test_switches_that_restart_without_rules_get_them_again(testbed, intents):
    switches = testbed.network.topology.switches
    testbed.switches.stop_switching()
    try:
        wait_for("all switches gone", lambda: not any(device(testbed, s)["available"] for s in switches), TIMEOUT)
    finally:
        testbed.switches.start_switching()
        wait_for("all switches back", lambda: all(device(testbed, s)["available"] for s in switches), TIMEOUT)
        testbed.wait_for_links()
        # With their switches ONOS forgets the hosts: they are learned again when they speak.
        testbed.let_hosts_speak()
    wait_for("the intents installed again", lambda: states(testbed) == {"INSTALLED"}, TIMEOUT)
    wait_for("their rules in the switches", lambda: all(is_in_switch(rule) for rule in of_the_intents(testbed)), TIMEOUT)
    ping(testbed)


def ping(testbed):
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    network.ping(client, network.addresses(client)[0], network.addresses(server)[0])


def rules_of(testbed, application):
    """The rules of an application that ONOS says are in the switches."""
    return [rule for rule in testbed.onos.rest.get(f"/flows/application/{application}").get("flows", [])
            if rule["state"] == "ADDED"]


def of_the_intents(testbed):
    return [rule for rule in rules_of(testbed, "org.onosproject.net.intent") if rule["priority"] == PRIORITY]


def middles(testbed):
    """The switches between the hosts' own that the intents' rules are on."""
    return {switch_name(rule["deviceId"]) for rule in of_the_intents(testbed)} - set(testbed.network.topology.pair(0))


def states(testbed):
    """The states of the two intents; an intent that is being removed has none."""
    return {intent.get("state", "WITHDRAWN") for intent in testbed.onos.rest.get("/intents")["intents"] if intent["key"] in KEYS}


def is_in_switch(rule):
    """Whether a rule that ONOS knows is in its switch, by the cookie."""
    return f"cookie=0x{int(rule['id']):x}," in flow_table(switch_name(rule["deviceId"]))


def flow_table(switch):
    return run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules")
