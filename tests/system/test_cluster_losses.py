# SPDX-License-Identifier: Apache-2.0
"""A cluster of three ONOS nodes that loses nodes, one after the other, while a transfer runs."""

import contextlib
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import nodes
from conftest import assert_disjoint
from life import flows, paths
from mptcplab import demo, topology
from mptcplab.agents import Agents
from mptcplab.build import oar
from mptcplab.errors import LabError
from mptcplab.netcfg import device_id
from mptcplab.onos import APPLICATION, Onos
from mptcplab.processes import wait_for
from mptcplab.rest import Json
from mptcplab.settings import progress
from mptcplab.testbed import Testbed
from stream import Stream

pytestmark = pytest.mark.long

_MOST_STALL_SECONDS = 10
"""Generous: what a transfer's stall is worth is told by ``./lab demo --kill`` on a quiet machine."""

_MOST_RESTART_SECONDS = 60
"""When all nodes restart, ONOS removes the rules that it does not know any more, before the application gives them back."""

_STORAGE_DOWN_SECONDS = 6


@pytest.fixture(scope="module")
def cluster_testbed() -> Iterator[Testbed]:
    with Testbed(topology.load("diamond"), nodes=3) as running:
        demo.configure(running.onos, strategy="widest-disjoint")
        yield running


@pytest.fixture
def testbed(cluster_testbed: Testbed) -> Iterator[Testbed]:
    """All nodes run and are masters by turns, and no connection of an earlier test is left."""
    cluster = nodes.cluster_of(cluster_testbed)
    cluster.restart()
    cluster_testbed.onos = cluster.nodes[0]
    cluster.spread_mastership([device_id(switch) for switch in cluster_testbed.network.topology.switches])
    wait_for("no connection", lambda: all(not nodes.active(node) for node in cluster.nodes), 120, every=0.5)
    nodes.wait_until_ready(cluster_testbed)
    yield cluster_testbed
    for link in cluster_testbed.network.topology.links:
        cluster_testbed.network.set_link(link.a, link.b, up=True)


@pytest.fixture
def running(testbed: Testbed) -> Iterator[Stream]:
    with sending(testbed) as stream:
        yield stream


def begun(testbed: Testbed) -> Json:
    return wait_for("three paths and their shares", lambda: nodes.data(testbed), 60)


