# SPDX-License-Identifier: Apache-2.0
"""The page on a cluster of three ONOS nodes, one of which dies."""

import os

import pytest

from mptcplab import demo, namespace, topology
from mptcplab.login import PAGE_USER
from mptcplab.processes import wait_for
from mptcplab.settings import HTTP_PORT
from mptcplab.testbed import Testbed

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def testbed():
    if "MPTCPLAB_RUN_FOLDER" not in os.environ:
        pytest.skip("needs a testbed's namespace: ./lab test long")
    namespace.prepare(leave=lambda status: pytest.exit("told to end", status))
    with Testbed(topology.load("diamond"), nodes=3) as running:
        demo.configure(running.onos, strategy="widest-disjoint")
        yield running


def test_a_page_whose_node_dies_leads_to_another_one(testbed, browser):
    cluster = testbed.cluster
    dies = cluster.leader()
    others = sorted(node.address for node in cluster.nodes if node.address != dies)
    browser.open(f"http://{dies}:{HTTP_PORT}/onos/mptcp/#network",
                 httpCredentials={"username": PAGE_USER, "password": testbed.onos.login.page, "send": "unauthorized"})
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
