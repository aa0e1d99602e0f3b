# SPDX-License-Identifier: Apache-2.0
"""The networks of the parts: routes and paths that they are to have."""

import math

import pytest

from simulator import emptcp, gomez, smptcp


def _graph(*links):
    near = {node: [] for link in links for node in link}
    for one, other in links:
        near[one].append(other)
        near[other].append(one)
    return {node: sorted(others) for node, others in near.items()}


def test_routes_take_links_nodes_or_zones_away():
    """Routes 0–1–9 and 0–2–3–9 are apart; 2 is a neighbour of 1, and 0–4–5–6–9 of neither."""
    near = _graph((0, 1), (1, 9), (0, 2), (2, 3), (3, 9), (1, 2), (0, 4), (4, 5), (5, 6), (6, 9))
    assert gomez.routes(near, 0, 9, "links") == [[0, 1, 9], [0, 2, 3, 9], [0, 4, 5, 6, 9]]
    assert gomez.routes(near, 0, 9, "nodes") == [[0, 1, 9], [0, 2, 3, 9], [0, 4, 5, 6, 9]]
    assert gomez.routes(near, 0, 9, "zone") == [[0, 1, 9], [0, 4, 5, 6, 9]]


def test_link_disjoint_routes_may_share_a_node_and_others_not():
    near = _graph((0, 1), (1, 2), (2, 9), (0, 3), (3, 2), (2, 4), (4, 9))
    assert len(gomez.routes(near, 0, 9, "links")) == 2 and len(gomez.routes(near, 0, 9, "nodes")) == 1


def test_drawn_graphs_are_connected_and_have_two_routes_in_range():
    places, both = gomez.suitable(3)
    assert gomez.suitable(3) == (places, both) and len(places) == gomez.NODES
    for route in both:
        assert all(math.dist(places[one], places[other]) <= gomez.RANGE for one, other in zip(route, route[1:]))
    hops = [{frozenset(hop) for hop in zip(route, route[1:])} for route in both]
    assert not hops[0] & hops[1] and both[0][0] == both[1][0] and both[0][-1] == both[1][-1]


@pytest.mark.parametrize("window, paths", [("tcp", 1), ("mptcp", 4), ("emptcp", 4)])
def test_files_are_the_same_for_all_windows_and_emptcps_paths_are_disjoint_in_the_core(window, paths):
    tree = emptcp.tree(window, 100_000, 0.3, 0.8, 1)
    assert [(one.start, one.size, one.paths[0].nodes[0]) for one in tree.connections] == \
        [(one.start, one.size, one.paths[0].nodes[0]) for one in emptcp.tree("lia", 100_000, 0.3, 0.8, 1).connections]
    assert len(tree.links) == 384 and max(len(one.paths) for one in tree.connections) == paths
    if window == "emptcp":
        for one in tree.connections:
            switches = [node for path in one.paths for node in path.nodes if node.startswith("a")]
            assert len(switches) == len(set(switches))


@pytest.mark.parametrize("senders", emptcp.SENDERS)
def test_blocks_come_from_different_hosts_to_one_at_once(senders):
    blocks = emptcp.converging("emptcp", 32_000, senders, 1).connections
    assert len({one.paths[0].nodes[0] for one in blocks}) == senders and len({one.paths[0].nodes[-1] for one in blocks}) == 1
    assert max(one.start for one in blocks) <= 100e-6
    assert [one.start for one in blocks] == [one.start for one in emptcp.converging("tcp", 32_000, senders, 1).connections]


def test_expected_throughputs_of_fig_1_are_twelve_for_each_and_fit_its_links():
    scenario = smptcp.fig1("smptcp", 100, 1)
    assert [sum(path.expected for path in one.paths) for one in scenario.connections] == [12, 12, 12]
    for link in scenario.links:
        load = sum(path.expected for one in scenario.connections for path in one.paths
                   if frozenset(link.ends) in map(frozenset, zip(path.nodes, path.nodes[1:])))
        assert load <= link.mbps, link
