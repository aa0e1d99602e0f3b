# SPDX-License-Identifier: Apache-2.0
"""Helpers for tests of a cluster: what its nodes tell, and whether they, ONOS's stores and the switches agree."""

import os
from collections.abc import Iterable, Mapping

from conftest import tcp_rules
from labels import check_ways, tables
from life import assert_reservations_follow
from mptcplab.cluster import Cluster
from mptcplab.errors import LabError
from mptcplab.netcfg import device_id
from mptcplab.onos import APPLICATION, Onos
from mptcplab.processes import wait_for
from mptcplab.rest import Json
from mptcplab.testbed import Testbed
from sharing import allocated

SUBFLOWS = 3
CAPACITY_MBPS = 30.0
RIGHT_SECONDS = 15
"""So long the next leader may take until paths and shares are right."""

_BUSY = 3
"""A busy machine may take so many times as long."""

_CROWDED = 8
"""Processes that wait for each processor of a machine that is busy with other things; the cluster and its network are four."""

_CONNECTION_KEY = "mptcp-"
"""Of the intents of connections; paths with labels have others."""

Routes = dict[tuple[str, str], list[str]]


def most(seconds: float) -> float:
    """So long may take what is to take so many seconds: longer where other things keep the machine busy."""
    return seconds * (_BUSY if os.getloadavg()[0] > _CROWDED * (os.cpu_count() or 1) else 1)


def cluster_of(testbed: Testbed) -> Cluster:
    assert testbed.cluster
    return testbed.cluster


def told(node: Onos) -> Json:
    """What a node tells of the cluster."""
    return node.rest.get("/mptcp/cluster")


def active(node: Onos) -> list[Json]:
    """The connections that are not over, as a node tells."""
    return [c for c in node.rest.get("/mptcp/connections")["connections"] if c["state"] == "active"]


def data(testbed: Testbed, paths: int = SUBFLOWS) -> Json:
    """The transfer's connection as the first living node tells it; LabError while it has not all subflows, so many different
    paths, and the share that these give."""
    found = [c for c in active(cluster_of(testbed).alive()[0]) if len(c["subflows"]) == SUBFLOWS]
    if len(found) != 1 or not all(s["path"] for s in found[0]["subflows"]):
        raise LabError(str(found))
    if len({tuple(s["path"]) for s in found[0]["subflows"]}) != paths:
        raise LabError(str(routes(found[0])))
    if found[0]["expectedUpMbps"] < 0.9 * CAPACITY_MBPS * paths / SUBFLOWS:
        raise LabError(f"it is to get {found[0]['expectedUpMbps']} Mbit/s")
    return found[0]


def intents(node: Onos) -> dict[str, str]:
    """The states of connections' intents that a node knows, by key; one without a state is just going."""
    return {i["key"]: i["state"] for i in node.rest.get("/intents")["intents"]
            if i["key"].startswith(_CONNECTION_KEY) and i.get("state", "WITHDRAWN") != "WITHDRAWN"}


def routes(connection: Json) -> Routes:
    return {(s["src"], s["dst"]): s["path"] for s in connection["subflows"]}


def wait_for_leader(testbed: Testbed, but: Iterable[str] = ()) -> str:
    """Waits until the living nodes all name one leader, none of those given; returns its address."""
    gone = set(but)

    def one() -> str:
        named = {told(node)["leader"] for node in cluster_of(testbed).alive() if node.address not in gone}
        if len(named) != 1 or None in named or named & gone:
            raise LabError(f"the nodes name {named}")
        return str(named.pop())
    return wait_for("the next leader", one, _BUSY * RIGHT_SECONDS)


def wait_until_ready(testbed: Testbed) -> None:
    """Waits until every living node says that a connection which begins now will be known."""
    def ready() -> bool:
        waiting = [state for state in map(told, cluster_of(testbed).alive()) if not state["ready"]]
        if waiting:
            raise LabError(str(waiting))
        return True
    wait_for("nodes that are ready for connections", ready, _BUSY * RIGHT_SECONDS)


