# SPDX-License-Identifier: Apache-2.0
"""Two links between the same two switches: each carries a subflow, and one takes the other's when that fails."""

from conftest import active, tell
from life import TIMEOUT, established, flows, received, transfer
from mptcplab.netcfg import device_id
from mptcplab.processes import wait_for
from mptcplab.testbed import Testbed

LINKS = ("s2", "s2#1")
"""As their names are at s1."""

SECONDS = 5
BOTH_MBPS = 14
"""On the wire at the server; more than one link of 10 carries. On a quiet machine it is 19."""


def on_links(testbed: Testbed) -> list[list[str]]:
    """The links of each active subflow, by their names at s1, sorted."""
    names = {f"{device_id('s1')}/{testbed.network.port('s1', link)}": link for link in LINKS}
    return sorted([names[port] for port in s["links"]] for c in active(testbed) for s in c["subflows"]
                  if s["state"] == "active")


def test_both_links_carry_a_subflow_and_one_takes_both(session_testbed, capsys):
    testbed = session_testbed
    with transfer(testbed):
        established(testbed, 2)
        wait_for("a link for each subflow", lambda: on_links(testbed) == [[link] for link in LINKS], TIMEOUT)
        seen = {(link["source"], link["capacityMbps"], link["capacitySource"])
                for link in testbed.onos.rest.get("/mptcp/links")["links"] if link["source"].startswith(device_id("s1"))}
        assert seen == {(f"{device_id('s1')}/{testbed.network.port('s1', link)}", 10, "bandwidthCapacity") for link in LINKS}
        begun = received(testbed)
        best = 0.0

        def carried() -> bool:
            nonlocal begun, best
            now = received(testbed)
            best = max(best, (now - begun) * 8e-6 / SECONDS)
            begun = now
            return best > BOTH_MBPS
        wait_for("more than one link carries", carried, TIMEOUT, every=SECONDS)
        tell(capsys, f"over two parallel links of 10 Mbit/s: {best:.1f} Mbit/s")

        testbed.network.set_link("s1", LINKS[1], up=False)
        wait_for("both subflows on the other link", lambda: on_links(testbed) == [[LINKS[0]]] * 2, TIMEOUT)
        flows(testbed)
        testbed.network.set_link("s1", LINKS[1], up=True)
        wait_for("a link for each subflow again", lambda: on_links(testbed) == [[link] for link in LINKS], TIMEOUT)
        flows(testbed)
