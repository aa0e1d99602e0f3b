# SPDX-License-Identifier: Apache-2.0
"""A cluster of three ONOS nodes that loses nodes, one after the other, while a transfer runs."""

import time
from collections.abc import Iterator

import pytest

import nodes
from conftest import links_of
from life import flows, paths
from losses import PATHS, Loss, begun, events, goes_on, is_right, sending, set_clocks, the_next_leader
from mptcplab import demo, topology
from mptcplab.agents import Agents
from mptcplab.build import oar
from mptcplab.netcfg import device_id
from mptcplab.onos import APPLICATION, Onos
from mptcplab.processes import wait_for
from mptcplab.settings import progress
from mptcplab.testbed import Testbed
from stream import Stream

pytestmark = pytest.mark.long

_MOST_RESTART_SECONDS = 60
"""When all nodes restart, ONOS removes the rules that it does not know any more, before the application gives them back."""

_MOST_LONGER_SECONDS = 120
"""Until all is right where the loss itself lasts: a node or the application is started again, or a link comes back."""

_STORAGE_DOWN_SECONDS = 6

_STORAGE_LATER_SECONDS = 3

_REPEATED_SECONDS = 10
"""What ONOS ignored is asked for again at every second sweep."""

_SAME_SECONDS = 2
"""So long after the leader the other nodes may tell a change."""


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


@pytest.fixture
def loss(request: pytest.FixtureRequest) -> Loss:
    return Loss(request.node.name)


def test_the_leader_is_killed(testbed: Testbed, running: Stream, loss: Loss) -> None:
    the_next_leader_goes_on(testbed, running, loss)


def kill_leader(testbed: Testbed, loss: Loss) -> str:
    """Kills the leader, and has the testbed ask another node; the address of the one that led."""
    cluster = nodes.cluster_of(testbed)
    killed = cluster.leader()
    loss.begins()
    cluster.kill(killed)
    testbed.onos = cluster.alive()[0]
    return killed


def the_next_leader_goes_on(testbed: Testbed, running: Stream, loss: Loss, behind: float = 0) -> None:
    """Kills the leader. ``behind``: so many seconds longer ONOS may ignore the next leader, whose clock is behind."""
    before = begun(testbed)
    killed = kill_leader(testbed, loss)
    the_next_leader(testbed, loss, but=killed)
    goes_on(testbed, running, before, loss, longer=behind)
    assert loss.after(PATHS) <= nodes.most(nodes.RIGHT_SECONDS) + behind


def test_the_leader_is_killed_while_paths_have_labels(testbed: Testbed, loss: Loss) -> None:
    """The next leader takes the rules over that subflows share."""
    cluster = nodes.cluster_of(testbed)
    testbed.onos.configure(pathLabels="on")
    try:
        for node in cluster.nodes:
            wait_for("labels", lambda node=node: node.settings()["pathLabels"] == "on", 30)  # type: ignore[misc]
        with sending(testbed) as running:
            the_next_leader_goes_on(testbed, running, loss)
    finally:
        cluster.alive()[0].configure(pathLabels="auto")


def test_the_master_of_the_clients_switch_is_killed(testbed: Testbed, running: Stream, loss: Loss) -> None:
    """It does not lead."""
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    leader = cluster.leader()
    nodes.let_be_master(testbed, but=leader)
    killed = nodes.ingress_master(testbed)
    loss.begins()
    cluster.kill(killed)
    testbed.onos = cluster.node(leader)
    wait_for("another master", lambda: nodes.ingress_master(testbed) not in ("", killed), 60)
    loss.reached("master")
    goes_on(testbed, running, before, loss, stall=nodes.most(1))


def test_leader_and_master_are_killed_and_the_third_node_carries_on_alone(testbed: Testbed, running: Stream, loss: Loss) -> None:
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    leader = cluster.leader()
    # Another node's switch, so that two nodes go.
    nodes.let_be_master(testbed, but=leader)
    master = nodes.ingress_master(testbed)
    loss.begins()
    cluster.kill(leader)
    cluster.kill(master)
    testbed.onos = cluster.alive()[0]
    assert nodes.wait_for_leader(testbed, but=[leader, master]) == testbed.onos.address
    loss.reached("leader")
    goes_on(testbed, running, before, loss)
    assert loss.after(PATHS) <= nodes.most(nodes.RIGHT_SECONDS)
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
    goes_on(testbed, running, before, loss, moved=True, within=_MOST_LONGER_SECONDS)


