# SPDX-License-Identifier: Apache-2.0
"""The agent as path manager of a real kernel: two hosts with one wire and one address each, and a controller that only the test
speaks for. No switches, no ONOS."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mptcpagent import subflow
from mptcpagent.errors import AgentError
from mptcpagent.netlink import SOCK_DIAG, Netlink
from mptcpagent.pathmanager import NotYet, PathManager, What
from mptcpagent.sockets import read
from mptcplab.errors import LabError
from mptcplab.login import write_private
from mptcplab.processes import wait_for
from mptcplab.settings import ISOLATED
from stream import Stream
from two_hosts import CLIENT, SERVER, Namespace, entered, two_hosts

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "mininet" / "tests"))
from fake_controller import TOKEN, FakeController

PORT, IPPROTO_MPTCP = 5201, 262
SOURCE = 61_000
OTHER = "10.7.0.3"
"""Another address of the server."""


@pytest.fixture(scope="module")
def hosts() -> Iterator[tuple[Namespace, Namespace]]:
    with two_hosts() as pair:
        yield pair


@pytest.fixture
def client(hosts) -> Namespace:
    return hosts[0]


def ends(port: int) -> subflow.Ends:
    return subflow.parse(f"{CLIENT}:{port}", f"{SERVER}:{PORT}")


def present(client: Namespace, *sources: int) -> bool:
    """Whether the client's subflows are the initial one and those from these ports."""
    found = {local.rpartition(":")[2] for local, _ in client.subflows(PORT)}
    if len(found) != 1 + len(sources) or not {str(port) for port in sources} <= found:
        raise LabError(f"from {sorted(found)}; {' '.join(client.run(['nstat', '-as', 'MPTcpExt*']).split()[1:])}")
    return True


@pytest.fixture
def manager(client) -> Iterator[PathManager]:
    yield from taken(client)


@pytest.fixture
def server_manager(hosts) -> Iterator[PathManager]:
    yield from taken(hosts[1])


def taken(host: Namespace) -> Iterator[PathManager]:
    with entered(host.pid):
        made = PathManager()
        made.take()
    yield made
    with entered(host.pid):
        made.release()


def created_when_ready(manager: PathManager, token: int, port: int) -> bool:
    """Whether it is: the other host must have acknowledged something first."""
    try:
        manager.create(token, ends(port), backup=False)
    except NotYet:
        return False
    return True


def test_subflows_come_and_go_between_one_pair_of_addresses(hosts, client, manager):
    assert client.setting("pm_type") == "1"
    stream = Stream(*hosts, SERVER, PORT)
    try:
        events = list(manager.events())
        created = next(event for event in events if event.what == What.CREATED)
        assert not created.server and subflow.addresses(created.ends) == (CLIENT, SERVER)
        for port in (SOURCE, SOURCE + 1):
            wait_for("the connection", lambda port=port: created_when_ready(manager, created.token, port), 5)
        wait_for("two more subflows", lambda: present(client, SOURCE, SOURCE + 1), 10)
        joined = {event.ends for event in manager.events() if event.what == What.SUB_ESTABLISHED}
        assert joined == {ends(SOURCE), ends(SOURCE + 1)}
        with entered(client.pid):
            diag = Netlink(SOCK_DIAG)
        assert {(one.token, one.opened) for one in read(diag)} == {(created.token, True)}
        with entered(hosts[1].pid):
            diag = Netlink(SOCK_DIAG)
        assert {one.opened for one in read(diag)} == {False}
        manager.set_backup(created.token, ends(SOURCE), backup=True)
        manager.destroy(created.token, ends(SOURCE + 1))
        wait_for("one of them gone", lambda: present(client, SOURCE), 10)
        for host, side in zip(hosts, ("dport", "sport")):
            wait_for("nobody that waits for its end", lambda host=host, side=side: f":{SOURCE + 1} " not in host.run(
                ["ss", "-tanHO", "state", "all", f"( {side} = :{PORT} )"]) + " ", 5)
        assert What.SUB_CLOSED in {event.what for event in manager.events()}
        # Its port is free again, its address identifier may not be.
        manager.create(created.token, ends(SOURCE + 2), backup=True)
        wait_for("another one", lambda: present(client, SOURCE, SOURCE + 2), 10)
        with pytest.raises(AgentError):
            manager.create(created.token, ends(SOURCE), backup=False)
        with pytest.raises(AgentError):
            manager.create(created.token + 1, ends(SOURCE + 3), backup=False)
        stream.finish()
    finally:
        stream.stop()


