# SPDX-License-Identifier: Apache-2.0
"""Topologies: what is built from node-link JSON, and how bad input is refused."""

import json
import math
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from mptcplab import netcfg, topology
from mptcplab.errors import UsageError


def graph(links, nodes=("a", "b", "c"), **more):
    return json.dumps({"nodes": [{"id": n} for n in nodes],
                       "links": [dict(zip(("source", "target", "capacityMbps"), link)) for link in links], **more})


TRIANGLE = [("a", "b", 10), ("b", "c", 5), ("a", "c", 20)]


def test_every_named_topology_can_be_built():
    for name in topology.names():
        built = topology.load(name)
        for a, b in built.pairs:
            assert built.shortest_path(a, b)[0] == a


def test_diamond_has_three_disjoint_paths():
    built = topology.load("diamond")
    assert built.pairs == (("s1", "s5"),)
    middles = {link.b for link in built.links if link.a == "s1"} & {link.a for link in built.links if link.b == "s5"}
    assert middles == {"s2", "s3", "s4"}


def capacities(built):
    """Capacity by the nodes' own names, both ways."""
    name = built.labels
    return {(name[a], name[b]): mbps for link in built.links
            for a, b, mbps in ((link.a, link.b, link.forward), (link.b, link.a, link.backward))}


def test_fig1_is_s_mptcp_table_2():
    built = topology.load("fig1")
    table = {1: [("a1", "m1", "n1", "b1"), ("a1", "m2", "n2", "b1")],
             2: [("a2", "m2", "n2", "b2"), ("a2", "m3", "n3", "b2")],
             3: [("a3", "m3", "n3", "b3"), ("a3", "m4", "n4", "b3")]}
    links = capacities(built)
    assert (built.connections, built.subflows) == (3, 2)
    for connection, paths in table.items():
        assert tuple(built.labels[s] for s in built.pair(connection - 1)) == (f"a{connection}", f"b{connection}")
        assert all(hop in links for path in paths for hop in zip(path, path[1:]))
    assert len(built.links) == len({frozenset(hop) for paths in table.values() for p in paths for hop in zip(p, p[1:])}) == 16
    shared = [links[f"m{i}", f"n{i}"] for i in range(1, 5)]
    assert shared == [4, 10, 12, 10] and sum(shared) == 36
    assert all(mbps == 10 for hop, mbps in links.items() if {end[0] for end in hop} != {"m", "n"})


def test_fig2b_is_two_planes_of_two_cores():
    built = topology.load("fig2b")
    links = capacities(built)
    assert (built.connections, built.subflows) == (2, 2)
    assert set(links.values()) == {10.0}
    for client, server in built.pairs:
        a, b = built.labels[client], built.labels[server]
        paths = [(a, p, c, r, b) for p in ("p1", "p2") for c in ("c1", "c2", "c3", "c4") for r in ("r1", "r2")
                 if all(hop in links for hop in zip((a, p, c, r), (p, c, r, b)))]
        assert sorted(path[1] for path in paths) == ["p1", "p1", "p2", "p2"]
        assert len({path[2] for path in paths}) == 4


def test_nodes_become_switches_in_order_and_keep_their_names():
    built = topology.parse(graph(TRIANGLE, nodes=("c", "a", "b")), "x")
    assert built.switches == ("s1", "s2", "s3")
    assert built.labels == {"s1": "c", "s2": "a", "s3": "b"}


def test_undirected_link_has_its_capacity_both_ways():
    link = topology.parse(graph([("a", "b", 7)], nodes=("a", "b")), "x").links[0]
    assert (link.forward, link.backward) == (7, 7)


def test_directed_graph_lists_each_direction():
    link = topology.parse(graph([("b", "a", 3), ("a", "b", 7)], nodes=("a", "b"), directed=True), "x").links[0]
    assert (link.a, link.b, link.forward, link.backward) == ("s1", "s2", 7, 3)


def test_edges_is_another_name_for_links():
    text = graph(TRIANGLE).replace('"links"', '"edges"')
    assert len(topology.parse(text, "x").links) == 3


def test_a_file_can_say_where_hosts_are():
    assert topology.parse(graph(TRIANGLE, pairs=[["c", "a"], ["b", "a"]]), "x").pairs == (("s3", "s1"), ("s2", "s1"))


def test_a_host_can_be_at_several_nodes():
    built = topology.parse(graph(TRIANGLE, pairs=[[["c", "a"], "b"], ["b", ["a"]]]), "x")
    assert built.homes == ((("s3", "s1"), ("s2",)), (("s2",), ("s1",)))
    assert built.pairs == (("s3", "s2"), ("s2", "s1"))
    assert built.pair(2) == ("s3", "s2")


