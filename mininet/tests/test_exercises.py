# SPDX-License-Identifier: Apache-2.0
"""The goals of the lab sheet: what reaches them, and what is said to be missing."""

import pytest

from mptcplab.shell.exercises import EXERCISES, MUCH_BYTES, Connection, Evidence, connection, missing

THREE = [["s1", "s2", "s5"], ["s1", "s3", "s5"], ["s1", "s4", "s5"]]
CROSSING = [["s1", "s4", "s3", "s6", "s2"], ["s1", "s5", "s3", "s7", "s2"]]


def one(paths=THREE, name="c1", strategy="widest-disjoint", policy=None, expected=10.0, measured=9.5, events=()):
    return Connection(name, strategy, policy, expected, measured, paths, events)


S1_S2 = frozenset(("s1", "s2"))
REACHED = {
    "paths": Evidence([one()], [MUCH_BYTES]),
    "failure": Evidence([one(THREE[1:], events=["opened", "moved"])], down=[S1_S2]),
    "disjointness": Evidence([one(CROSSING), one([CROSSING[0], ["s1", "s8", "s2"]])]),
    "fairness": Evidence([one(expected=10.0, measured=9.0), one(expected=20.0, measured=17.0)]),
    "policies": Evidence([one(expected=27.0), one(policy="modest", expected=3.0, measured=3.1)], caps={"modest": 3.0}),
    "strategy": Evidence([one(strategy="twofold")])}
LACKING = [
    ("paths", Evidence([one()], [MUCH_BYTES - 1]), "no plain TCP"),
    ("paths", Evidence([one(THREE[:2])], [MUCH_BYTES]), "c1 has s1 s2 s5, s1 s3 s5"),
    ("paths", Evidence([one([THREE[0]] * 3)], [MUCH_BYTES]), "without a common link"),
    ("paths", Evidence([], []), "there is no connection"),
    ("failure", Evidence([one()]), "all links are up"),
    ("failure", Evidence([one(THREE[1:])], down=[S1_S2]), "led around"),
    ("failure", Evidence([one(events=["moved"])], down=[S1_S2]), "still on s1-s2"),
    ("failure", Evidence([one([], events=["moved"])], down=[S1_S2]), "has no path"),
    ("disjointness", Evidence([one(CROSSING)]), "set disjoint to node"),
    ("disjointness", Evidence([one(THREE)]), "waist.json"),
    ("fairness", Evidence([one()]), "no two connections share a link"),
    ("fairness", Evidence([one(), one()]), "equal shares"),
    ("fairness", Evidence([one(expected=10.0), one(expected=20.0, measured=9.5)]), "do not measure it yet"),
    ("policies", Evidence([one(policy="modest")]), "no connection that runs has a policy with capMbps"),
    ("policies", Evidence([one(expected=27.0), one(policy="modest", expected=3.0, measured=9.0)], caps={"modest": 3.0}),
     "more than its cap of 3"),
    ("policies", Evidence([one(policy="modest", expected=3.0, measured=3.0)], caps={"modest": 3.0}), "leave others alone"),
    ("strategy", Evidence([one()]), "are widest-disjoint: none of your own"),
    ("strategy", Evidence([one([], strategy="twofold")]), "no path that is in the switches"),
    ("strategy", Evidence([one(strategy="twofold", measured=0.0)]), "measure nothing")]


@pytest.mark.parametrize("name", EXERCISES)
def test_a_goal_is_reached(name):
    assert missing(name, REACHED[name]) == []


@pytest.mark.parametrize("name, seen, says", LACKING)
def test_what_is_missing_is_told(name, seen, says):
    assert any(says in sentence for sentence in missing(name, seen)), missing(name, seen)


def test_only_paths_that_kernel_and_switches_know_count():
    subflows = [{"src": f"10.0.0.1:{port}", "dst": "10.0.0.2:5201", "state": state, "path": ["of:0000000000000001"]}
                for port, state in ((1, "active"), (2, "active"), (3, "active"), (4, "backup"))]
    seen = {"id": "c1", "strategy": "shortest", "policy": None, "measuredUpMbps": 1, "measuredDownMbps": 0, "expectedUpMbps": 2,
            "expectedDownMbps": 0, "subflows": subflows}
    kernel = {(s["src"], s["dst"]) for s in subflows if not s["src"].endswith(":2")}
    rules = {(s["src"], s["dst"]) for s in subflows if not s["src"].endswith(":3")}
    found = connection(seen, kernel, {"s1": rules}.get, [
        {"type": "opened", "why": None}, {"type": "moved", "why": "better"}, {"type": "moved", "why": "links have gone"}])
    assert found == Connection("c1", "shortest", None, 2, 1, [["s1"]], ["opened", "moved"])
