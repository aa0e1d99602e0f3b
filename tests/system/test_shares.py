# SPDX-License-Identifier: Apache-2.0
"""Shares in a running controller beside a real transfer: idle connections, changed capacities, and the figures shown."""

import contextlib
import re
import time

import pytest

from conftest import active, counters, managed_at_once, quiet
from mptcplab import demo
from mptcplab.errors import LabError
from mptcplab.hosts import listens
from mptcplab.netcfg import device_id
from mptcplab.processes import end_group, run, wait_for
from programs import MPTCP
from sharing import allocated, assert_no_rate_is_odd, capacity, expecting, link, over, to_port, transfers
from test_soak import started

SILENT_PORT = 7003

SHOWN_SECONDS, KNOWN_SECONDS = 2, 6
"""Within so many seconds a new capacity is in links and shares, and the demand of a newcomer known, on two cores that have
nothing else to do."""


@pytest.fixture(scope="module")
def running(session_testbed):
    """The testbed with one transfer over three paths, and an idle time so long that iperf3's silent control connection
    stays a connection like any other."""
    quiet(session_testbed)
    session_testbed.onos.configure(strategy="widest-disjoint", idleSeconds=60)
    try:
        with contextlib.ExitStack() as stack:
            with managed_at_once(session_testbed):
                stack.enter_context(transfers(session_testbed, [5201], seconds=300))
                wait_for("the transfer's connection and that for its control", lambda: both_managed(session_testbed), 20)
            yield session_testbed
    finally:
        session_testbed.onos.configure(idleSeconds=demo.IDLE_SECONDS)


def both_managed(testbed):
    found = active(testbed)
    if len(found) != 2:
        raise LabError(f"{[(c['id'], c['state']) for c in found]}, counters {counters(testbed)}")
    return True


def test_an_idle_connection_holds_next_to_nothing_beside_a_busy_one(running):
    data = wait_for("nearly all is the transfer's", lambda: expecting(running, 5201, least=29.5), 20)
    wait_for("the control connection", lambda: [(c["state"], len(c["subflows"])) for c in to_port(running, 5201)[1]]
             == [("active", 3)], 20)
    wait_for("next to nothing for it", lambda: to_port(running, 5201)[1][0]["expectedUpMbps"] <= 0.2, 20)
    data = wait_for("nearly all is the transfer's again", lambda: expecting(running, 5201, least=29.5), 20)
    _, idle = to_port(running, 5201)
    assert sum(c["expectedUpMbps"] for c in idle) <= 0.2
    assert data["expectedUpMbps"] + idle[0]["expectedUpMbps"] <= 30.001
    # The direction of the acknowledgements is not reserved for a transfer that sends nothing there.
    wait_for("next to nothing back", lambda: to_port(running, 5201)[0]["expectedDownMbps"] < 5, 20)


def test_a_silent_newcomer_soon_holds_next_to_nothing(running):
    seconds_until_a_silent_newcomer_holds_nothing(running)


@pytest.mark.long
def test_a_silent_newcomer_holds_next_to_nothing_within_seconds(running):
    assert seconds_until_a_silent_newcomer_holds_nothing(running) <= KNOWN_SECONDS


def seconds_until_a_silent_newcomer_holds_nothing(running):
    """From the newcomer's first share to the one of a connection that sends nothing."""
    network = running.network
    client, server = network.clients[0], network.servers[0]
    wait_for("nearly all is the transfer's", lambda: expecting(running, 5201, least=29.5), 20)
    with program(server, "server", MPTCP, SILENT_PORT):
        wait_for("a server", lambda: listens(server, SILENT_PORT), 20)
        # One that says nothing would never earn its paths.
        with managed_at_once(running), program(client, "silent", MPTCP, network.addresses(server)[0], SILENT_PORT):
            wait_for("the newcomer", lambda: to_port(running, SILENT_PORT)[0], 20)
            begun = time.monotonic()
            wait_for("next to nothing for it", lambda: to_port(running, SILENT_PORT)[0]["expectedUpMbps"] <= 0.101, 20)
            seconds = time.monotonic() - begun
            wait_for("nearly all for the transfer again", lambda: expecting(running, 5201, least=29.5), 20)
    return seconds


@contextlib.contextmanager
def program(host, *arguments):
    """One of ``programs.py`` in a host, as long as the body runs."""
    process = started(host, *arguments)
    try:
        yield process
    finally:
        end_group(process)


def test_our_own_traffic_is_not_taken_for_others(running):
    wait_for("nearly all is the transfer's", lambda: expecting(running, 5201, least=29.5), 20)
    end = time.monotonic() + 5
    least = min(iter(lambda: to_port(running, 5201)[0]["expectedUpMbps"] if time.monotonic() < end else None, None))
    assert least >= 29.5