def test_dual_homed_has_three_disjoint_paths_two_from_the_first_interface():
    built = topology.load("dual-homed")
    client, server = built.homes[0]
    assert (len(client), len(server), built.subflows) == (2, 1, 3)
    links = {frozenset((built.labels[link.a], built.labels[link.b])) for link in built.links}
    assert links == {frozenset(hop.split()) for hop in ("a1 m1", "a1 m2", "a2 m3", "m1 b", "m2 b", "m3 b")}


def test_each_host_of_the_dual_homed_fat_tree_is_at_both_edge_switches_of_its_pod():
    built, single = topology.load("fattree4-dual"), topology.load("fattree4")
    assert built.links == single.links and built.subflows == 4
    for pair in built.homes:
        pods = [{built.labels[switch][:4] for switch in homes} for homes in pair]
        assert [len(homes) for homes in pair] == [2, 2]
        assert all(len(pod) == 1 for pod in pods) and pods[0] != pods[1]


def test_coordinates_of_nodes_become_the_map_places_of_their_switches():
    built = topology.parse(json.dumps({
        "nodes": [{"id": "a", "latitude": 52.52, "longitude": 13.41}, {"id": "b"}],
        "links": [{"source": "a", "target": "b", "capacityMbps": 10}]}), "n")
    assert built.places == {"s1": (52.52, 13.41)}
    told = netcfg.configuration(SimpleNamespace(topology=built, neighbours=list, attachments=list))
    assert told["devices"] == {
        "of:0000000000000001": {"basic": {"name": "a", "locType": "geo", "latitude": 52.52, "longitude": 13.41}},
        "of:0000000000000002": {"basic": {"name": "b"}}}
    assert told["hosts"] == {}
    assert len(topology.load("os3e").places) == 34


def test_onos_hears_of_names_that_tell_switches_apart():
    built = topology.parse(json.dumps({"nodes": [
        {"id": "7"}, {"id": "x", "label": "Springfield"}, {"id": "y", "label": "Springfield"}, {"id": "z", "label": "Berlin"}],
        "links": [{"source": "7", "target": "x", "capacityMbps": 1}, {"source": "x", "target": "y", "capacityMbps": 1},
                  {"source": "y", "target": "z", "capacityMbps": 1}]}), "net")
    assert built.names == {"s1": "s1", "s2": "s2", "s3": "s3", "s4": "Berlin"}


def test_hosts_stand_a_little_beside_their_switches():
    built = topology.load("os3e")
    places = built.places
    attached = [("00:00:00:00:00:01", "s1", "h1"), ("00:00:00:00:00:02", "s1", "h2"), ("00:00:00:00:00:03", "s34", "h3")]
    told = netcfg.configuration(SimpleNamespace(topology=built, neighbours=list, attachments=lambda: attached))["hosts"]
    basics = {mac: told[f"{mac}/None"]["basic"] for mac, *_ in attached}
    seen = {mac: (basic["latitude"], basic["longitude"]) for mac, basic in basics.items()}
    assert all(1 < math.dist(seen[mac], places[switch]) < 3 for mac, switch, _ in attached)
    assert len(set(seen.values())) == 3
    assert [basics[mac]["name"] for mac, *_ in attached] == ["h1", "h2", "h3"]


