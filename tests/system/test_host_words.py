# SPDX-License-Identifier: Apache-2.0
"""What kernels say of their subflows beside keys and tokens, and what the controller makes of it (RFC 8684): backups, denied
joins, addresses that come and go, connections that are given up, and those that turn out to be plain TCP."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

from conftest import active, counters
from crossing import listening
from life import SUBFLOWS, TIMEOUT, data_connection, endpoint, established, flows, set_subflows, transfer
from mptcplab.agents import Agents
from mptcplab.hosts import Host
from mptcplab.processes import wait_for
from mptcplab.rest import Json
from mptcplab.testbed import Testbed
from packets import ACK, RST, SYN, Wire, announcement, frame
from pairs import CLIENT, MACS, OPTIONS

PORT = 5600
OTHER_PORT = 5700
SOON = 10
"""Seconds; more than two reports of an agent, and far less than the idle time of a subflow (20 s)."""

_LEFT_UNREAD = f"""
import socket
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
listener.bind(("0.0.0.0", {PORT}))
listener.listen()
print("ready", flush=True)
connection, _ = listener.accept()
input()
connection.close()
"""
"""A server that closes a connection without reading from it: its kernel says MP_FASTCLOSE."""

_SENDER = f"""
import socket, sys
connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
connection.connect((sys.argv[1], {PORT}))
try:
    while True:
        connection.sendall(bytes(1000))
except OSError as failure:
    print(failure)
"""


@pytest.fixture
def agents(testbed: Testbed) -> Iterator[Agents]:
    """Agents that report and leave paths to the kernels."""
    testbed.onos.configure(agentSubflows="off")
    started = Agents(testbed)
    started.start()
    yield started
    started.leave()
    testbed.onos.configure(agentSubflows="all")


@pytest.fixture
def managing(testbed: Testbed) -> Iterator[Agents]:
    """Agents that open subflows where the controller says so."""
    started = Agents(testbed)
    started.start()
    client = testbed.network.clients[0]
    wait_for("an agent that manages paths", lambda: setting(client, "pm_type") == "1", TIMEOUT)
    yield started
    started.leave()


def setting(host: Host, name: str, value: int | None = None) -> str:
    what = f"net.mptcp.{name}" if value is None else f"net.mptcp.{name}={value}"
    out, err, status = host.pexec(["sysctl", "-n", what])
    assert not status, (out, err)
    return out.strip()


def prioritise(client: Host, address: str, priority: str) -> None:
    """Makes the subflows from one of a client's addresses backups (``backup``), or ordinary ones again (``nobackup``)."""
    shown = client.pexec(["ip", "mptcp", "endpoint", "show"])[0].splitlines()
    number = next(line.split(" id ")[1].split()[0] for line in shown if line.startswith(f"{address} "))
    out, err, status = client.pexec(["ip", "mptcp", "endpoint", "change", "id", number, priority])
    assert not status, (out, err)


def by_address(testbed: Testbed) -> dict[str, Json]:
    return {s["src"].rpartition(":")[0]: s for s in data_connection(testbed)["subflows"]}


def further(testbed: Testbed) -> str:
    """An address of the first client from which its kernel opens a further subflow."""
    return testbed.network.clients[0].pexec(["ip", "mptcp", "endpoint", "show"])[0].split()[0]


def test_a_backup_stands_by_with_its_path_and_without_a_share(testbed):
    client, address = testbed.network.clients[0], further(testbed)
    prioritise(client, address, "backup")
    try:
        with transfer(testbed) as running:
            established(testbed, SUBFLOWS)
            there = by_address(testbed)
            assert {one: s["state"] for one, s in there.items() if s["state"] != "active"} == {address: "backup"}
            assert there[address]["backup"] and there[address]["path"] and there[address]["expectedUpMbps"] == 0
            assert all(s["expectedUpMbps"] > 0 for one, s in there.items() if one != address)
            running.finish()
    finally:
        prioritise(client, address, "nobackup")


def test_a_priority_that_changes_in_mid_life_is_an_agents_word(testbed, agents):
    client, address = testbed.network.clients[0], further(testbed)
    with transfer(testbed) as running:
        path = {s["src"].rpartition(":")[0]: s for s in established(testbed, SUBFLOWS)["subflows"]}[address]["path"]
        assert by_address(testbed)[address]["expectedUpMbps"] > 0
        prioritise(client, address, "backup")
        wait_for("a backup without a share", lambda: by_address(testbed)[address]["state"] == "backup"
                 and by_address(testbed)[address]["expectedUpMbps"] == 0, SOON)
        assert by_address(testbed)[address]["path"] == path
        prioritise(client, address, "nobackup")
        wait_for("its share again", lambda: by_address(testbed)[address]["state"] == "active"
                 and by_address(testbed)[address]["expectedUpMbps"] > 0, SOON)
        running.finish()