class Loss:
    """Tells how long a loss was felt."""

    def __init__(self, what: str) -> None:
        self._what, self._began = what, 0.0

    def begins(self) -> None:
        self._began = time.monotonic()

    def over(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began

    def tell(self, right: float, stall: float) -> None:
        progress(f"{self._what}: the transfer stood for {stall:.1f} s at most; "
                 f"paths, shares and reservations right after {right:.1f} s")


@pytest.fixture
def loss(request: pytest.FixtureRequest) -> Loss:
    return Loss(request.node.name)


def goes_on(testbed: Testbed, stream: Stream, before: Json, loss: Loss, moved: bool = False,
            stall: float = _MOST_STALL_SECONDS) -> None:
    """The same connection, on the same paths unless ``moved``; nothing installed or booked twice, nothing left over."""
    now = nodes.wait_until_right(testbed, before)
    assert moved or nodes.routes(now) == nodes.routes(before)
    assert_disjoint(paths(now))
    nodes.wait_until_all_agree(testbed)
    right = loss.over()
    flows(testbed)
    stream.finish()
    loss.tell(right, stream.arrived["longestStall"])
    assert stream.arrived["longestStall"] <= stall
    nodes.wait_until_nothing_is_left(testbed)


def test_the_leader_is_killed(testbed: Testbed, running: Stream, loss: Loss) -> None:
    the_next_leader_goes_on(testbed, running, loss)


def the_next_leader_goes_on(testbed: Testbed, running: Stream, loss: Loss) -> None:
    """Kills the leader."""
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    killed = cluster.leader()
    loss.begins()
    cluster.kill(killed)
    testbed.onos = cluster.alive()[0]
    nodes.wait_for_leader(testbed, but=[killed])
    goes_on(testbed, running, before, loss)


def test_leader_and_master_are_killed_and_the_third_node_carries_on_alone(testbed: Testbed, running: Stream, loss: Loss) -> None:
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    leader = cluster.leader()
    # Another node's switch, so that two nodes go.
    switch = device_id(testbed.network.topology.pair(0)[0])
    if nodes.ingress_master(testbed) == leader:
        other = next(node.address for node in cluster.alive() if node.address != leader)
        wait_for("another master", lambda: cluster.alive()[0].rest.put("/mastership", {
            "deviceId": switch, "nodeId": other, "role": "MASTER"}) is None and nodes.ingress_master(testbed) == other, 30)
    master = nodes.ingress_master(testbed)
    loss.begins()
    cluster.kill(leader)
    cluster.kill(master)
    testbed.onos = cluster.alive()[0]
    assert nodes.wait_for_leader(testbed, but=[leader, master]) == testbed.onos.address
    goes_on(testbed, running, before, loss)
    # A connection that begins now is seen and gets its paths.
    with sending(testbed, port=5202) as later:
        wait_for("paths of a new connection", lambda: [
            c for c in nodes.active(testbed.onos) if c["subflows"][0]["dst"].endswith(":5202")
            and len(c["subflows"]) == nodes.SUBFLOWS and all(s["path"] for s in c["subflows"])], 60)
        later.finish()


def test_the_leader_is_cut_off_and_comes_back(testbed: Testbed, running: Stream, loss: Loss) -> None:
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    former = cluster.node(cluster.leader())
    others = [node for node in cluster.alive() if node is not former]
    testbed.onos = others[0]
    loss.begins()
    cluster.cut_off(former.address)
    try:
        def never_two() -> bool:
            # The former one first: whoever answers "I" after it has said so may have begun meanwhile, not the other way round.
            acting = [node.address for node in (*others, former) if nodes.told(node)["leader"] == node.address]
            assert len(acting) <= 1, f"two nodes decide: {acting}"
            return bool(acting) and acting[0] != former.address
        wait_for("another node that decides", never_two, 60, every=0.05)
        assert nodes.told(former)["leader"] is None
        flows(testbed)
    finally:
        cluster.heal(former.address)
    wait_for("the former leader follows", lambda: nodes.told(former)["leader"] in {node.address for node in others}, 90)
    # For the other nodes its switches were away for a moment.
    goes_on(testbed, running, before, loss, moved=True)


def test_a_link_fails_while_the_leader_is_replaced(testbed: Testbed, running: Stream, loss: Loss) -> None:
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    killed = cluster.leader()
    first, middle = paths(before)[0][:2]
    loss.begins()
    cluster.kill(killed)
    testbed.onos = cluster.alive()[0]
    testbed.network.set_link(first, middle, up=False)
    now = nodes.wait_until_right(testbed, before, paths=nodes.SUBFLOWS - 1)
    assert all(middle not in path for path in paths(now))
    nodes.wait_until_all_agree(testbed)
    flows(testbed)
    testbed.network.set_link(first, middle, up=True)
    goes_on(testbed, running, before, loss, moved=True)


def test_the_storage_node_restarts(testbed: Testbed, running: Stream, loss: Loss) -> None:
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    loss.begins()
    cluster.kill_storage()
    away = time.monotonic()
    wait_for("nobody decides", lambda: all(nodes.told(node)["leader"] is None for node in cluster.alive()), 30)
    state = nodes.told(cluster.alive()[0])
    assert state["state"] == "undecided" and "storage" in state["message"]
    flows(testbed)
    wait_for("some time without storage", lambda: time.monotonic() >= away + _STORAGE_DOWN_SECONDS, 30)
    cluster.start_storage()
    nodes.wait_for_leader(testbed)
    goes_on(testbed, running, before, loss)


def test_all_nodes_restart(testbed: Testbed, running: Stream, loss: Loss) -> None:
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    # What has not been stored for half a second is lost.
    stored = time.monotonic() + 2
    wait_for("the state stored", lambda: time.monotonic() >= stored, 10)
    loss.begins()
    for node in cluster.alive():
        node.crash()
    flows(testbed)
    cluster.restart()
    testbed.onos = cluster.nodes[0]
    nodes.wait_for_leader(testbed)
    goes_on(testbed, running, before, loss, moved=True, stall=_MOST_RESTART_SECONDS)


def test_the_application_is_replaced_while_a_transfer_runs(testbed: Testbed, running: Stream, loss: Loss) -> None:
    """deactivate and reinstall!, as docs/operations.md says, through one node."""
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    loss.begins()
    testbed.onos.deactivate_application()
    wait_for("inactive everywhere", lambda: all(node.application_state() == "INSTALLED" for node in cluster.nodes), 60)
    flows(testbed, megabits=5)
    testbed.onos.rest.delete(f"/applications/{APPLICATION}")
    wait_for("gone everywhere", lambda: all(node.application_state() is None for node in cluster.nodes), 60)
    testbed.onos.install(oar())
    for node in cluster.nodes:
        node.wait_for_application()
    demo.configure(testbed.onos, strategy="widest-disjoint")
    nodes.wait_for_leader(testbed)
    goes_on(testbed, running, before, loss, moved=True)


def test_agents_go_to_the_next_leader(testbed: Testbed, running: Stream, loss: Loss) -> None:
    cluster = nodes.cluster_of(testbed)
    agents = Agents(testbed)
    agents.start()
    try:
        before = begun(testbed)
        wait_for("the agent's word about the connection", lambda: nodes.data(testbed)["agent"], 30)
        killed = cluster.leader()
        loss.begins()
        cluster.kill(killed)
        testbed.onos = cluster.alive()[0]
        nodes.wait_for_leader(testbed, but=[killed])
        agents.wait_until_heard([testbed.network.clients[0], testbed.network.servers[0]])
        wait_for("the agent's word at the next leader", lambda: nodes.data(testbed)["agent"], 30)
        goes_on(testbed, running, before, loss)
    finally:
        agents.leave()


def test_a_node_comes_back_with_old_files(testbed: Testbed, running: Stream, loss: Loss) -> None:
    """It knows a connection that is over, and not the one that runs, nor a setting that was changed."""
    begun(testbed)
    cluster = nodes.cluster_of(testbed)
    killed = cluster.leader()
    cluster.kill(killed)
    testbed.onos = cluster.alive()[0]
    nodes.wait_for_leader(testbed, but=[killed])
    nodes.wait_until_ready(testbed)
    running.finish()
    wait_for("the first connection's end", lambda: not nodes.active(testbed.onos), 120, every=0.5)
    old = testbed.onos.settings()["retentionSeconds"]
    testbed.onos.configure(retentionSeconds=old + 1)
    with sending(testbed) as later:
        before = begun(testbed)
        loss.begins()
        cluster.restart()
        wait_for("the setting at the node that is back",
                 lambda: cluster.node(killed).settings()["retentionSeconds"] == old + 1, 30)
        testbed.onos.configure(retentionSeconds=old)
        goes_on(testbed, later, before, loss, moved=True)


@pytest.mark.xfail(reason="in three of four runs the next leader had no active connection within 45 s; the cause is not found "
                   "(docs/cluster.md, Limits)", strict=False)
def test_clocks_a_minute_apart(testbed: Testbed, loss: Loss) -> None:
    cluster = nodes.cluster_of(testbed)
    ahead, _, behind = cluster.nodes
    set_clocks(testbed, {ahead: 30, behind: -30})
    try:
        with sending(testbed) as running:
            the_next_leader_goes_on(testbed, running, loss)
        cluster.restart()
    finally:
        set_clocks(testbed, {ahead: 0, behind: 0})


def set_clocks(testbed: Testbed, seconds: Mapping[Onos, int]) -> None:
    """Starts these nodes again, so many seconds ahead."""
    cluster = nodes.cluster_of(testbed)
    for node, some in seconds.items():
        node.clock_seconds = some
        if node.runs():
            node.crash()
        # What libfaketime removes at the end of a program that is not killed.
        for left in Path("/dev/shm").glob(f"*faketime_*_{node.pid()}"):
            left.unlink()
    cluster.restart()
    for node in seconds:
        behind = time.time() + node.clock_seconds - node.rest.get("/mptcp/settings")["millis"] / 1000
        assert abs(behind) < 20, f"{node.address} is {behind:.0f} s behind its clock"
    testbed.onos = cluster.nodes[0]
    cluster.spread_mastership([device_id(switch) for switch in testbed.network.topology.switches])
    nodes.wait_until_ready(testbed)


@contextlib.contextmanager
def sending(testbed: Testbed, port: int = 5201) -> Iterator[Stream]:
    server = testbed.network.servers[0]
    stream = Stream(testbed.network.clients[0], server, testbed.network.addresses(server)[0], port)
    try:
        yield stream
    finally:
        stream.stop()


def test_every_node_tells_the_same_and_answers_questions(testbed: Testbed, running: Stream) -> None:
    begun(testbed)
    cluster = nodes.cluster_of(testbed)
    hosts = {ip: host["id"] for host in testbed.onos.rest.get("/hosts")["hosts"] for ip in host["ipAddresses"]}
    ends = [hosts[testbed.network.addresses(host)[0]] for host in (testbed.network.clients[0], testbed.network.servers[0])]
    answers = []
    for node in cluster.nodes:
        question = {"client": ends[0], "server": ends[1], "k": 2, "strategies": ["shortest", "no-such"]}
        answer = node.rest.post("/mptcp/whatif", question)["answers"]
        assert answer[0]["error"] is None and "no-such" in answer[1]["error"], answer
        answers.append([s["path"] for s in answer[0]["subflows"]])
        assert node.rest.get("/mptcp/plan/background")["moves"] == []
        wait_for(f"events at {node.address}", lambda node=node: events(node), 10)  # type: ignore[misc]
    assert answers[1:] == answers[:-1]
    running.finish()


def events(node: object) -> bool:
    """Whether the connection's events are known at a node."""
    for connection in nodes.active(node):  # type: ignore[arg-type]
        kinds = {e["type"] for e in node.rest.get(f"/mptcp/connections/{connection['id']}/events")["events"]}  # type: ignore[attr-defined]
        if not kinds:
            raise LabError("no events")
    return True