def test_a_link_fails_while_the_leader_is_replaced(testbed: Testbed, running: Stream, loss: Loss) -> None:
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    killed = cluster.leader()
    first, middle = paths(before)[0][:2]
    loss.begins()
    cluster.kill(killed)
    testbed.onos = cluster.alive()[0]
    testbed.network.set_link(first, middle, up=False)
    is_right(testbed, before, loss, moved=True, paths_left=nodes.SUBFLOWS - 1)
    assert all(middle not in path for path in paths(nodes.data(testbed, nodes.SUBFLOWS - 1)))
    assert loss.after(PATHS) <= nodes.most(nodes.RIGHT_SECONDS)
    flows(testbed)
    testbed.network.set_link(first, middle, up=True)
    goes_on(testbed, running, before, loss, moved=True, within=_MOST_LONGER_SECONDS)


def test_the_storage_node_restarts(testbed: Testbed, running: Stream, loss: Loss) -> None:
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    loss.begins()
    cluster.kill_storage()
    away = time.monotonic()
    wait_for("nobody decides", lambda: all(nodes.told(node)["leader"] is None for node in cluster.alive()), 30)
    loss.reached("nobody decides")
    state = nodes.told(cluster.alive()[0])
    assert state["state"] == "undecided" and "storage" in state["message"]
    for node in cluster.alive():
        assert [c["id"] for c in nodes.active(node)] == [before["id"]]
    flows(testbed)
    wait_for("some time without storage", lambda: time.monotonic() >= away + _STORAGE_DOWN_SECONDS, 30)
    cluster.start_storage()
    loss.reached("storage")
    nodes.wait_for_leader(testbed)
    loss.reached("leader")
    goes_on(testbed, running, before, loss)


@pytest.mark.parametrize("begun_already", [False, True], ids=["before", "after"])
def test_leader_and_storage_node_are_killed(testbed: Testbed, running: Stream, loss: Loss, begun_already: bool) -> None:
    """The storage node before or after the next leader has begun. Whoever leads then takes over what the one before had not."""
    before = begun(testbed)
    cluster = nodes.cluster_of(testbed)
    killed = kill_leader(testbed, loss)
    if begun_already:
        wait_for("the next leader", lambda: nodes.told(testbed.onos)["leader"] not in (None, killed), 60, every=0.05)
    else:
        later = time.monotonic() + _STORAGE_LATER_SECONDS
        wait_for("some time without the leader", lambda: time.monotonic() >= later, 30)
    cluster.kill_storage()
    away = time.monotonic()
    flows(testbed)
    wait_for("some time without storage", lambda: time.monotonic() >= away + _STORAGE_DOWN_SECONDS, 30)
    cluster.restart()
    loss.reached("storage")
    nodes.wait_for_leader(testbed)
    loss.reached("leader")
    goes_on(testbed, running, before, loss, moved=True, within=_MOST_LONGER_SECONDS)


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
    loss.reached("nodes")
    testbed.onos = cluster.nodes[0]
    nodes.wait_for_leader(testbed)
    loss.reached("leader")
    goes_on(testbed, running, before, loss, moved=True, stall=_MOST_RESTART_SECONDS, within=_MOST_LONGER_SECONDS)


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
    goes_on(testbed, running, before, loss, moved=True, within=_MOST_LONGER_SECONDS)


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
        the_next_leader(testbed, loss, but=killed)
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
        goes_on(testbed, later, before, loss, moved=True, within=_MOST_LONGER_SECONDS)


def test_clocks_a_minute_apart(testbed: Testbed, loss: Loss) -> None:
    """The next leader's clock is half a minute or a whole one behind, and half a minute apart from the third node's. Until it has
    caught up, ONOS ignores what it asks for a connection; the transfer goes on with its rules."""
    cluster = nodes.cluster_of(testbed)
    first, second, third = cluster.nodes
    set_clocks(testbed, {first: -30, third: -60})
    try:
        assert nodes.wait_for_leader(testbed) == second.address, "the others have just started"
        with sending(testbed) as running:
            the_next_leader_goes_on(testbed, running, loss, behind=60 + _REPEATED_SECONDS)
    finally:
        set_clocks(testbed, {first: 0, third: 0})


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
    changes_show_everywhere(testbed)
    running.finish()


def changes_show_everywhere(testbed: Testbed) -> None:
    """Lets a link fail: what the leader tells then, the others tell within two seconds."""
    cluster = nodes.cluster_of(testbed)
    leader = cluster.node(cluster.leader())
    failing = paths(nodes.data(testbed))[0][:2]
    testbed.network.set_link(*failing, up=False)

    def told(node: Onos) -> bool:
        return all(frozenset(failing) not in links_of(path) for c in nodes.active(node) for path in paths(c) if path)
    wait_for("other paths at the leader", lambda: told(leader), 60, every=0.05)
    since = time.monotonic()
    wait_for("other paths at every node", lambda: all(told(node) for node in cluster.nodes), nodes.most(_SAME_SECONDS),
             every=0.05)
    progress(f"every node told the same paths {time.monotonic() - since:.1f} s after the leader")