def test_zeta_measured_and_expected_are_shown(running):
    data = wait_for("ζ and a ratio", lambda: shown(running), 20)
    assert data["fairUpMbps"] <= data["availableUpMbps"] <= 30.001
    line = next(line for line in running.onos.shell("mptcp-connections").splitlines() if line.startswith(data["id"]))
    assert line.count("/") >= 3 and "%" in line, line
    told = [s["ratio"] for s in data["subflows"]]
    assert all(0 < ratio < 2 for ratio in told), told


def shown(testbed):
    data = expecting(testbed, 5201, least=29)
    return data if data and data["availableUpMbps"] > 25 and (data["ratio"] or 0) > 0.5 else None


def test_a_lowered_capacity_is_seen(running):
    seconds_until_a_lowered_capacity_is_seen(running)


@pytest.mark.long
def test_a_lowered_capacity_is_seen_at_once(running):
    assert seconds_until_a_lowered_capacity_is_seen(running) <= SHOWN_SECONDS


def seconds_until_a_lowered_capacity_is_seen(running):
    """From its configuration until it is in links and shares; ONOS's resource store and the command line have it as well."""
    wait_for("nearly all is the transfer's", lambda: expecting(running, 5201, least=29.5), 20)
    wait_for("all of the first link", lambda: link(running, "s1", "s2")["reservedMbps"] > 9.9, 20)
    refusals = running.onos.log().count("refuses bandwidth")
    begun = time.monotonic()
    with capacity(running, "s1", "s2", 4):
        def lowered():
            seen, data = link(running, "s1", "s2"), to_port(running, 5201)[0]
            return (seen["capacityMbps"] == 4 and seen["reservedMbps"] <= 4.001
                    and sum(s["expectedUpMbps"] for s in over(data, "s2")) <= 4.001
                    and all(s["bottleneckMbps"] == 4 for s in over(data, "s2")) and data)
        data = wait_for("4 Mbit/s in links and shares", lowered, 10, every=0.02)
        seconds = time.monotonic() - begun
        assert data["expectedUpMbps"] >= 23.5, "the other paths have what they had"
        table = running.onos.shell("mptcp-links")
        row = next(line.split() for line in table.splitlines() if line.startswith("s1/1"))
        assert row[2:5] == ["4.00", "bandwidthCapacity", "4.00"], table
        port = (device_id("s1"), str(running.network.port("s1", "s2")))
        wait_for("ONOS's resource store", lambda: allocated(running).get(port, 0) <= 4e6, 10)
        assert_no_rate_is_odd(running)
    wait_for("all of it again", lambda: expecting(running, 5201, least=29.5), 10)
    assert running.onos.log().count("refuses bandwidth") == refusals
    return seconds


def test_a_link_without_capacity_is_left(running):
    with capacity(running, "s1", "s2", 0):
        def left():
            seen, data = link(running, "s1", "s2"), to_port(running, 5201)[0]
            return seen["reservedMbps"] == 0 and seen["subflows"] == 0 and not over(data, "s2") and data
        data = wait_for("no subflow on it", left, 10)
        assert 19 <= data["expectedUpMbps"] <= 20.001
        assert_no_rate_is_odd(running)
        port = (device_id("s1"), str(running.network.port("s1", "s2")))
        wait_for("ONOS's resource store", lambda: not allocated(running).get(port), 10)


def test_counters_that_run_backwards_are_begun_anew(running):
    wait_for("it transfers", lambda: expecting(running, 5201, least=15), 20)
    # As after a restart of the switch: its rules are gone, and come back with counters at 0.
    run(["ovs-ofctl", "-O", "OpenFlow13", "del-flows", "s1", "tcp"], "emptying a switch")
    def counts_again():
        assert_no_rate_is_odd(running)
        one = to_port(running, 5201)[0]
        return one and one["state"] == "active" and (one["measuredUpMbps"] or 0) > 10
    wait_for("gone", lambda: ((to_port(running, 5201)[0] or {}).get("measuredUpMbps") or 0) < 10, 20)
    wait_for("it transfers again", counts_again, 40)
    # ONOS itself may log exceptions when a switch is emptied behind its back; our application must not.
    assert not [trace for trace in traces(running.onos.log()) if "org.subflow" in trace]


def traces(log):
    """The exceptions in a log, each with the line before it that tells what was done, and its trace."""
    entries = re.split(r"\n(?=\d{4}-\d\d-\d\dT)", log)
    return [entry for entry in entries if re.search(r"Exception|Error:", entry)]