def test_file_is_found_by_its_path(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(graph(TRIANGLE))
    assert topology.load(str(path)).name == "mine"


def test_parallel_links_have_ports_and_capacities_of_their_own():
    text = graph([("a", "b", 10), ("b", "a", 4), ("b", "c", 5)])
    built = topology.parse(text.replace("{", '{"multigraph": true, ', 1), "net")
    assert [(link.a, link.b, link.forward, link.number) for link in built.links] == [
        ("s1", "s2", 10, 0), ("s1", "s2", 4, 1), ("s2", "s3", 5, 0)]
    assert built.links[1].ends == (("s1", "s2#1"), ("s2", "s1#1"))
    assert built.link("s2", "s1#1") == built.links[1] and built.link("s2", "s1") == built.links[0]
    assert built.link("s1", "s2#2") is None
    assert [link.ends for link in topology.load("parallel").links] == [(("s1", "s2"), ("s2", "s1")),
                                                                      (("s1", "s2#1"), ("s2", "s1#1"))]


def test_links_under_both_names_count_once_and_loops_are_left_out(capsys):
    links = [dict(zip(("source", "target", "capacityMbps"), link)) for link in [*TRIANGLE, ("a", "a", 1)]]
    built = topology.parse(graph([*TRIANGLE, ("a", "a", 1)], edges=links[::-1]), "net")
    assert len(built.links) == 3
    assert capsys.readouterr().err == "lab: net: link 4 joins a to itself, and is left out\n"


def test_labels_name_switches_and_a_byte_order_mark_is_no_matter(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(graph(TRIANGLE).replace('"id": "a"', '"id": "a", "label": "Bern"'), encoding="utf-8-sig")
    assert topology.load(str(path)).labels == {"s1": "Bern", "s2": "b", "s3": "c"}


def test_other_forms_are_converted_by_the_planner(tmp_path, monkeypatch):
    monkeypatch.setattr(topology.commands, "converted", lambda file: graph(TRIANGLE) if file.stem == "net" else "")
    for text in ("<graphml/>", "graph [ ]", '{"links": [{"src": {}}]}', '{"switches": [], "links": []}'):
        (tmp_path / "net.any").write_text(text)
        assert len(topology.load(str(tmp_path / "net.any")).switches) == 3
    (tmp_path / "net.any").write_bytes("<graphml/>".encode("utf-16"))
    assert len(topology.load(str(tmp_path / "net.any")).switches) == 3


def test_keys_join_the_directions_of_parallel_links():
    links = [{"source": a, "target": b, "key": key, "capacityMbps": mbps}
             for a, b, key, mbps in (("a", "b", 0, 10), ("a", "b", 1, 4), ("b", "a", 1, 8), ("b", "a", 0, 2))]
    built = topology.parse(json.dumps({"directed": True, "multigraph": True, "nodes": [{"id": "a"}, {"id": "b"}],
                                       "links": links}), "net")
    assert [(link.forward, link.backward) for link in built.links] == [(10, 2), (4, 8)]


@pytest.mark.parametrize("text, says", [
    ("{", "not JSON"),
    ("[]", "not node-link JSON"),
    ("{}", '"nodes" must be a list'),
    ('{"nodes": [{}], "links": []}', "node 1 has no"),
    (graph([], nodes=("a", "a")), "a is listed twice"),
    ('{"nodes": [{"id": "a"}]}', '"links"'),
    (graph([("a", "b", 0)]), "(a – b) has capacityMbps 0: it must be a number above 0"),
    (graph([("a", "b", -1)]), "above 0"),
    (graph([("a", "b", "10")]), "above 0"),
    (graph([("a", "b", True)]), "above 0"),
    (graph([("a", "b", None)]), "(a – b) has no capacityMbps"),
    (graph([("a", "b")]), "(a – b) has no capacityMbps"),
    (graph([("a", "b", 40000)]), "emulates 0.1 to 1000"),
    (graph([("a", "d", 10)]), "ends at d, which is no node"),
    (graph([("a", "b", 10), ("b", "a", 10)], multigraph=False), "listed twice"),
    (graph(TRIANGLE, edges=[{"source": "a", "target": "b", "capacityMbps": 1}]), "not the same links"),
    (graph([("a", "b", 10)]), "not connected: c"),
    (graph([("a", "b", 10)], nodes=("a", "b"), directed=True), "has no way back"),
    (graph(TRIANGLE, pairs=[["a", "z"]]), '"pairs"'),
    (graph(TRIANGLE, pairs=[]), '"pairs"'),
    (graph(TRIANGLE, pairs=[["a", ["z"]]]), '"pairs" has ["a", ["z"]]: each is two of the nodes, or of lists of nodes'),
    (graph(TRIANGLE, pairs=[["a", [["b"]]]]), "lists of nodes"),
    (graph(TRIANGLE, pairs=[["a", []]]), "lists of nodes"),
    (graph(TRIANGLE, pairs=[["a", {"b": 1}]]), "lists of nodes"),
    (graph(TRIANGLE, pairs=[[["a", "a"], "b"]]), "one interface at a node"),
    (graph([(a, "z", 10) for a in "abcdefghi"], nodes="abcdefghiz", pairs=[[list("abcdefghi"), "z"]]),
     "at most 8 interfaces"),
    (graph(TRIANGLE, connections=0), '"connections" is 0: it must be a whole number from 1 to 100'),
    (graph(TRIANGLE, subflows="3"), '"subflows" is "3": it must be a whole number from 1 to 9'),
    (graph(TRIANGLE, subflows=10), "from 1 to 9"),
    (graph(TRIANGLE, connections=True), '"connections" is true'),
    ('{"nodes": [{"id": "a", "latitude": 91, "longitude": 0}], "links": []}',
     '"latitude" of node a is 91: it must be a number of degrees, from -90 to 90'),
    ('{"nodes": [{"id": "a", "latitude": 1, "longitude": NaN}], "links": []}', "from -180 to 180"),
    ('{"nodes": [{"id": "a", "latitude": "1", "longitude": 2}], "links": []}', "number of degrees"),
    ('{"nodes": [{"id": "a", "latitude": true, "longitude": 2}], "links": []}', "number of degrees"),
    ('{"nodes": [{"id": "a", "latitude": 1}], "links": []}', 'both "latitude" and "longitude"'),
    ('{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": ["a"], "target": "b"}]}', "no node"),
])
def test_bad_input_is_one_clear_line(text, says):
    with pytest.raises(UsageError) as refused:
        topology.parse(text, "broken.json")
    message = str(refused.value)
    assert message.startswith("broken.json: ") and says in message and "\n" not in message


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(UsageError, match="unknown topology nowhere: give one of .*diamond"):
        topology.load("nowhere")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
                    lambda inner: st.lists(inner, max_size=4)
                    | st.dictionaries(st.sampled_from(["nodes", "links", "id", "source", "target", "capacityMbps",
                                                       "pairs", "directed", "connections", "subflows"]), inner, max_size=4)))
