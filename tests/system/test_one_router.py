# SPDX-License-Identifier: Apache-2.0
"""Many clients behind one router: one MAC address at one port, and addresses that no host of the fabric has."""

import subprocess
import sys

from conftest import active, counters, managed_at_once, quiet, unclosed
from crossing import attached, listening, make_router
from life import TIMEOUT, paths
from mptcplab.processes import wait_for

CLIENTS = 24
"""More than the addresses that the embedded ONOS learns of a host from IP packets (16)."""

PORT = 5800
SUBNET = "203.0.113"
ROUTER = "10.0.9.9"

_CLIENTS = f"""
import signal, socket, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
connections = []
for number in range(1, {CLIENTS} + 1):
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
    connection.bind((f"{SUBNET}.{{number}}", 0))
    connection.settimeout({TIMEOUT})
    connection.connect((sys.argv[1], {PORT}))
    connections.append(connection)
while True:
    for connection in connections:
        connection.sendall(b"x")
        connection.recv(1)
"""
"""One after the other; each says a little for as long as the program runs."""


def test_all_clients_behind_a_router_have_paths_from_its_port(testbed, delivery):
    server = testbed.network.servers[0]
    address, before = testbed.network.addresses(server)[0], counters(testbed)
    with attached("s1", "r2", "02:00:00:00:09:09", ROUTER) as router, managed_at_once(testbed), listening(server, PORT):
        make_router(router, "sysctl -qw net.mptcp.enabled=1", "ip link set lo up",
                    *(f"ip address add {SUBNET}.{number}/32 dev lo" for number in range(1, CLIENTS + 1)))
        out, err, status = server.pexec(["ip", "route", "replace", f"{SUBNET}.0/24", "via", ROUTER])
        assert not status, (out, err)
        clients = router.popen([sys.executable, "-c", _CLIENTS, address], stdin=subprocess.DEVNULL)
        try:
            def managed() -> set[str]:
                return {one["client"] for one in active(testbed) if [(path[:1], path[-1:]) for path in paths(one)] == [
                    (["s1"], ["s5"])]}
            wanted = {f"{SUBNET}.{number}" for number in range(1, CLIENTS + 1)}
            wait_for("a path for each", lambda: managed() == wanted, TIMEOUT)
            assert clients.poll() is None
        finally:
            clients.terminate()
            clients.wait(TIMEOUT)
            wait_for("the end of the connections", lambda: not unclosed(router), TIMEOUT)
            # Connections whose host is gone would end much later.
            quiet(testbed)
            server.pexec(["ip", "route", "del", f"{SUBNET}.0/24"])
    after = counters(testbed)
    assert after["established.capable-v1"] - before["established.capable-v1"] == CLIENTS
