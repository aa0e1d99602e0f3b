# SPDX-License-Identifier: Apache-2.0
"""What the agent tells the controller: its connections, the rates of their subflows, and what limits them."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .limits import wire_share
from .sockets import Subflow
from .subflow import Ends, texts

WINDOW_SECONDS = 1.0
"""Rates are means over at least so long, where a subflow is that old."""

MOST_CONNECTIONS, MOST_OF_ONE, MOST_SUBFLOWS = 1000, 64, 900
"""The controller takes no larger reports: connections, subflows of one, and subflows in all (256 kB)."""

_MOST_ENDED, _OF_ENDED = 100, 2
"""Connections that are over, in one report; the others are in the next. And their subflows: one that is known there is enough."""

_BUSY = 0.5
"""A subflow that had something to send for less of the time is limited by the application."""

Json = dict[str, Any]


@dataclass(frozen=True)
class _Sample:
    when: float
    subflows: Mapping[Ends, Subflow]


class Words:
    """Turns readings of the kernel's subflows into reports. A time is of ``time.monotonic``."""

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque()
        self._told: dict[int, list[Ends]] = {}
        self._ended: dict[int, list[Ends]] = {}
        self._ending: list[int] = []

    def hear(self, subflows: Iterable[Subflow], now: float) -> None:
        """The latest reading: every subflow that is open."""
        self._samples.append(_Sample(now, {one.ends: one for one in subflows}))
        while len(self._samples) > 2 and self._samples[1].when <= now - WINDOW_SECONDS:
            self._samples.popleft()
        open_now = {one.token for one in self._samples[-1].subflows.values()}
        for token in self._told.keys() - open_now:
            self._ended[token] = self._told.pop(token)

    def connections(self, addable: Callable[[int], bool] = lambda token: False) -> list[Json]:
        """The connections as a report has them, what is over first, then what has carried most. ``addable``: whether subflows
        can be added to the connection with a token."""
        self._ending = list(self._ended)[:_MOST_ENDED]
        found = [_over(self._ended[token][:_OF_ENDED]) for token in self._ending]
        left = MOST_SUBFLOWS - _MOST_ENDED * _OF_ENDED
        for subflows in self._by_connection()[:MOST_CONNECTIONS - len(found)]:
            told = subflows[:min(MOST_OF_ONE, left)]
            if told:
                found.append(self._connection(told, addable(told[0].token)))
            left -= len(told)
        return found

    def answered(self) -> None:
        """The controller has taken what ``connections`` said last."""
        for token in self._ending:
            self._ended.pop(token, None)
        self._told = {subflows[0].token: [one.ends for one in subflows] for subflows in self._by_connection()}

    def mtus(self) -> dict[Ends, int]:
        """The MTU of each subflow's path, bytes."""
        return {ends: one.mtu for ends, one in self._samples[-1].subflows.items()} if self._samples else {}

    def tokens(self, ends: Iterable[Ends]) -> set[int]:
        """Of the connections with these subflows, as far as they are open."""
        known = self._samples[-1].subflows if self._samples else {}
        return {known[one].token for one in ends if one in known}

    def _by_connection(self) -> list[list[Subflow]]:
        by_token: dict[int, list[Subflow]] = {}
        for one in self._samples[-1].subflows.values() if self._samples else ():
            by_token.setdefault(one.token, []).append(one)
        return sorted(by_token.values(), key=lambda subflows: -sum(one.acked for one in subflows))

    def _connection(self, subflows: Iterable[Subflow], addable: bool) -> Json:
        # Where this agent manages the paths, it has set the priorities itself.
        told = [self._subflow(one) | ({} if addable else {"backup": one.backup}) for one in subflows]
        return {"subflows": told, "ended": False, "addable": addable,
                "applicationLimited": all(one["limited"] == "application" for one in told)}

    def _subflow(self, now: Subflow) -> Json:
        first, last = self._samples[0], self._samples[-1]
        before = first.subflows.get(now.ends)
        seconds = last.when - first.when
        acked = now.acked - (before.acked if before else 0)
        payload = acked / seconds if seconds > 0 else float(now.delivery)
        local, remote = texts(now.ends)
        return {"local": local, "remote": remote,
                "deliveryMbps": round(max(0.0, payload) * 8e-6 * wire_share(now.ends, now.mtu), 3),
                "cwnd": now.cwnd, "rttMillis": round(now.rtt_millis, 3), "ackedBytes": now.acked,
                "limited": "network" if _by_network(now, before, seconds) else "application"}


def _by_network(now: Subflow, before: Subflow | None, seconds: float) -> bool:
    """Whether a subflow had more to send than it could, and not because the receiver had no room."""
    if not now.unsent and now.paused_by_application:
        return False
    if before is None or seconds <= 0:
        return now.unsent > 0
    busy = now.busy - before.busy
    return busy >= _BUSY * seconds and now.window_limited - before.window_limited < _BUSY * busy


def _over(subflows: Iterable[Ends]) -> Json:
    return {"subflows": [_ended(ends) for ends in subflows], "ended": True, "applicationLimited": False}


def _ended(ends: Ends) -> Json:
    local, remote = texts(ends)
    return {"local": local, "remote": remote, "deliveryMbps": 0.0, "cwnd": 0, "rttMillis": 0.0, "ackedBytes": 0,
            "limited": "application"}
