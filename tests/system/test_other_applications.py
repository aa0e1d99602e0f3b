# SPDX-License-Identifier: Apache-2.0
"""The application beside others in the same ONOS: it respects their rules, intents and reservations."""

import contextlib

import pytest

from conftest import active, reserved
from life import SUBFLOWS, TIMEOUT, established, flows, transfer
from mptcplab.netcfg import device_id
from mptcplab.processes import run, wait_for
from mptcplab.settings import progress

OTHER_APPLICATION = "org.onosproject.hostprovider"
KEY, BACK = "0x4711", "0x4712"
TCP_OVER_IPV4 = [{"type": "ETH_TYPE", "ethType": "0x0800"}, {"type": "IP_PROTO", "protocol": 6}]
DISCARD_UDP = [{"type": "ETH_TYPE", "ethType": "0x0800"}, {"type": "IP_PROTO", "protocol": 17},
               {"type": "UDP_DST", "udpPort": 9}]


@contextlib.contextmanager
def dropping(testbed, device):
    """Another application has all TCP dropped in a switch, above every rule of ours."""
    rest = testbed.onos.rest
    rest.post(f"/flows/{device}?appId={OTHER_APPLICATION}", {
        "priority": 50000, "timeout": 0, "isPermanent": True, "deviceId": device,
        "treatment": {"instructions": [{"type": "NOACTION"}]}, "selector": {"criteria": TCP_OVER_IPV4}})
    try:
        wait_for("the other application's rule",
                 lambda: [f for f in rules(testbed, device) if f["priority"] == 50000 and f["state"] == "ADDED"], 20)
        yield
    finally:
        for flow in rules(testbed, device):
            if flow["priority"] == 50000:
                rest.delete(f"/flows/{device}/{flow['id']}")
        wait_for("that rule gone", lambda: not [f for f in rules(testbed, device) if f["priority"] == 50000], 20)


def test_a_subflow_whose_packets_another_rule_drops_is_not_said_to_flow(testbed):
    # Only once all are there: over the first subflow the connection begins, whichever path it has.
    dead = device_id("s2")
    with transfer(testbed) as running:
        established(testbed, SUBFLOWS)
        with dropping(testbed, dead):
            def seen():
                for data in active(testbed):
                    rates = {s["path"][1]: (s["measuredUpMbps"] or 0) for s in data["subflows"] if s["path"]}
                    dropped = rates.pop(dead, None)
                    if dropped is not None and dropped < 0.5 and len(rates) == 2 and min(rates.values()) > 1:
                        return rates
                return None
            wait_for("two subflows that carry and one that does not", seen, TIMEOUT)
            # No bound for the throughput: the kernels retransmit the dead subflow's data on the others, but only after
            # time-outs.
            running.finish()
    progress(f"beside a subflow without a way {running.mbps():.1f} Mbit/s of 20 came through")


@pytest.mark.long
def test_shares_stay_within_what_another_intent_has_reserved(testbed):
    network, rest = testbed.network, testbed.onos.rest
    a, b = network.cross_link
    refusals = testbed.onos.log().count("refuses bandwidth")
    rest.post("/intents", {
        "type": "PointToPointIntent", "appId": OTHER_APPLICATION, "key": KEY, "priority": 200,
        "selector": {"criteria": DISCARD_UDP}, "treatment": {"instructions": [{"type": "NOACTION"}], "deferred": []},
        "constraints": [{"type": "BandwidthConstraint", "bandwidth": 6e6}],
        "ingressPoint": {"device": device_id(a), "port": str(network.port(a, "u1"))},
        "egressPoint": {"device": device_id(b), "port": str(network.port(b, "u2"))}})
    running = None
    try:
        wait_for("the other intent installed", lambda: others_intent(testbed).get("state") == "INSTALLED", 20)
        running = testbed.transfer(seconds=20)
        wait_for("three subflows with all that is left", lambda: full(testbed, a, b), 20)
        running.finish()
    finally:
        if running:
            running.stop()
        rest.delete(f"/intents/{OTHER_APPLICATION}/{KEY}")
        wait_for("the other intent gone", lambda: others_intent(testbed).get("state", "WITHDRAWN") == "WITHDRAWN", 20)
    assert testbed.onos.log().count("refuses bandwidth") == refusals, "nothing was asked for that others hold"


def test_another_intent_between_the_same_hosts_takes_no_packet_of_a_subflow(testbed):
    """It matches all that its switch hears from the client, at the usual priority of intents: without an order the switch may
    take either rule."""
    network, rest = testbed.network, testbed.onos.rest
    client, server = network.topology.pair(0)
    with contextlib.ExitStack() as after:
        for key, here, there, source in ((KEY, client, server, network.clients[0]), (BACK, server, client, network.servers[0])):
            target = network.servers[0] if source is network.clients[0] else network.clients[0]
            rest.post("/intents", {
                "type": "PointToPointIntent", "appId": OTHER_APPLICATION, "key": key, "priority": 100,
                "selector": {"criteria": TCP_OVER_IPV4}, "constraints": [],
                "treatment": {"instructions": [{"type": "NOACTION"}], "deferred": []},
                "ingressPoint": {"device": device_id(here), "port": str(network.port(here, source.name))},
                "egressPoint": {"device": device_id(there), "port": str(network.port(there, target.name))}})
            after.callback(gone, testbed, key)
        wait_for("both intents installed", lambda: [intent(testbed, key).get("state") for key in (KEY, BACK)]
                 == ["INSTALLED"] * 2, 20)
        with transfer(testbed) as running:
            # A wake rule below the intent would never bring the packet that earns its connection paths.
            established(testbed, SUBFLOWS)
            wait_for("three subflows that carry", lambda: [
                s for c in active(testbed) for s in c["subflows"] if (s["measuredUpMbps"] or 0) > 1][SUBFLOWS - 1:], TIMEOUT)
            taken = packets_of_the_intents(testbed)
            flows(testbed, megabits=20)
            # What plain connections send: the transfer's control.
            assert packets_of_the_intents(testbed) - taken < 100
            running.finish()


def gone(testbed, key):
    testbed.onos.rest.delete(f"/intents/{OTHER_APPLICATION}/{key}")
    wait_for("the other intent gone", lambda: intent(testbed, key).get("state", "WITHDRAWN") == "WITHDRAWN", 20)


def intent(testbed, key):
    return next((i for i in testbed.onos.rest.get("/intents")["intents"] if i["key"] == key), {})


def packets_of_the_intents(testbed):
    """Packets that the switches have forwarded by rules of priority 100."""
    return sum(int(line.split("n_packets=")[1].split(",")[0]) for switch in testbed.network.topology.switches
               for line in run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules").splitlines()
               if "priority=100," in line)


def full(testbed, a, b):
    """Whether MPTCP holds about 4 of 10 Mbit/s on the link that the other intent uses, and about 10 on another one."""
    held = {tuple(end.split("/")[0] for end in link): rate for link, rate in reserved(testbed).items()}
    assert held.get((device_id(a), device_id(b)), 0) <= 4.001, held
    there = held.get((device_id(a), device_id(b)), 0)
    elsewhere = max((rate for (source, _), rate in held.items() if source == device_id("s1")), default=0)
    return there > 3.5 and elsewhere > 9


def others_intent(testbed):
    found = [i for i in testbed.onos.rest.get("/intents")["intents"] if i["type"] == "PointToPointIntent"]
    return found[0] if found else {}


def rules(testbed, device):
    return testbed.onos.rest.get(f"/flows/{device}")["flows"]
