# SPDX-License-Identifier: Apache-2.0
"""Ten link failures under load (long): how soon the affected subflows have new rules, and what their siblings carry."""

import os
import statistics
import time

import pytest

from conftest import active, links_of
from life import (SUBFLOWS, TIMEOUT, all_active, cut_and_follow, data_connection, disjoint_paths, established, failing, flows,
                  paths, set_subflows, transfer)
from mptcplab.processes import wait_for
from mptcplab.sampling import Sampler
from mptcplab.settings import progress

FAILURES = 10
WINDOW_SECONDS = 2
"""Before and after a failure; what siblings carry is compared over these."""
SAMPLE_SECONDS = 0.02


@pytest.mark.long
@pytest.mark.timed
def test_ten_failures_under_load(testbed):
    network = testbed.network
    subflows = disjoint_paths(testbed) - 1
    set_subflows(testbed, subflows)
    sampler = Sampler(set(), every=SAMPLE_SECONDS)
    times, kept = [], []
    try:
        sampler.start()
        with transfer(testbed) as running:
            established(testbed, subflows)
            for number in range(FAILURES):
                before = data_connection(testbed)
                path = paths(before)[number % subflows]
                flows(testbed, megabits=2 * WINDOW_SECONDS * 10)
                hop = number % (len(path) - 1)
                with failing(testbed, tuple(path[hop:hop + 2])) as failure:
                    begin = time.monotonic()
                    times.append(cut_and_follow(testbed, failure))
                    flows(testbed, megabits=2 * WINDOW_SECONDS * 10)
                    kept += siblings(network, sampler, before, failure.link, begin)
                testbed.wait_for_links()
                wait_for("all active", lambda: active(testbed) and all_active(testbed), TIMEOUT)
            running.finish()
    finally:
        sampler.stop()
        set_subflows(testbed, SUBFLOWS)
    progress(f"{network.topology.name}: new rules after {', '.join(f'{ms:.0f}' for ms in sorted(times))} ms, median "
             f"{statistics.median(times):.0f}; siblings carried {min(kept):.2f} to {max(kept):.2f}, median "
             f"{statistics.median(kept):.2f} of before; load {os.getloadavg()[0]:.1f}; {running.mbps():.1f} Mbit/s in all, "
             f"longest stall {running.arrived['longestStall']:.2f} s")
    assert statistics.median(times) < 1000
    assert statistics.median(kept) > 0.8


def siblings(network, sampler, connection, link, begin):
    """What each path without the failed link carried after the failure, as a part of what it carried before.

    By the counter of its last link's interface: Open vSwitch brings its rules' counters up to date twice a second, too late
    for two seconds to be compared by them. No other subflow is on that link: there is a path to spare.
    """
    for path in paths(connection):
        if frozenset(link) not in links_of(path):
            counter = (network.interface(path[-2], path[-1]),)
            before = sampler.rate(counter, begin - WINDOW_SECONDS, begin)
            if before > 1:
                yield sampler.rate(counter, begin, begin + WINDOW_SECONDS) / before
