# SPDX-License-Identifier: Apache-2.0
"""Six connections on ``os3e`` with host agents (long): each gets what is due. Needs ``--topology os3e --pairs 4``.

One process switches for all 34 switches and needs a whole core for that. The testbed has the kernel prefer it.
"""

import os
import time

import pytest

from conftest import quiet, tell
from mptcplab import demo
from mptcplab.agents import Agents
from mptcplab.processes import wait_for
from mptcplab.rest import Json
from mptcplab.testbed import Testbed
from mptcplab.transfer import IPERF_PORT, Transfer

pytestmark = [pytest.mark.long, pytest.mark.timed]

CONNECTIONS, SUBFLOWS, SECONDS = 6, 3, 40
PAYLOAD = 1428 / 1514
"""Of a full frame."""

LEAST, EACH = 0.95, 0.05
"""Of what is due to all together, as payload; and how far each may be from its own."""


def test_six_connections_get_what_is_due(session_testbed: Testbed, capsys: pytest.CaptureFixture[str]) -> None:
    testbed, network = session_testbed, session_testbed.network
    if network.topology.name != "os3e" or len(network.clients) < 4:
        pytest.skip("needs --topology os3e --pairs 4")
    demo.configure(testbed.onos, subflows=SUBFLOWS)
    testbed.onos.configure(mostSubflows=SUBFLOWS)
    Agents(testbed).start()
    quiet(testbed)
    transfers: list[Transfer] = []
    try:
        for index in range(CONNECTIONS):
            turn, pair = divmod(index, len(network.clients))
            transfers.append(testbed.transfer(network.clients[pair], network.servers[pair], SECONDS, IPERF_PORT + turn))
        # The first one ends first, and leaves its share to the others.
        half, end = transfers[0].started + SECONDS / 2, transfers[0].started + SECONDS - 3
        wait_for("the second half", lambda: time.monotonic() > half, SECONDS)
        before = processor_time()
        wait_for("the end of it", lambda: time.monotonic() > end, SECONDS)
        idle, total = (now - then for now, then in zip(processor_time(), before))
        known = testbed.onos.rest.get("/mptcp/connections")["connections"]
        for transfer in transfers:
            transfer.finish()
    finally:
        for transfer in transfers:
            transfer.stop()
    due = [PAYLOAD * expected(testbed, transfer, known) for transfer in transfers]
    carried = [between(half, end, transfer) for transfer in transfers]
    parts = [has / should for has, should in zip(carried, due)]
    tell(capsys, f"{sum(carried):.1f} of {sum(due):.1f} Mbit/s of payload ({sum(carried) / sum(due):.3f}); each "
                 f"{', '.join(f'{part:.3f}' for part in parts)} of its own; {100 * idle / total:.0f} % of the processors idle")
    assert sum(carried) >= LEAST * sum(due)
    assert all(abs(part - 1) <= EACH for part in parts), parts


def expected(testbed: Testbed, transfer: Transfer, known: list[Json]) -> float:
    """What the controller expects a transfer to get, Mbit/s on the wire."""
    address = testbed.network.addresses(transfer.client)[0]
    sources = {f"{address}:{port}" for port in transfer.local_ports()}
    return max(one["expectedUpMbps"] for one in known if one["subflows"][0]["src"] in sources)


def between(begin: float, end: float, transfer: Transfer) -> float:
    """What arrived between two times of ``time.monotonic``, by whole intervals; Mbit/s of payload."""
    counted = [one for one in (each["sum"] for each in transfer.intervals())
               if begin <= transfer.started + one["start"] and transfer.started + one["end"] <= end]
    return sum(one["bytes"] for one in counted) * 8e-6 / sum(one["seconds"] for one in counted)


def processor_time() -> tuple[float, float]:
    """Of all processors since the machine started, seconds: idle, and all."""
    with open("/proc/stat", encoding="ascii") as table:
        spent = [int(number) / os.sysconf("SC_CLK_TCK") for number in table.readline().split()[1:9]]
    return spent[3] + spent[4], sum(spent)
