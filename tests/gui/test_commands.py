# SPDX-License-Identifier: Apache-2.0
"""The page of a demonstration on its testbed: a click takes a real link down, gives it a capacity, starts a real transfer."""

import contextlib
import re
from pathlib import Path

import pytest

from live import show, started
from mptcplab import demo
from mptcplab.forwards import Forwards
from mptcplab.netcfg import device_id
from mptcplab.processes import run, wait_for
from mptcplab.sampling import kernel_connections
from mptcplab.settings import HTTP_PORT
from mptcplab.shell.actions import FIRST_PORT

_OUTSIDE = 18181


@pytest.fixture(scope="module")
def testbed():
    with started("./lab test gui", connections=1, subflows=3) as running, contextlib.ExitStack() as stack:
        demo.take_commands(running, stack)
        # As from outside the namespace.
        forwards = Forwards(running.folder)
        stack.callback(forwards.close)
        forwards.open({_OUTSIDE: HTTP_PORT})
        yield running


@pytest.fixture
def transfer(testbed):
    running = testbed.transfer(seconds=240)
    yield running
    running.stop()


def paths(testbed):
    """The switches in the middle of each active subflow's path."""
    return sorted(s["path"][1][-1] for c in testbed.onos.rest.get("/mptcp/connections?state=active")["connections"]
                  if len(c["subflows"]) == 3 for s in c["subflows"] if s["path"] and s["state"] == "active")


def line(testbed, a, b):
    """The drawn link between two switches, which has the name of either of its ports."""
    ports = [f"{device_id(here)}/{testbed.network.port(here, there)}" for here, there in ((a, b), (b, a))]
    return ", ".join(f'.stage line[data-edge="{port}"]' for port in ports)


def is_up(testbed, a, b):
    """Whether the kernel has the interface up, and Open vSwitch the port's link, at both ends."""
    states = set()
    for here, there in ((a, b), (b, a)):
        interface = testbed.network.interface(here, there)
        states.add(bool(int(Path(f"/sys/class/net/{interface}/flags").read_text(encoding="ascii"), 16) & 1))
        ports = run(["ovs-ofctl", "-O", "OpenFlow13", "dump-ports-desc", here], f"reading the ports of {here}")
        states.add(re.search(rf"\({interface}\): .*?state: +(\S+)", ports, re.S)[1] != "LINK_DOWN")
    assert len(states) == 1, f"kernel and switch do not agree about {a}-{b}"
    return states.pop()


def limit(testbed, a, b):
    """The largest rate of any queue of a port, Mbit/s, as the kernel tells it."""
    told = run(["tc", "class", "show", "dev", testbed.network.interface(a, b)], "reading queues")
    found = re.findall(r"ceil ([\d.]+)([KMG])bit", told)
    return max(float(number) * {"K": 1e-3, "M": 1, "G": 1e3}[unit] for number, unit in found)


def test_a_link_goes_down_and_up_by_a_click_and_paths_move(testbed, transfer, browser):
    wait_for("three paths", lambda: paths(testbed) == ["2", "3", "4"], 30)
    show(testbed, browser, port=_OUTSIDE)
    browser.wait("svg.topology[data-layout=settled]", seconds=30)
    browser.dispatch(line(testbed, "s1", "s2"), "click")
    browser.click(".inspector form.commands button:has-text('Take down')")
    browser.wait("text=Link s1-s2 is down.")
    assert not is_up(testbed, "s1", "s2")
    wait_for("paths elsewhere", lambda: paths(testbed) and "2" not in paths(testbed), 30)
    browser.wait("line[data-failed]", state="attached", seconds=30)
    browser.wait(".inspector h2:has-text('has failed')")
    browser.screenshot("testbed-live")
    assert browser.problems() == []
    browser.click(".inspector form.commands button:has-text('Bring up')")
    browser.wait("text=Link s1-s2 is up.")
    assert is_up(testbed, "s1", "s2")
    browser.wait("line[data-failed]", state="detached", seconds=60)
    wait_for("three paths again", lambda: paths(testbed) == ["2", "3", "4"], 60)
    assert browser.complaints() == {"complaints": [], "foreign": []}