def wait_until_right(testbed: Testbed, before: Json, paths: int = SUBFLOWS, longer: float = 0) -> Json:
    """Waits until the same connection has so many different paths and its share again, so many seconds ``longer`` than usual;
    returns it as it is then."""
    def right() -> Json:
        state = told(cluster_of(testbed).alive()[0])
        if not state["leader"] or not 0 <= state["ageMillis"] <= 2000:
            raise LabError(str(state))
        now = data(testbed, paths)
        if now["id"] != before["id"] or set(routes(now)) != set(routes(before)):
            raise LabError(f"{now['id']} {routes(now)}, before {before['id']} {routes(before)}")
        return now
    return wait_for("the same connection with its paths and share", right, _BUSY * RIGHT_SECONDS + longer)


def wait_until_all_agree(testbed: Testbed) -> None:
    """Waits until all living nodes tell the same connections and leader, and the intents and the rules in the switches are
    those of these connections."""
    alive = cluster_of(testbed).alive()
    wait_for("the same answers of every node, and intents and rules to them", lambda: _agree(testbed, alive), 60)


def wait_for_reservations(testbed: Testbed) -> None:
    """Waits until the resource store holds the shares, as each living node has it."""
    first = testbed.onos
    try:
        for node in cluster_of(testbed).alive():
            testbed.onos = node
            assert_reservations_follow(testbed)
    finally:
        testbed.onos = first


def wait_until_nothing_is_left(testbed: Testbed) -> None:
    """Waits until no rule, no intent and no reservation is left of connections that are over, nor of paths with labels."""
    def nothing() -> bool:
        rules, booked = tcp_rules(testbed) + sorted(tables(testbed).shared), allocated(testbed)
        left = [i["key"] for node in cluster_of(testbed).alive() for i in node.rest.get("/intents")["intents"]
                   if i["appId"] == APPLICATION and i.get("state", "WITHDRAWN") != "WITHDRAWN"]
        if rules or booked or left:
            raise LabError(f"rules {rules}, reservations {booked}, intents {left}")
        return True
    wait_for("nothing left of connections that are over", nothing, 90, every=1)


def _agree(testbed: Testbed, alive: list[Onos]) -> bool:
    leaders = {node.address: told(node)["leader"] for node in alive}
    if len(set(leaders.values())) != 1 or None in leaders.values():
        raise LabError(f"leaders: {leaders}")
    seen = {node.address: {c["id"]: routes(c) for c in active(node)} for node in alive}
    first = next(iter(seen.values()))
    if any(other != first for other in seen.values()):
        raise LabError(f"connections: {seen}")
    for node in alive:
        there = intents(node)
        if len(there) != len(first) or any(state != "INSTALLED" for state in there.values()):
            raise LabError(f"{node.address}: {len(first)} connections, intents {there}")
    if alive[0].settings()["pathLabels"] == "on":
        return _ways_agree(testbed, first.values())
    rules, wanted = tcp_rules(testbed), _rules(first.values())
    if len(rules) != wanted:
        raise LabError(f"{len(rules)} rules in the switches, {wanted} for the connections: {rules}")
    return True


def _ways_agree(testbed: Testbed, connections: Iterable[Routes]) -> bool:
    """Packets with labels take the paths of the subflows, which have one rule in each direction."""
    subflows = [{"src": src, "dst": dst, "path": path} for routes in connections for (src, dst), path in routes.items()]
    own = check_ways(testbed, subflows).own
    if len(own) != 2 * len(subflows):
        raise LabError(f"{len(own)} rules of {len(subflows)} subflows: {sorted(own)}")
    return True


def _rules(connections: Iterable[Mapping[tuple[str, str], list[str]]]) -> int:
    """Two for each subflow in each switch of its path."""
    return sum(2 * len(path) for subflows in connections for path in subflows.values())


def let_be_master(testbed: Testbed, but: str) -> None:
    """Makes another node the master of the first client's switch, if it is this one."""
    cluster = cluster_of(testbed)
    if ingress_master(testbed) == but:
        switch = device_id(testbed.network.topology.pair(0)[0])
        other = next(node.address for node in cluster.alive() if node.address != but)
        wait_for("another master", lambda: cluster.alive()[0].rest.put("/mastership", {
            "deviceId": switch, "nodeId": other, "role": "MASTER"}) is None and ingress_master(testbed) == other, 30)


def ingress_master(testbed: Testbed) -> str:
    """The master of the first client's switch."""
    return cluster_of(testbed).masters()[device_id(testbed.network.topology.pair(0)[0])]
