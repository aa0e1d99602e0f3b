# SPDX-License-Identifier: Apache-2.0
"""Links that differ by direction, as those of ADSL: an upload gets the path that is wide upwards, a download the other one."""

import pytest

from conftest import active, tell
from life import TIMEOUT, data_connection, paths
from mptcplab.processes import wait_for
from mptcplab.testbed import Testbed

SECONDS = 24
LAST = 8
"""Seconds at the end of which the rate is measured. The direction is known, and the path with it, after some five."""

NARROW_MBPS = 4
"""What the narrower of the two paths carries in the direction of either transfer: 4 up, 2 down."""


def path(testbed: Testbed, name: str) -> list[str]:
    """That of a connection with one subflow; none if it is not there."""
    return next((path for c in active(testbed) if c["id"] == name for path in paths(c) if path), [])


def newest(testbed: Testbed) -> str:
    """The transfer's connection: iperf3 opens one for its control before. Empty if there is none."""
    return data_connection(testbed)["id"] if active(testbed) else ""


@pytest.mark.parametrize("options, through", [pytest.param((), "s2", id="upload"),
                                              pytest.param(("-R",), "s3", id="download", marks=pytest.mark.long)])
def test_a_transfer_gets_the_path_that_is_wide_in_its_direction_and_keeps_it(testbed, capsys, options, through):
    testbed.onos.configure(subflows=1)
    wide = ["s1", through, "s4"]
    running = testbed.transfer(seconds=SECONDS, options=options)
    try:
        wait_for("the transfer on the path that is wide in its direction", lambda: path(testbed, newest(testbed)) == wide,
                 TIMEOUT, every=0.5)
        name, others = newest(testbed), []

        def has_ended() -> bool:
            others.extend(p for p in [path(testbed, name)] if p not in ([], wide))
            return not running.runs()
        wait_for("the transfer's end", has_ended, SECONDS + TIMEOUT, every=0.5)
        assert not others, "it was moved to the path that is narrow in its direction"
        running.finish()
    finally:
        running.stop()
        testbed.onos.configure(subflows=3)
    rates = [interval["sum"]["bits_per_second"] / 1e6 for interval in running.intervals()[:SECONDS][-LAST:]]
    tell(capsys, f"through {through}: {sum(rates) / len(rates):.1f} Mbit/s in the last {LAST} seconds")
    assert sum(rates) / len(rates) > 1.5 * NARROW_MBPS
