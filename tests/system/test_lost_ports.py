# SPDX-License-Identifier: Apache-2.0
"""A port that is removed while bandwidth is reserved there: ONOS's books of resources are right afterwards."""

import re

import pytest

from conftest import tell
from life import SUBFLOWS, TIMEOUT, all_active, assert_reservations_follow, data_connection, established, flows, paths, transfer
from mptcplab.netcfg import device_id
from mptcplab.processes import run, wait_for
from mptcplab.testbed import Testbed
from sharing import allocated

ROUNDS = 10
WARNING = "allocation exists"
"""ONOS's, where it could not take a port out of its books because bandwidth was reserved there."""


def lose_and_return(testbed: Testbed) -> int:
    """Removes a port of a path and adds it again, and waits until the books say so; returns how often ONOS warned."""
    network = testbed.network
    here, there = paths(data_connection(testbed))[0][:2]
    port, interface = network.port(here, there), network.interface(here, there)
    wait_for("bandwidth reserved at the port", lambda: allocated(testbed).get((device_id(here), str(port)), 0) > 0, TIMEOUT)
    before = entered(testbed, here)
    assert port in before
    warned = warnings(testbed)
    run(["ovs-vsctl", "del-port", here, interface], "removing a port")
    try:
        wait_for("the port out of ONOS's books", lambda: entered(testbed, here) == before - {port}, TIMEOUT)
        assert (device_id(here), str(port)) not in allocated(testbed)
        flows(testbed)
    finally:
        run(["ovs-vsctl", "add-port", here, interface, "--", "set", "interface", interface, f"ofport_request={port}"],
            "adding the port again")
        network.limit_rate(here, there)
    wait_for("the port in ONOS's books", lambda: entered(testbed, here) == before, TIMEOUT)
    testbed.wait_for_links()
    wait_for("an active connection", lambda: all_active(testbed), TIMEOUT)
    assert_reservations_follow(testbed)
    return warnings(testbed) - warned


def entered(testbed: Testbed, switch: str) -> set[int]:
    """The ports of a switch that ONOS's resource store knows."""
    return {int(number) for number in re.findall(r"PortNumber: (\d+)", testbed.onos.shell(f"resources {device_id(switch)}"))}


def warnings(testbed: Testbed) -> int:
    """How often ONOS has warned."""
    return testbed.onos.log().count(WARNING)


def test_a_port_that_goes_while_bandwidth_is_reserved_there_leaves_the_books(testbed: Testbed) -> None:
    with transfer(testbed) as running:
        established(testbed, SUBFLOWS)
        lose_and_return(testbed)
        running.finish()


@pytest.mark.long
def test_how_often_onos_warns(testbed: Testbed, capsys: pytest.CaptureFixture[str]) -> None:
    with transfer(testbed) as running:
        established(testbed, SUBFLOWS)
        warned = [lose_and_return(testbed) for _ in range(ROUNDS)]
        running.finish()
    tell(capsys, f"ONOS warned {sum(map(bool, warned))} times of {ROUNDS}, {sum(warned)} lines")
