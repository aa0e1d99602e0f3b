# SPDX-License-Identifier: Apache-2.0
"""The main job where the embedded ONOS does as a stock one does, and what ONOS logs of an application that comes and goes."""

import time

import pytest

from conftest import assert_disjoint
from life import SUBFLOWS, TIMEOUT, data_connection, deactivate, established, transfer
from mptcplab import demo
from mptcplab.build import oar
from mptcplab.onos import APPLICATION
from mptcplab.processes import wait_for

SECONDS = 10
MEASURED_SECONDS = 8
STOCK = {"copyTcpFlags": "false", "flowPollFrequency": "5", "portStatsPollFrequency": "5", "probeRate": "3000",
         "packetAfterRule": "false", "addressesFromIp": "false", "requestIpv6ND": "false", "flowTimeout": "10",
         "flowPriority": "10"}
"""As ONOS 2.7.0 has them, where it has them; the others say what it does."""


@pytest.fixture(autouse=True)
def stock_like(testbed):
    assert testbed.stock_like, "these tests are run by `./lab test stock-like`"


def test_the_settings_are_those_of_a_stock_onos(testbed):
    found = {name: value for properties in testbed.onos.rest.get("/configuration").values() for name, value in properties.items()}
    assert {name: found[name] for name in STOCK} == STOCK
    assert testbed.onos.counters()["switches.copying"] == 0


def test_a_transfer_has_three_disjoint_paths(testbed):
    result, problems = demo.demonstrate(testbed, SECONDS, SUBFLOWS)
    assert not problems
    data = result["connections"][0]
    assert len(data["subflows"]) == SUBFLOWS
    assert_disjoint([s["path"] for s in data["subflows"]])


@pytest.mark.timed
def test_a_transfer_has_rates_soon_though_counters_are_read_every_five_seconds(testbed):
    begun = time.monotonic()
    with transfer(testbed):
        established(testbed, SUBFLOWS)
        wait_for("rates of all subflows", lambda: all(s["measuredUpMbps"] for s in data_connection(testbed)["subflows"]), TIMEOUT,
                 every=0.1)
        assert time.monotonic() - begun < MEASURED_SECONDS


def test_the_log_says_of_a_new_installation_what_concerns_the_user_and_no_more(testbed):
    deactivate(testbed)
    before = len(testbed.onos.log())
    testbed.onos.rest.delete(f"/applications/{APPLICATION}")
    wait_for("the application gone", lambda: testbed.onos.application_state() is None, TIMEOUT)
    testbed.onos.install(oar())
    demo.configure(testbed.onos, strategy="shortest")
    demo.configure(testbed.onos, strategy="widest-disjoint")
    said = testbed.onos.log()[before:]
    assert "has no features.xml" not in said
    assert "Component not found for" not in said
    # At the start; two changes, the first with the idle time of demonstrations.
    told = [line.split("Settings: ")[1] for line in said.splitlines() if "Settings: strategy" in line]
    assert [line.split(",")[0] for line in told] == ["strategy widest-disjoint", "strategy shortest", "strategy widest-disjoint"]