def test_no_agent_joins_where_the_server_denies_it(testbed, managing):
    server = testbed.network.servers[0]
    setting(server, "allow_join_initial_addr_port", 0)
    try:
        with transfer(testbed) as running:
            wait_for("a managed connection", lambda: bool(active(testbed)), TIMEOUT)
            flows(testbed, 5)
            assert data_connection(testbed)["deniesJoins"]
            assert len(data_connection(testbed)["subflows"]) == 1
            running.finish()
    finally:
        setting(server, "allow_join_initial_addr_port", 1)


def test_a_join_at_a_port_that_the_server_tells_of_has_a_path(testbed):
    """ADD_ADDR with another port than that of the connection. The MP_JOIN is found by its token."""
    client, server = testbed.network.clients[0], testbed.network.servers[0]
    for host, command in ((server, f"endpoint add {testbed.network.addresses(server)[0]} port {OTHER_PORT} signal"),
                          (client, f"limits set subflow {SUBFLOWS} add_addr_accepted 8")):
        out, err, status = host.pexec(["ip", "mptcp", *command.split()])
        assert not status, (out, err)
    try:
        with transfer(testbed) as running:
            wait_for("an active subflow there", lambda: [
                bool(s["path"]) for one in active(testbed) for s in one["subflows"]
                if s["dst"].endswith(f":{OTHER_PORT}") and s["state"] == "active"] == [True], TIMEOUT)
            flows(testbed)
            running.finish()
    finally:
        server.pexec(["ip", "mptcp", "endpoint", "flush"])
        set_subflows(testbed, SUBFLOWS)


def test_an_address_that_goes_gives_its_path_back(testbed):
    """RM_ADDR is in a segment that nobody shows to the controller; the RST of its subflow is."""
    client, address = testbed.network.clients[0], further(testbed)
    try:
        with transfer(testbed) as running:
            established(testbed, SUBFLOWS)
            endpoint(client, "del", address)
            wait_for("no path from it", lambda: not by_address(testbed).get(address, {}).get("path"), SOON)
            # If the subflow had data under way, the end waits for a kernel's timer of up to two minutes.
            running.finish(180)
    finally:
        set_subflows(testbed, SUBFLOWS)


def test_a_connection_that_is_given_up_ends_at_once(testbed):
    """MP_FASTCLOSE comes with an RST of every subflow."""
    client, server = testbed.network.clients[0], testbed.network.servers[0]
    serving = server.popen([sys.executable, "-c", _LEFT_UNREAD], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
    assert serving.stdout and serving.stdout.readline() == b"ready\n"
    sending = client.popen([sys.executable, "-c", _SENDER, testbed.network.addresses(server)[0]], stdin=subprocess.DEVNULL)
    try:
        wait_for("a managed connection", lambda: bool(active(testbed)), TIMEOUT)
        serving.communicate(b"\n", timeout=TIMEOUT)
        sending.wait(TIMEOUT)
        wait_for("nothing left of it", lambda: not active(testbed), SOON)
    finally:
        for program in (serving, sending):
            program.kill()
            program.communicate()


def test_who_says_nothing_of_mptcp_after_the_handshake_is_plain_tcp(testbed):
    """A third ACK without MP_CAPABLE (section 3.7), as behind a middlebox that takes it away, and then data. Where switches
    copy segments, that ACK is not among them."""
    server, before = testbed.network.servers[0], counters(testbed)
    here, there = (CLIENT, PORT), (testbed.network.addresses(server)[0], PORT)
    macs = MACS[0], server.MAC()
    # Nobody answers for a made-up host when the server asks for its MAC address.
    neighbour = ["to", CLIENT, "dev", server.defaultIntf().name]
    server.pexec(["ip", "neigh", "replace", *neighbour, "lladdr", macs[0], "nud", "permanent"])
    with contextlib.ExitStack() as after:
        after.callback(server.pexec, ["ip", "neigh", "del", *neighbour])
        after.enter_context(listening(server, PORT))
        wire = after.enter_context(Wire(testbed.network.clients[0]))

        def says(flags: int, sequence: int, acknowledgement: int = 0, **more: bytes) -> None:
            wire.send(frame(macs, here, there, flags, sequence, acknowledgement, **more))
        wire.send(announcement(MACS[0], CLIENT))
        says(SYN, 1000, options=OPTIONS[0])
        agreed = wire.wait_for(lambda s: s.source == there and s.flags == SYN | ACK)
        assert agreed and b"\x1e\x0c" in agreed.options, "the server agrees to MPTCP"

        def known_as_plain() -> bool:
            says(ACK, 1001, agreed.sequence + 1, payload=b"plain")
            return counters(testbed)["established.fell-back"] > before["established.fell-back"]
        says(ACK, 1001, agreed.sequence + 1)
        wait_for("plain TCP", known_as_plain, TIMEOUT)
        assert wire.wait_for(lambda s: s.source == there and s.payload == b"plain"), "the server echoes"
        assert not active(testbed)
        says(RST, 1006)
