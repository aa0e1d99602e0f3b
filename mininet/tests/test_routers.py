# SPDX-License-Identifier: Apache-2.0
"""The router of a topology: what is read of it, how bad input is refused, and what makes a host one."""

import json

import pytest

from mptcplab import routers, topology
from mptcplab.errors import UsageError
from mptcplab.routers import Outside, Router

SWITCHES = {"a": "s1", "b": "s2"}


class Recorder:
    """A host that notes its commands."""

    name = "r1"

    def __init__(self):
        self.commands = []

    def pexec(self, command):
        self.commands.append(command)
        return "", "", 0

    def about(self, word):
        return [command for command in self.commands if word in command]


def configured(router, servers=None, ipv6=False):
    host = Recorder()
    routers.configure(host, router, servers or {}, ipv6)
    return host


def test_the_named_ones_say_where_they_are():
    found = {name: topology.load(name).router for name in ("routed", "edge", "firewall", "diamond")}
    assert found == {"routed": Router(("s5",)), "edge": Router(("s5",), (), Outside(10, 100)),
                     "firewall": Router(("s5", "s6"), (5999,)), "diamond": None}


@pytest.mark.parametrize("data, words", [
    ([], "must be an object"), ({"nodes": ["a"], "speed": 1}, "drops, nodes, outside alone"), ({}, "give a list of one node"),
    ({"nodes": ["a", "a"]}, "give a list of one node"), ({"nodes": ["c"]}, "give a list of one node"),
    ({"nodes": ["a"], "drops": [0]}, "TCP ports"), ({"nodes": ["a"], "drops": 5}, "TCP ports"),
    ({"nodes": ["a", "b"], "outside": {}}, "two nodes"), ({"nodes": ["a"], "outside": {"delayMillis": 1}}, "capacityMbps"),
    ({"nodes": ["a"], "outside": {"delayMillis": -1, "capacityMbps": 1}}, "from 0 to 1000"),
    ({"nodes": ["a"], "outside": {"delayMillis": float("nan"), "capacityMbps": 1}}, "from 0 to 1000")])
def test_bad_input_is_one_clear_line(data, words):
    with pytest.raises(UsageError) as refused:
        routers.read(data, SWITCHES, "x")
    assert words in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("more, words", [
    ({"pairs": [[["a", "b"], "c"]], "router": {"nodes": ["b"]}}, "one interface"),
    ({"pairs": [["a", "c"]], "router": {"nodes": ["b"], "outside": {"delayMillis": 1, "capacityMbps": 1}}}, "is the router's")])
def test_hosts_have_to_be_where_a_router_serves_them(more, words):
    with pytest.raises(UsageError, match=words):
        topology.parse(json.dumps({"nodes": [{"id": n} for n in "abc"], **more, "links": [
            {"source": "a", "target": "b", "capacityMbps": 1}, {"source": "b", "target": "c", "capacityMbps": 1}]}), "x")


def test_by_one_interface_it_has_an_address_in_both_subnets():
    assert configured(Router(("s1",))).about("address add") == ["ip address add 10.0.255.254/16 dev r1-eth0",
                                                                "ip address add 10.1.255.254/16 dev r1-eth0"]


def test_it_keeps_the_link_local_address_by_which_it_asks_for_its_neighbours():
    assert configured(Router(("s1",)), ipv6=True).about("flush") == ["ip -4 address flush dev r1-eth0"]


def test_by_two_interfaces_it_has_one_in_each_and_drops_what_it_is_told_to():
    host = configured(Router(("s1", "s2"), (5999,)))
    assert host.about("address add") == ["ip address add 10.0.255.254/16 dev r1-eth0",
                                         "ip address add 10.1.255.254/16 dev r1-eth1"]
    assert host.about("rule") == ["ip rule add ipproto tcp dport 5999 blackhole"]


def test_it_has_a_route_to_each_address_outside():
    host = configured(Router(("s1",), (), Outside(10, 100)), {"r1-eth1": ["10.1.0.2"], "r1-eth2": ["10.1.0.4"]})
    assert host.about("route add") == ["ip route add 10.1.0.2 dev r1-eth1", "ip route add 10.1.0.4 dev r1-eth2"]
    assert len(host.about("tx off")) == 3