def test_a_capacity_counts_in_the_kernel_and_in_onos(testbed, browser):
    def in_onos():
        return {link["capacityMbps"] for link in testbed.onos.rest.get("/mptcp/links?state=up")["links"]
                if {link["source"].split("/")[0], link["target"].split("/")[0]} == {device_id("s1"), device_id("s3")}}
    assert limit(testbed, "s1", "s3") == limit(testbed, "s3", "s1") == 10
    show(testbed, browser, "#network", port=_OUTSIDE)
    browser.click(".links-table th button:has-text('s1 → s3')")
    browser.fill(".testbed input[type=text]", "1001")
    browser.click(".testbed button:has-text('Set')")
    browser.wait("text=1001 is neither down nor up, nor a capacity from 0.1 to 1000 Mbit/s")
    assert limit(testbed, "s1", "s3") == 10
    browser.fill(".testbed input[type=text]", "6")
    browser.click(".testbed button:has-text('Set')")
    browser.wait("text=Link s1-s3 has 6 Mbit/s in each direction.")
    assert limit(testbed, "s1", "s3") == limit(testbed, "s3", "s1") == 6
    wait_for("the capacity in ONOS", lambda: in_onos() == {6.0}, 30)
    browser.until("() => [...document.querySelectorAll('.links-table tr')].some(row => /^s1 → s3\\s+6.00/.test(row.innerText))")
    browser.fill(".testbed input[type=text]", "10")
    browser.click(".testbed button:has-text('Set')")
    wait_for("the capacity in ONOS", lambda: in_onos() == {10.0}, 30)


def test_a_transfer_starts_and_its_connection_shows(testbed, browser):
    show(testbed, browser, port=_OUTSIDE)
    browser.wait("svg.topology[data-layout=settled]", seconds=30)
    browser.click(".node[aria-label='Host h2'] circle")
    browser.fill(".inspector input[type=number]", "20")
    browser.click(".inspector button:has-text('Start a transfer')")
    browser.wait("text=A transfer from h2 to h1 runs for 20 s.", seconds=40)
    in_kernel = {end for _, subflows in kernel_connections(testbed.host("h2")) for end in subflows}
    begun = {remote for _, remote in in_kernel if int(remote.rpartition(":")[2]) >= FIRST_PORT}
    assert len(begun) == 1, in_kernel
    browser.wait(f"tr td:has-text('{begun.pop()}')", seconds=30)
    wait_for("its end", lambda: not any(int(remote.rpartition(":")[2]) >= FIRST_PORT
                                        for _, flows in kernel_connections(testbed.host("h2")) for _, remote in flows), 60)


def test_a_transfer_that_cannot_start_says_why(testbed, browser):
    show(testbed, browser, "#network", port=_OUTSIDE)
    browser.wait(".testbed")
    testbed.host("h1").pexec(["ip", "route", "add", "unreachable", testbed.network.addresses(testbed.host("h2"))[0]])
    try:
        browser.click(".testbed button:has-text('Start a transfer')")
        browser.wait(".testbed [role=alert]:has-text('iperf3 client h1 → h2')", seconds=40)
    finally:
        testbed.host("h1").pexec(["ip", "route", "del", "unreachable", testbed.network.addresses(testbed.host("h2"))[0]])


def test_the_page_past_the_gateway_is_that_of_any_other_onos(testbed, browser):
    show(testbed, browser, "#network")
    browser.wait(".links-table tbody tr")
    browser.until("() => document.querySelector('.contact.up')")
    assert browser.count(".testbed, .links-table th button:not(.help)") == 0
    assert browser.complaints() == {"complaints": [], "foreign": []}
