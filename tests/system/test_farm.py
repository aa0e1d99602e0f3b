# SPDX-License-Identifier: Apache-2.0
"""A farm of switches that do not forward, beside an ONOS of its own: what ``./lab bench controller`` stands on."""

from collections.abc import Iterator

import pytest

from mptcplab import controllerload, farm, kernel
from mptcplab.processes import wait_for
from mptcplab.rest import Json
from mptcplab.testbed import Controller

CONNECTIONS, SUBFLOWS = 20, 2
BYTES_PER_SECOND = 12_500


@pytest.fixture(scope="module")
def beside() -> Iterator[tuple[Controller, farm.Farm]]:
    """An ONOS that sees 20 switches, and connections that get paths at once."""
    kernel.require_mptcp()
    with Controller() as controller, farm.Farm(20, SUBFLOWS, BYTES_PER_SECOND, 5, controller.folder / "farm.out") as switches:
        controllerload.join(controller.onos, switches)
        controller.onos.configure(manageAfterMillis=0)
        yield controller, switches


def test_connections_of_a_farm_get_disjoint_paths_and_leave_a_failed_link(beside: tuple[Controller, farm.Farm]) -> None:
    controller, switches = beside
    switches.ask(f"open {CONNECTIONS} 100")
    wait_for("rules for all subflows", lambda: switches.state()["ruled"] == CONNECTIONS * SUBFLOWS, 30)
    times = switches.ask("setups")
    assert times["count"] == CONNECTIONS * SUBFLOWS and 0 < times["p50Millis"] <= times["worstMillis"]

    def active() -> list[Json]:
        return [one for one in controller.onos.rest.get("/mptcp/connections")["connections"] if one["state"] == "active"]
    wait_for("all connections active", lambda: len(active()) == CONNECTIONS, 30)
    for connection in active():
        first, second = (subflow["path"] for subflow in connection["subflows"])
        assert len(first) == len(second) == 5 and not set(zip(first, first[1:])) & set(zip(second, second[1:])), connection
    wait_for("counters of the subflows", lambda: all(
        (subflow["measuredUpMbps"] or 0) > 0 for connection in active() for subflow in connection["subflows"]), 30)

    failed = switches.ask("fail 20000", 40)
    assert 0 < failed["affected"] == failed["repaired"] <= failed["directions"] == 2 * CONNECTIONS * SUBFLOWS
    assert 0 < failed["p50Millis"] <= failed["worstMillis"]
    switches.ask("restore")

    switches.ask("close 1000")
    wait_for("no connection", lambda: not active(), 30)
    wait_for("no rule of a subflow", lambda: switches.state()["ruled"] == 0, 5)
