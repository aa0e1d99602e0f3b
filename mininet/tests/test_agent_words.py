# SPDX-License-Identifier: Apache-2.0
"""What the agent reports: rates over a window, what limits a subflow, and the end of a connection."""

import json
from dataclasses import replace

import pytest

from mptcpagent import subflow
from mptcpagent.sockets import Subflow
from mptcpagent.words import MOST_CONNECTIONS, MOST_SUBFLOWS, Words


def kernel(port=38130, token=7, acked=0, unsent=10000, paused=False, busy=0.0, window=0.0, address="10.0.0.1"):
    """A subflow as the kernel tells; one that has more to send unless said otherwise."""
    ends = subflow.parse(f"{address}:{port}", "10.0.0.2:5201")
    return Subflow(ends, token, acked, 0, unsent, paused, busy, window, 40, 3.2, 1500)


def heard(*readings):
    """``Words`` that have heard readings, a second apart."""
    words = Words()
    for when, subflows in enumerate(readings):
        words.hear(subflows, float(when))
    return words


def only(words):
    (connection,) = words.connections()
    return connection


def test_a_rate_is_what_was_acknowledged_on_the_wire():
    words = heard([kernel(acked=1000)], [kernel(acked=1000 + 1_428_000, busy=1)])
    (told,) = only(words)["subflows"]
    assert told == {"local": "10.0.0.1:38130", "remote": "10.0.0.2:5201", "deliveryMbps": 12.112, "cwnd": 40, "rttMillis": 3.2,
                    "ackedBytes": 1_429_000, "limited": "network", "backup": False}


def test_a_rate_is_of_the_latest_window():
    words = heard([kernel()], [kernel(acked=10 ** 9)], [kernel(acked=10 ** 9)], [kernel(acked=10 ** 9 + 1428)])
    assert only(words)["subflows"][0]["deliveryMbps"] == 0.012


def test_subflows_of_one_token_are_one_connection():
    words = heard([kernel(1, token=1), kernel(2, token=2), kernel(3, token=1)])
    assert sorted(len(one["subflows"]) for one in words.connections()) == [1, 2]


@pytest.mark.parametrize("before, now, limited", [
    ({}, {"busy": 1.0}, "network"),
    ({}, {"busy": 1.0, "unsent": 0, "paused": True}, "application"),
    ({}, {"busy": 1.0, "unsent": 0}, "network"),
    ({}, {"busy": 0.1}, "application"),
    ({}, {"busy": 1.0, "window": 0.9}, "application"),
    ({"busy": 5.0, "window": 5.0}, {"busy": 6.0, "window": 5.0}, "network"),
])
def test_what_limits_a_subflow(before, now, limited):
    connection = only(heard([kernel(**before)], [kernel(**now)]))
    assert connection["subflows"][0]["limited"] == limited
    assert connection["applicationLimited"] == (limited == "application")


def test_one_subflow_that_the_network_limits_is_enough():
    idle = {"unsent": 0, "paused": True}
    words = heard([kernel(1), kernel(2, **idle)], [kernel(1, busy=1.0), kernel(2, **idle)])
    assert only(words)["applicationLimited"] is False


def test_a_backup_is_told_unless_this_agent_sets_priorities():
    words = heard([replace(kernel(), backup=True), kernel(port=38131)])
    (told,) = words.connections()
    assert [one["backup"] for one in told["subflows"]] == [True, False]
    (told,) = words.connections(lambda token: True)
    assert told["addable"] and not any("backup" in one for one in told["subflows"])


def test_the_end_is_told_until_it_is_answered():
    words = heard([kernel()])
    words.answered()
    words.hear([], 1.0)
    for _ in range(2):
        assert (only(words)["ended"], only(words)["subflows"][0]["local"]) == (True, "10.0.0.1:38130")
    words.answered()
    assert words.connections() == []


def test_many_ends_take_several_reports():
    words = heard([kernel(1 + token, token=token) for token in range(250)])
    words.answered()
    words.hear([], 1.0)
    counts = []
    while told := words.connections():
        assert all(one["ended"] for one in told)
        counts.append(len(told))
        words.answered()
    assert counts == [100, 100, 50]


def test_the_end_of_what_was_never_told_is_not():
    words = heard([kernel()], [])
    assert words.connections() == []


def test_a_subflow_that_ends_is_not_the_end():
    words = heard([kernel(1), kernel(2)])
    words.answered()
    words.hear([kernel(1)], 1.0)
    assert (only(words)["ended"], len(only(words)["subflows"])) == (False, 1)


@pytest.mark.parametrize("connections, each", [(2000, 1), (40, 60), (3, 500)])
def test_reports_are_bounded_and_have_what_carries_most(connections, each):
    address = "2001:db8:1111:2222:3333:4444:5555:6666"
    flows = [kernel(1 + index, token=token, acked=10 ** 12 + token, address=f"[{address}]") for token in range(connections)
             for index in range(each)]
    told = heard(flows, flows).connections()
    assert len(told) <= MOST_CONNECTIONS and sum(len(one["subflows"]) for one in told) <= MOST_SUBFLOWS
    assert max(len(one["subflows"]) for one in told) <= 64
    assert len(json.dumps(told, separators=(",", ":"))) < 250_000
    assert told[0]["subflows"][0]["ackedBytes"] == 10 ** 12 + connections - 1