@pytest.fixture
def agent(client, tmp_path) -> Iterator[tuple[subprocess.Popen[bytes], FakeController, Path]]:
    token, said = tmp_path / "token", tmp_path / "said"
    write_private(token, TOKEN)
    with entered(client.pid):
        controller = FakeController()
    with controller, said.open("wb") as out:
        controller.more = {"pathManager": "user"}
        process = subprocess.Popen(
            client.inside([sys.executable, *ISOLATED, "mptcpagent", "--controller", controller.url, "--host", CLIENT,
                           "--token-file", str(token), "--backend", "none"]), stderr=out)
        wait_for("the agent as path manager", lambda: client.setting("pm_type") == "1", 20)
        yield process, controller, said
        process.kill()
        process.wait()
        wait_for("the kernel's path manager", lambda: client.setting("pm_type") == "0", 5)


def wishes(client: Namespace, add: tuple[int, ...] = (), drop: tuple[int, ...] = ()) -> dict:
    """What the controller says of the client's one connection."""
    first = next((local, remote) for local, remote in client.subflows(PORT) if int(local.rpartition(":")[2]) < SOURCE)

    def named(ports: tuple[int, ...]) -> list[dict]:
        return [{"local": f"{CLIENT}:{port}", "remote": f"{SERVER}:{PORT}"} for port in ports]
    return {"id": "33a99110", "first": dict(zip(("local", "remote"), first)), "subflows": [], "backups": [], "add": named(add),
            "drop": named(drop)}


def test_the_agent_opens_and_closes_what_the_controller_names(hosts, client, agent):
    _, controller, said = agent
    stream = Stream(*hosts, SERVER, PORT)
    try:
        controller.answer([wishes(client, add=(SOURCE + 10, SOURCE + 11))])
        # A kernel may lose a first attempt; the agent tries again within some seconds.
        wait_for("two more subflows", lambda: present(client, SOURCE + 10, SOURCE + 11), 10)
        wait_for("a report that says so", lambda: controller.reports[-1]["pathManager"] == "user" and [
            len(one["subflows"]) for one in controller.reports[-1]["connections"] if one["addable"]] == [3], 10)
        controller.answer([wishes(client, drop=(SOURCE + 10,))])
        wait_for("one of them gone", lambda: present(client, SOURCE + 11), 10)
        stream.finish()
        assert "no subflow" not in said.read_text()
    finally:
        stream.stop()


def test_a_subflow_to_an_address_waits_until_the_server_has_announced_it(hosts, client, server_manager, agent):
    _, controller, said = agent
    server = hosts[1]
    server.run(["ip", "address", "add", f"{OTHER}/24", "dev", "wire"])
    with entered(server.pid):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, IPPROTO_MPTCP)
    listening.bind((OTHER, PORT))
    listening.listen()
    stream = Stream(*hosts, SERVER, PORT)
    try:
        port = SOURCE + 50
        wish = wishes(client)
        controller.answer([{**wish, "add": [{"local": f"{CLIENT}:{port}", "remote": f"{OTHER}:{PORT}"}]}])
        wait_for("a line", lambda: "has not announced" in said.read_text(), 15)
        assert present(client)
        created = next(event for event in server_manager.events() if event.what == What.CREATED)
        assert created.server
        with entered(server.pid), pytest.raises(AgentError, match="10.7.0.9"):
            server_manager.announce(created.token, subflow.parse("10.7.0.9:1", "10.7.0.1:1")[:16])
        with entered(server.pid):
            server_manager.announce(created.token, subflow.parse(f"{OTHER}:1", f"{CLIENT}:1")[:16])
        wait_for("a subflow to it", lambda: present(client, port), 20)
        stream.finish()
    finally:
        stream.stop()
        listening.close()
        server.run(["ip", "address", "del", f"{OTHER}/24", "dev", "wire"])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_kernels_path_manager_is_back_when_the_agent_has_gone(hosts, client, agent, number):
    process, controller, _ = agent
    stream = Stream(*hosts, SERVER, PORT)
    try:
        controller.answer([wishes(client, add=(SOURCE + 20 + number,))])
        wait_for("a subflow more", lambda: present(client, SOURCE + 20 + number), 10)
        process.send_signal(number)
        process.wait()
        wait_for("the kernel's path manager", lambda: client.setting("pm_type") == "0", 5)
        assert present(client, SOURCE + 20 + number), "the subflows stay"
        stream.finish()
    finally:
        stream.stop()


def test_a_connection_that_the_kernel_manages_is_left_alone(hosts, client, tmp_path, request):
    stream = Stream(*hosts, SERVER, PORT)
    try:
        _, controller, said = request.getfixturevalue("agent")
        controller.answer([wishes(client, add=(SOURCE + 30,))])
        wait_for("a report of it", lambda: [one["addable"] for one in controller.reports[-1]["connections"]] == [False], 10)
        stream.finish()
        assert "subflow" not in said.read_text().replace("subflows", "")
    finally:
        stream.stop()
