# SPDX-License-Identifier: Apache-2.0
"""A connection that an operator adds before it starts: it has rules and reservations, and its handshake makes it that one."""

import contextlib

import pytest

from conftest import connections, quiet, reserved
from mptcplab.errors import LabError
from mptcplab.hosts import listens
from mptcplab.processes import end_group, wait_for
from mptcplab.rest import Json
from mptcplab.testbed import Testbed
from programs import MPTCP
from test_soak import started

PORT = 5460
OWN_PORT = 15460
"""Below those that the kernel chooses."""
TIMEOUT = 20


def add(testbed: Testbed) -> Json:
    network = testbed.network
    ends = {"src": f"{network.addresses(network.clients[0])[0]}:{OWN_PORT}",
            "dst": f"{network.addresses(network.servers[0])[0]}:{PORT}"}
    return testbed.onos.rest.post("/mptcp/connections", {"subflows": [ends], "seconds": 120})


def test_a_connection_that_was_added_is_that_one_when_it_starts(session_testbed):
    testbed = session_testbed
    quiet(testbed)
    rest, network = testbed.onos.rest, testbed.network
    added = add(testbed)
    where = f"/mptcp/connections/{added['id']}"

    def give_up() -> None:
        # Once it has started, its hosts end it.
        with contextlib.suppress(LabError):
            rest.delete(where)
    with contextlib.ExitStack() as after:
        after.callback(give_up)
        wait_for("its rules", lambda: rest.get(where)["state"] == "active", TIMEOUT)
        wait_for("its reservations", lambda: reserved(testbed), TIMEOUT)
        with pytest.raises(LabError, match="409.*is a subflow of connection"):
            add(testbed)
        after.callback(end_group, started(network.servers[0], "sink", MPTCP, PORT))
        # Without a listener the server's RST would be its end.
        wait_for("the server", lambda: listens(network.servers[0], PORT), TIMEOUT)
        client = started(network.clients[0], "stream", MPTCP, network.addresses(network.servers[0])[0], PORT, OWN_PORT)
        after.callback(end_group, client)
        begun = wait_for("its handshake", lambda: next((one for one in [rest.get(where)] if one["serverToken"]), None), TIMEOUT)
        assert begun["awaitedUntilMillis"] is None and begun["subflows"][0]["join"] is False
        assert [one["id"] for one in connections(testbed) if one["subflows"][0]["dst"].endswith(f":{PORT}")] == [added["id"]]
        with pytest.raises(LabError, match="409.*has started"):
            rest.delete(where)


def test_one_that_does_not_start_is_removed(session_testbed):
    testbed = session_testbed
    quiet(testbed)
    added = add(testbed)
    assert added["awaitedUntilMillis"] > added["createdMillis"]
    testbed.onos.shell(f"mptcp-connection-remove {added['id']}")
    assert added["id"] not in [one["id"] for one in connections(testbed)]
    with pytest.raises(LabError, match="No MPTCP connection has the id"):
        testbed.onos.shell(f"mptcp-connection-remove {added['id']}")
    quiet(testbed)