def test_no_json_at_all_ends_in_a_trace(value):
    try:
        topology.parse(json.dumps(value), "fuzz")
    except UsageError as refused:
        assert "\n" not in str(refused)


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=28))
def test_shortest_path_is_a_path_of_real_links(pairs):
    wanted = {(min(p), max(p)) for p in pairs if p[0] != p[1]} | {(n, n + 1) for n in range(7)}
    built = topology.parse(graph([(a, b, 10) for a, b in sorted(wanted)], nodes=range(8)), "x")
    joined = {frozenset((link.a, link.b)) for link in built.links}
    path = built.shortest_path(*built.pair(0))
    assert all(frozenset(hop) in joined for hop in zip(path, path[1:])) and len(set(path)) == len(path)


def delayed(**more):
    return json.dumps({"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b", "capacityMbps": 1, **more}]})


def test_onos_hears_of_delays_and_groups():
    built = topology.parse(json.dumps({"directed": True, "nodes": [{"id": n} for n in "abc"], "links": [
        {"source": "a", "target": "b", "capacityMbps": 1, "delayMillis": 20, "srlg": ["duct", 7, "duct"]},
        {"source": "b", "target": "a", "capacityMbps": 1, "delayMillis": 0},
        {"source": "b", "target": "c", "capacityMbps": 1}, {"source": "c", "target": "b", "capacityMbps": 1}]}), "net")
    assert [(link.delays, link.groups, link.is_delayed) for link in built.links] == [
        ((20, 0), ("duct", "7"), True), ((None, None), (), False)]
    assert built.millis == 20
    told = netcfg.configuration(SimpleNamespace(topology=built, neighbours=list, attachments=list, port=lambda a, b: int(b[1:])))
    there, back = "of:0000000000000001/2", "of:0000000000000002/1"
    assert told["links"] == {f"{there}-{back}": {"basic": {"latency": 20_000_000}, "srlg": ["duct", "7"]},
                             f"{back}-{there}": {"basic": {"latency": 0}, "srlg": ["duct", "7"]}}
    assert "links" not in netcfg.configuration(
        SimpleNamespace(topology=topology.load("diamond"), neighbours=list, attachments=list))


def test_a_link_may_lose_frames_and_have_a_queue_of_its_own():
    built = topology.parse(json.dumps({"directed": True, "nodes": [{"id": n} for n in "abc"], "links": [
        {"source": "a", "target": "b", "capacityMbps": 1, "lossPercent": 1.5, "queueFrames": 50},
        {"source": "b", "target": "a", "capacityMbps": 1},
        {"source": "b", "target": "c", "capacityMbps": 1, "queueFrames": 7}, {"source": "c", "target": "b", "capacityMbps": 1}]}),
        "net")
    assert [(link.losses, link.queues, link.is_delayed, link.has_middle) for link in built.links] == [
        ((1.5, 0), (50, None), False, True), ((0, 0), (7, None), False, False)]
    assert "links" not in netcfg.configuration(
        SimpleNamespace(topology=built, neighbours=list, attachments=list, port=lambda a, b: 1))


@pytest.mark.parametrize("more, words", [
    ({"lossPercent": -1}, "loses 0 to 20 %"), ({"lossPercent": 21}, "loses 0 to 20 %"), ({"lossPercent": "1"}, "loses 0 to 20 %"),
    ({"lossPercent": float("nan")}, "loses 0 to 20 %"), ({"queueFrames": 0}, "from 1 to 10000"), ({"queueFrames": 1.5}, "whole"),
    ({"queueFrames": True}, "whole"),
    ({"delayMillis": -1}, "delays by 0 to 1000 ms"), ({"delayMillis": 86_400_000}, "delays by 0 to 1000 ms"),
    ({"delayMillis": float("nan")}, "delays by 0 to 1000 ms"), ({"delayMillis": "5"}, "delays by 0 to 1000 ms"),
    ({"srlg": "duct"}, "list of names"), ({"srlg": [""]}, "list of names"), ({"srlg": [None]}, "list of names")])
def test_a_delay_or_group_that_is_none_is_refused(more, words):
    with pytest.raises(UsageError) as refused:
        topology.parse(delayed(**more), "net")
    assert words in str(refused.value) and "(a – b)" in str(refused.value)
