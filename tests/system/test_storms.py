# SPDX-License-Identifier: Apache-2.0
"""Storms of ARP, neighbour discovery and DHCP leave transfers, other hosts and ONOS's links as they are, with the application and
with the forwarder alone. Every frame of a storm has another address, or another transaction."""

import contextlib
import time

import pytest

from conftest import tell
from life import SUBFLOWS, TIMEOUT, established, flows, received, transfer
from mptcplab.netcfg import device_id
from mptcplab.processes import wait_for
from test_flood import Flood, port_of

RATE = 2000
"""Frames a second, of all storming ports together. Where all of them are flooded, they come to ONOS from every switch again."""

SECONDS = 3
MOST_ADDRESSES = 256
"""Of a host (mostAddressesPerHost)."""

PART = 0.7
"""Of a transfer's rate before; the least that is left of it on a busy machine, where storm and transfer share the processors."""

FLAGGED = {"arp": "frames with new hosts or addresses", "ndp": "frames with new hosts or addresses",
           "dhcp": "packets that are to be flooded"}
"""What the log says that a storming port brings more of than it may."""


def cases():
    for kind in FLAGGED:
        for ports in ("one-port", "all-ports"):
            for who in ("application", "forwarder-alone"):
                # A storm from all ports is for a machine that has nothing else to do: at a load of 18 a transfer fell to a third.
                short = (kind, ports, who) == ("arp", "one-port", "application")
                yield pytest.param(kind, ports, who, marks=[] if short else pytest.mark.long, id=f"{kind}-{ports}-{who}")


@pytest.mark.parametrize(("kind", "ports", "who"), cases())
def test_a_storm_leaves_transfers_hosts_and_links_as_they_are(testbed, kind, ports, who, capsys):
    network = testbed.network
    storming = [network.net["u1"]] if ports == "one-port" else [*network.clients, *network.servers, *network.others]
    with contextlib.ExitStack() as after:
        if who == "forwarder-alone":
            after.enter_context(testbed.without_application())
        after.callback(learn_anew, testbed, storming)
        if kind == "ndp":
            after.callback(testbed.onos.forward_ipv6, False)
            testbed.onos.forward_ipv6()
        running = after.enter_context(transfer(testbed))
        if who == "application":
            established(testbed, SUBFLOWS)
        flows(testbed, 4)
        links = links_of_onos(testbed)
        used = {address for host in (network.clients[0], network.servers[0]) for address in network.addresses(host)}
        before, answered = rate(testbed, SECONDS), seconds_to_answer(testbed)
        with contextlib.ExitStack() as storms:
            floods = [storms.enter_context(Flood(testbed, host.name, kind=kind, first=number << 17, seconds=SECONDS,
                                                 rate=RATE // len(storming), sources=8))
                      for number, host in enumerate(storming)]
            during = rate(testbed, SECONDS, lambda: still_there(testbed, links))
            sent = sum(flood.finish()["sent"] for flood in floods)
        answered_after = seconds_to_answer(testbed)
        later = rate(testbed, SECONDS, lambda: still_there(testbed, links))
        running.finish()
        tell(capsys, f"{sent / SECONDS:.0f} frames/s of {kind} from {ports}, {who}: {before:.1f} Mbit/s before, {during:.1f} "
                     f"meanwhile, {later:.1f} afterwards; another host reached after {answered:.1f} and {answered_after:.1f} s")
        assert sent > RATE * SECONDS / 2
        assert min(during, later) > PART * before
        hosts = testbed.onos.rest.get("/hosts")["hosts"]
        assert max(len(host["ipAddresses"]) for host in hosts) <= MOST_ADDRESSES
        if who == "application":
            # Copies of the subflows' handshakes have shown that they are in use.
            assert used <= {address for host in hosts for address in host["ipAddresses"]}
    for host in storming:
        assert "brings more than" in last_said(testbed, port_of(testbed, host.name), FLAGGED[kind])


def last_said(testbed, port, kind):
    """The last line in ONOS's log about packets of a kind from a port; it says nothing again of one that it has just named."""
    name = f" {device_id(port[0])}/{port[1]} "
    return next((line for line in reversed(testbed.onos.log().splitlines()) if name in line and kind in line), "nothing")


def learn_anew(testbed, hosts):
    """Lets ONOS forget what hosts have made up."""
    for host in hosts:
        testbed.onos.rest.delete(f"/hosts/{host.MAC()}/None")
    testbed.let_hosts_speak()


def rate(testbed, seconds, meanwhile=lambda: None):
    """What arrives at the first server in so many seconds, Mbit/s."""
    arrived, begun = received(testbed), time.monotonic()

    def over():
        meanwhile()
        return time.monotonic() > begun + seconds
    wait_for("the seconds of a reading", over, TIMEOUT, every=0.5)
    return (received(testbed) - arrived) * 8e-6 / (time.monotonic() - begun)


def seconds_to_answer(testbed):
    """After how many seconds a host has reached another whose MAC address it has forgotten."""
    network, begun = testbed.network, time.monotonic()
    client, other = network.clients[0], network.net["u2"]
    network.ping(client, network.addresses(client)[0], network.addresses(other)[0], TIMEOUT)
    return time.monotonic() - begun


def still_there(testbed, links):
    lost = links - links_of_onos(testbed)
    assert not lost, f"ONOS has lost {lost}"


def links_of_onos(testbed):
    return {(link["src"]["device"], link["dst"]["device"]) for link in testbed.onos.rest.get("/links")["links"]
            if link["state"] == "ACTIVE"}
