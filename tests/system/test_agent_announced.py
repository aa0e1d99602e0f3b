# SPDX-License-Identifier: Apache-2.0
"""An agent that the controller does not reach by REST goes by what it announces in segments (MP_ET), on real kernels (long)."""

import pytest

from conftest import quiet
from life import SUBFLOWS, TIMEOUT, data_connection, established, flows, transfer
from mptcplab.agents import Agents
from mptcplab.errors import LabError
from mptcplab.processes import wait_for
from mptcplab.rest import Json
from mptcplab.testbed import Testbed
from test_agent import lines

pytestmark = pytest.mark.long


def pacing(testbed: Testbed) -> list[float]:
    """The client's pacing rates of the transfer's subflows, Mbit/s of payload, lowest first."""
    shown = testbed.network.clients[0].pexec(["ss", "-tinHO", "state", "established", "( dport = :5201 )"])[0]
    rates = [line.split(" pacing_rate ")[1].split()[0] for line in shown.splitlines() if " pacing_rate " in line]
    return sorted(_mbps(rate.split("/")[1]) for rate in rates if "/" in rate)


def _mbps(rate: str) -> float:
    """``ss`` writes 1234bps, with a prefix if it is shortened."""
    number = rate.removesuffix("bps")
    factor = {"K": 1e-3, "M": 1.0, "G": 1e3}.get(number[-1:], 0)
    return float(number[:-1]) * factor if factor else float(number) * 1e-6


def expected(one: Json) -> list[float]:
    return sorted(s["expectedUpMbps"] * 1428 / 1514 for s in one["subflows"])


def test_limits_stay_by_announcements_when_rest_is_gone(testbed):
    agents = Agents(testbed)
    testbed.onos.configure(announceSeconds=1, mostSubflows=SUBFLOWS)
    agents.start()
    client = testbed.network.clients[0]
    try:
        with transfer(testbed) as running:
            begun = established(testbed, SUBFLOWS)

            def as_expected() -> bool:
                found, wanted = pacing(testbed), expected(data_connection(testbed))
                if len(found) != len(wanted) or any(abs(rate - due) > 0.1 for rate, due in zip(found, wanted)):
                    raise LabError(f"{found} Mbit/s instead of {wanted}; {lines(agents, client, '')[-2:]}")
                return True
            wait_for("limits by REST", as_expected, TIMEOUT)
            agents.set_link(client, up=False)
            wait_for("the agent says what it goes by",
                     lambda: bool(lines(agents, client, "as segments announce them")), 40)
            wait_for("limits by announcements", as_expected, TIMEOUT)
            flows(testbed)
            # Without announcements they expire.
            testbed.onos.configure(announceSeconds=0)
            wait_for("no limits", lambda: not pacing(testbed), 60)
            flows(testbed)
            agents.set_link(client, up=True)
            wait_for("limits by REST again", as_expected, 60)
            assert data_connection(testbed)["id"] == begun["id"]
            running.finish()
    finally:
        testbed.onos.configure(announceSeconds=0)
        agents.leave()
        quiet(testbed)
