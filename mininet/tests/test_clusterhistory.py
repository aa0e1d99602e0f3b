# SPDX-License-Identifier: Apache-2.0
"""The checker of a disturbed cluster's history finds what made-up histories have wrong, and nothing in a right one."""

import copy
import json

import pytest

from mptcplab import clusterhistory

A, B = "172.31.255.1", "172.31.255.2"
SRC, DST = "10.0.0.1:4000", "10.0.0.2:6001"


def connection():
    return {"id": "c1", "subflows": [{"src": SRC, "dst": DST, "path": ["s1", "s2"]}]}


def node():
    return {"leader": A, "ready": True, "connections": [connection()], "intents": {"mptcp-c1": "INSTALLED"}}


def settled(at=10.0):
    rules = [{"switch": switch, "src": src, "dst": dst} for switch in ("s1", "s2") for src, dst in ((SRC, DST), (DST, SRC))]
    return {"kind": "settled", "at": at, "alive": [A, B], "nodes": {A: node(), B: node()}, "rules": rules, "transfers": [6001],
            "booked": {"s1-s2": 10.0}, "shares": {"s1-s2": 10.0}, "capacity": {"s1-s2": 10.0}}


def look(name, term, asked, at):
    return {"kind": "look", "node": name, "term": term, "asked": asked, "at": at, "decides": True}


def opened():
    return {"kind": "opened", "at": 1.0, "port": 6001}


def ended(**other):
    return {"kind": "ended", "at": 30.0, "port": 6001, "sent": 7, "arrived": 7, "stall": 1.0, "error": None, **other}


def right():
    return [opened(), look(A, 1, 2, 2.5), settled(), {"kind": "fault", "at": 11, "what": "kill"}, look(B, 2, 12, 12.5),
            settled(20.0), ended()]


def test_a_right_history_has_no_problem():
    assert not clusterhistory.problems(right())


def test_a_history_is_the_same_from_its_file(tmp_path):
    file = tmp_path / "history"
    file.write_text("".join(json.dumps(event) + "\n" for event in right()), encoding="utf-8")
    assert clusterhistory.read(file) == right()


@pytest.mark.parametrize("looks, said", [
    ([look(A, 5, 1, 1.1), look(B, 5, 2, 2.1)], "both decide in term 5"),
    ([look(B, 6, 1, 1.1), look(A, 5, 1.2, 1.3)], f"{A} decides at 1.3 s in term 5, after {B} did at 1.1 s in term 6"),
    # The answer of another with a still later term came in between.
    ([look(A, 7, 1, 1.1), look(B, 6, 0.5, 1.05), look(B, 6, 1.2, 1.3)], "in term 6, after"),
])
def test_two_leaders(looks, said):
    [problem] = clusterhistory.problems([*looks, settled()])
    assert said in problem


@pytest.mark.parametrize("looks", [
    # Nobody knows which of both answers is the older one.
    [look(B, 6, 1, 1.4), look(A, 5, 1.3, 1.5)],
    [look(A, 5, 1, 1.1), look(B, 6, 1.05, 1.2), look(B, 6, 2, 2.1)],
    [look(A, 5, 1, 1.1), look(B, 6, 1.2, 1.3), look(A, 7, 2, 2.1)],
])
def test_one_leader_after_the_other_is_no_problem(looks):
    assert not clusterhistory.problems([*looks, settled()])


@pytest.mark.parametrize("end, said", [
    ([ended(arrived=6)], "7 bytes sent, 6 arrived"),
    ([ended(error="reset")], "failed: reset"),
    ([ended(stall=61.0)], "stood for 61 s"),
    ([], "never ended"),
])
def test_transfers(end, said):
    [problem] = clusterhistory.problems([opened(), settled(), *end])
    assert said in problem


def nobody_leads(event):
    for each in event["nodes"].values():
        each["leader"] = None


def connection_twice(event):
    for each in event["nodes"].values():
        each["connections"].append({**connection(), "id": "c2"})
        each["intents"]["mptcp-c2"] = "INSTALLED"


def other_subflow(event):
    for each in event["nodes"].values():
        each["connections"][0]["subflows"][0]["src"] = "10.0.0.1:4001"
    for rule in event["rules"]:
        for end in ("src", "dst"):
            rule[end] = rule[end].replace("4000", "4001")


def without_path(event):
    for each in event["nodes"].values():
        each["connections"][0]["subflows"][0]["path"] = []
    event["rules"].clear()


def gone(event):
    for each in event["nodes"].values():
        each["connections"], each["intents"] = [], {}
    event["rules"].clear()
    event["booked"], event["shares"] = {}, {}


WRONG = {
    "the nodes name": [nobody_leads, lambda event: event["nodes"][B].update(leader=B), lambda event: event.update(alive=[B])],
    "not ready": [lambda event: event["nodes"][B].update(ready=False)],
    "different connections": [lambda event: event["nodes"][B]["connections"].clear(),
                              lambda event: event["nodes"][B]["connections"][0]["subflows"][0].update(path=["s1", "s3"])],
    "2 connections to port 6001": [connection_twice],
    "whose transfer has ended": [lambda event: event.update(transfers=[])],
    "is lost": [gone],
    "is now c9": [lambda event: [each["connections"][0].update(id="c9") for each in event["nodes"].values()]],
    "has lost subflows": [other_subflow],
    "without a path": [without_path],
    "intents": [lambda event: event["nodes"][B]["intents"].update(other="INSTALLED"),
                lambda event: event["nodes"][A]["intents"].update({"mptcp-c1": "FAILED"}),
                lambda event: event["nodes"][A]["intents"].clear()],
    "a rule of nobody": [lambda event: event["rules"].append({"switch": "s3", "src": SRC, "dst": DST})],
    "2 times the same rule": [lambda event: event["rules"].append(event["rules"][0])],
    "a missing rule": [lambda event: event["rules"].pop()],
    "booked for shares of 10.0": [lambda event: event["booked"].update({"s1-s2": 5.0}), lambda event: event["booked"].clear()],
    "booked for shares of 0": [lambda event: event["booked"].update({"s2-s1": 1.0})],
    "booked of 10.0": [lambda event: event["booked"].update({"s1-s2": 20.0})],
}


@pytest.mark.parametrize("said, spoil", [(said, spoil) for said, ways in WRONG.items() for spoil in ways])
def test_what_is_wrong_at_rest_is_found(said, spoil):
    history = copy.deepcopy(right())
    spoil(history[5])
    found = clusterhistory.problems(history)
    assert any(said in problem for problem in found), found
    assert all(problem.startswith("settled at 20 s: ") for problem in found)


def test_a_connection_that_has_ended_need_not_be_there():
    history = right()
    gone(history[5])
    history[5]["transfers"] = []
    assert not clusterhistory.problems(history)


def test_a_history_without_rest_shows_nothing():
    assert clusterhistory.problems([opened(), ended()]) == ["the cluster never came to rest"]
