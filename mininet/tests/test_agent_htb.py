# SPDX-License-Identifier: Apache-2.0
"""The HTB backend against a ``tc`` that only remembers: what it adds, changes and removes, and in which order."""

import json

import pytest

from mptcpagent import htb, subflow
from mptcpagent.errors import AgentError, Unusable

ONE = subflow.parse("10.0.0.1:1001", "10.0.0.2:80")
TWO = subflow.parse("[fd00::1]:1002", "[fd00::2]:80")


class Tc:
    """Answers with one root queueing discipline and remembers all lines; ``fails``: those that contain it are refused."""

    def __init__(self, kind, handle):
        self.root, self.lines, self.classes, self.fails = {"kind": kind, "handle": handle, "root": True}, [], "", None

    def __call__(self, command, text=""):
        if command[:3] == ["tc", "-j", "qdisc"]:
            return json.dumps([self.root])
        if command[1] == "class":
            return self.classes
        lines = text.splitlines()
        if self.fails and any(self.fails in line for line in lines):
            raise AgentError("tc: refused")
        self.lines += lines
        return ""

    def taken(self):
        """The lines since the last time."""
        lines, self.lines = self.lines, []
        return lines


@pytest.fixture
def tc(monkeypatch):
    running = Tc("htb", "5:")
    monkeypatch.setattr(htb, "_run", running)
    return running


def test_each_subflow_has_a_class_and_a_filter(tc):
    htb.Htb("eth0").apply({ONE: 9.5, TWO: 0.1}, {})
    assert tc.taken() == [
        "class add dev eth0 parent 5: classid 5:6000 htb rate 9500000bit burst 15140 quantum 1514",
        "filter add dev eth0 parent 5: protocol ip pref 24576 u32 match ip src 10.0.0.1/32 match ip dst 10.0.0.2/32 "
        "match ip protocol 6 0xff match ip sport 1001 0xffff match ip dport 80 0xffff flowid 5:6000",
        "class add dev eth0 parent 5: classid 5:6001 htb rate 100000bit burst 15140 quantum 1514",
        "filter add dev eth0 parent 5: protocol ipv6 pref 24577 u32 match ip6 src fd00::1/128 match ip6 dst fd00::2/128 "
        "match ip6 protocol 6 0xff match ip6 sport 1002 0xffff match ip6 dport 80 0xffff flowid 5:6001"]


def test_rates_go_up_before_others_go_down(tc):
    backend = htb.Htb("eth0")
    backend.apply({ONE: 5.0, TWO: 5.0}, {})
    tc.taken()
    backend.apply({ONE: 2.0, TWO: 8.0}, {})
    assert [line.split("classid ")[1].split(" burst")[0] for line in tc.taken()] == [
        "5:6001 htb rate 8000000bit", "5:6000 htb rate 2000000bit"]
    backend.apply({ONE: 2.0, TWO: 8.0}, {})
    assert tc.taken() == []


def test_what_has_gone_is_removed_and_its_number_used_again(tc):
    backend = htb.Htb("eth0")
    backend.apply({ONE: 5.0, TWO: 5.0}, {})
    tc.taken()
    backend.apply({TWO: 5.0}, {})
    assert tc.taken() == ["filter del dev eth0 parent 5: pref 24576", "class del dev eth0 classid 5:6000"]
    backend.apply({TWO: 5.0, ONE: 1.0}, {})
    assert "classid 5:6000" in tc.taken()[0]


def test_of_an_htb_that_was_there_only_our_classes_go(tc):
    tc.classes = ("class htb 5:1 root prio 0 rate 100Mbit ceil 100Mbit burst 12500b cburst 1600b \n"
                  "class htb 5:6003 root prio 0 rate 5Mbit ceil 5Mbit burst 15140b cburst 1600b \n")
    htb.Htb("eth0").release()
    assert tc.taken() == ["filter del dev eth0 parent 5: pref 24579", "class del dev eth0 classid 5:6003"]


def test_the_kernels_default_gives_way_and_comes_back(tc):
    tc.root = {"kind": "noqueue", "handle": "0:", "root": True}
    backend = htb.Htb("eth0")
    assert tc.taken() == ["qdisc add dev eth0 root handle ea00: htb"]
    backend.release()
    assert tc.taken() == ["qdisc del dev eth0 root"]
    backend.apply({}, {})
    assert tc.taken() == []
    backend.apply({ONE: 5.0}, {})
    assert [line.split()[0] for line in tc.taken()] == ["qdisc", "class", "filter"]


def test_what_somebody_has_chosen_stays(tc):
    tc.root = {"kind": "fq", "handle": "8001:", "root": True}
    with pytest.raises(Unusable, match="fq"):
        htb.Htb("eth0")
    assert tc.taken() == []


def test_a_refusal_is_told_and_leaves_nothing(tc):
    backend = htb.Htb("eth0")
    tc.classes, tc.fails = "class htb 5:6000 root prio 0\n", "add"
    with pytest.raises(AgentError, match="refused"):
        backend.apply({ONE: 5.0}, {})
    assert "class del dev eth0 classid 5:6000" in tc.taken()


def test_more_than_there_are_numbers_for_are_counted(tc):
    many = {subflow.parse(f"10.0.0.1:{port}", "10.0.0.2:80"): 1.0 for port in range(1, 4200)}
    applied = htb.Htb("eth0").apply(many, {})
    assert (applied.limited, applied.missing) == (4096, 103)
