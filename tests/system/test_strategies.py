# SPDX-License-Identifier: Apache-2.0
"""Strategies changed while connections live: by component configuration and by a policy."""

import pytest

from conftest import active
from life import SUBFLOWS, TIMEOUT, transfer
from mptcplab import demo
from mptcplab.errors import LabError
from mptcplab.processes import wait_for

_POLICIES = "/network/configuration/apps/org.subflow.mptcp/mptcp"
_BY_SETTING, _BY_NEW_SETTING, _BY_POLICY = 5201, 5202, 5203
"""Ports of three connections, told apart by what chooses their strategy."""


@pytest.fixture
def policies(testbed):
    """POSTs a list of policies; without any again afterwards."""
    rest = testbed.onos.rest
    yield lambda *these: rest.post(_POLICIES, {"policies": list(these)})
    rest.delete(_POLICIES)


def test_a_strategy_chosen_at_run_time_leaves_living_connections_where_they_are(testbed, policies):
    with transfer(testbed, port=_BY_SETTING):
        first = routed(testbed, _BY_SETTING, "widest-disjoint")
        assert len(set(first.values())) == SUBFLOWS

        demo.configure(testbed.onos, strategy="shortest")
        with transfer(testbed, port=_BY_NEW_SETTING):
            second = routed(testbed, _BY_NEW_SETTING, "shortest")
            assert len(set(second.values())) == 1

            policies({"name": "flow", "ports": [_BY_POLICY], "strategy": "multiflow"})
            with transfer(testbed, port=_BY_POLICY) as last:
                third = routed(testbed, _BY_POLICY, "multiflow")
                assert len(set(third.values())) == SUBFLOWS

                assert routed(testbed, _BY_SETTING, "widest-disjoint") == first
                assert routed(testbed, _BY_NEW_SETTING, "shortest") == second
                last.finish()


def routed(testbed, port, strategy):
    """The paths of the connection to a port of the server by its subflows' source, once all are active; its strategy is
    checked."""
    def look():
        to_port = [c for c in active(testbed) if c["subflows"][0]["dst"].endswith(f":{port}")]
        for connection in to_port:
            assert connection["strategy"] == strategy
            paths = {s["src"]: tuple(s["path"]) for s in connection["subflows"] if s["state"] == "active"}
            if len(paths) == SUBFLOWS:
                return paths
        raise LabError(str([(s["src"], s["state"]) for c in to_port for s in c["subflows"]]))
    return wait_for(f"a connection to port {port} with {SUBFLOWS} subflows", look, TIMEOUT)
