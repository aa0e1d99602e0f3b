# SPDX-License-Identifier: Apache-2.0
"""The page on a cluster of three ONOS nodes, one of which dies."""

import pytest

from live import show, started
from mptcplab.processes import wait_for

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def testbed():
    with started("./lab test long", nodes=3) as running:
        yield running


def test_a_page_whose_node_dies_leads_to_another_one(testbed, browser):
    cluster = testbed.cluster
    dies = cluster.leader()
    others = sorted(node.address for node in cluster.nodes if node.address != dies)
    show(testbed, browser, "#network", address=dies)
    browser.wait(".contact.up")
    wait_for("the other nodes in REST", lambda: sorted(cluster.node(dies).rest.get("/mptcp/cluster")["others"]) == others, 30)
    # The page asks every three seconds.
    browser.until("() => performance.getEntriesByType('resource').some(one => one.name.endsWith('/cluster'))")
    cluster.kill(dies)
    browser.wait(".elsewhere", seconds=60)
    assert sorted(browser.texts(".elsewhere")) == others
    browser.screenshot("cluster-gone")
    browser.click(".elsewhere")
    browser.until("node => location.hostname === node && location.hash === '#network'", others[0], seconds=30)
    browser.wait(".contact.up", seconds=60)
    browser.screenshot("cluster-elsewhere")
