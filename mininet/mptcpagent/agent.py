# SPDX-License-Identifier: Apache-2.0
"""The loop: read the kernel's subflows, report them, apply what the controller answers.

Without an answer for ten seconds, or with a token that the controller refuses, no limit stays and the kernel manages paths: the
connections run on as they would without an agent. Without an answer, limits that the controller announces in segments hold.
"""

import threading
import time
from collections.abc import Callable, Iterable, Set
from typing import Any, Protocol

from . import VERSION
from .controller import SPARE_SECONDS, Interrupted, News, Refused
from .errors import AgentError
from .limits import Backend, Limits, wanted
from .paths import Paths
from .sockets import Subflow
from .subflow import Ends
from .watchdog import SILENT_SECONDS
from .words import WINDOW_SECONDS, Words

GONE_SECONDS = 10.0
"""The limits go when the controller has not answered for so long."""

WAIT_SECONDS = 4.0
"""So long the controller may wait for something new. It waits for two, unless it has many agents. A report counts for five
seconds there."""

_LEAST_SECONDS = 0.2
"""Between two reports: so a controller with something new all the time costs this host little."""

_CLOSING_SECONDS = 3.0
"""For so long at most a connection that its program has closed is looked at as often as that."""

_RETRY_SECONDS, _MOST_RETRY_SECONDS, _REFUSED_SECONDS = 0.5, 5.0, 30.0


class Releasable(Protocol):
    """What changes this host and can take that back."""

    def release(self) -> None:
        """Takes it back; AgentError if that fails."""


class Speaker(Protocol):
    """The part of ``Controller`` that is used here."""

    url: str

    def report(self, content: dict[str, Any], wait_seconds: float, news: News | None = None) -> Any:
        """Sends a report and returns the answer; Interrupted if there is news before it."""


def release(*held: Releasable) -> None:
    """Releases each of these. AgentError, that of the last one, if some cannot be."""
    failed = None
    for one in held:
        try:
            one.release()
        except AgentError as failure:
            failed = failure
    if failed:
        raise failed


class Agent:
    """``read``: gives the kernel's subflows, OSError if it cannot; ``beat``: is called at least every few seconds; ``say``: takes
    a line for people; ``clock``: seconds, as ``time.monotonic``; ``pause``: sleeps so many seconds; ``announced``: the limits
    that the controller announces in segments."""

    def __init__(self, controller: Speaker, backend: Backend, paths: Paths, read: Callable[[], Iterable[Subflow]],
                 beat: Callable[[], None], say: Callable[[str], None], clock: Callable[[], float] = time.monotonic,
                 pause: Callable[[float], object] | None = None, announced: Callable[[], Limits] = dict) -> None:
        self._controller, self._backend, self._read, self._beat, self._say = controller, backend, read, beat, say
        self._paths, self._announced = paths, announced
        self._ending = threading.Event()
        self._clock, self._pause = clock, pause or self._ending.wait
        self._words = Words()
        self._since: int | None = None
        self._read_at = self._asked_at = self._beaten_at = float("-inf")
        self._answered_at = clock()
        self._retry = _RETRY_SECONDS
        self._said = ""
        self._limits: Limits = {}
        self._limited: set[int] = set()
        self._closing: dict[int, float] = {}
        self._limiting = True  # an agent before may have left something

    def end(self) -> None:
        """``run`` returns soon; for signal handlers."""
        self._ending.set()

    def run(self) -> None:
        """Until ``end``; afterwards there are no limits, and the kernel manages paths."""
        try:
            while not self._ending.is_set():
                self.step()
        finally:
            release(self._paths, self._backend)

    def step(self) -> None:
        """One report with its answer, or one failure with the pause after it."""
        self._alive()
        self._pause(max(0.0, self._asked_at + _LEAST_SECONDS - self._clock()))
        try:
            self._look()
            self._asked_at = self._clock()
            answer = self._controller.report(self._content(), self._patience(), News(self._paths.descriptors(), self._is_news))
            limits, revision = wanted(answer), int(answer["revision"])
        except Interrupted:
            self._read_at = float("-inf")
        except Refused as failure:
            self._release()
            self._tell(str(failure))
            self._pause(_REFUSED_SECONDS)
        except (AgentError, OSError, KeyError, TypeError, ValueError) as failure:
            self._unanswered(failure)
        else:
            self._since = revision
            self._words.answered()
            self._answered_at, self._retry = self._clock(), _RETRY_SECONDS
            self._tell(f"{self._controller.url} answers")
            self._alive()
            # Those of before must not seem to have come later.
            self._announced()
            # Subflows that are opened here have their limits before they send.
            self._follow(answer)
            self._apply(limits)

    def _limit_newcomers(self) -> None:
        """What the other host has opened has its limit as soon as it is there: slow start would fill queues that others use."""
        if came := self._paths.came() & self._limits.keys():
            self._apply(self._limits, came)

    def _look(self) -> None:
        self._limit_newcomers()
        now = self._clock()
        if now - self._read_at >= WINDOW_SECONDS or self._closing:
            found = list(self._read())
            self._words.hear(found, now)
            self._paths.hear(found)
            self._read_at = now
            still = {one.token for one in found}
            self._closing = {token: end for token, end in self._closing.items() if token in still and now < end}

    def _is_news(self) -> bool:
        """Whether a program has closed a connection that has limits: what it leaves is for others, at once."""
        self._limit_newcomers()
        closed = self._paths.closed() & self._limited
        self._closing.update(dict.fromkeys(closed, self._clock() + _CLOSING_SECONDS))
        return bool(closed)

    def _content(self) -> dict[str, Any]:
        content: dict[str, Any] = {"version": VERSION, "backend": self._backend.name, "pathManager": self._paths.name,
                                   "connections": self._words.connections(self._paths.addable)}
        return content if self._since is None else dict(content, since=self._since)

    def _patience(self) -> float:
        if self._closing:
            return _LEAST_SECONDS
        left = self._answered_at + GONE_SECONDS - self._clock()
        return WAIT_SECONDS if left <= 0 else min(WAIT_SECONDS, max(0.0, left - SPARE_SECONDS))

    def _apply(self, limits: Limits, came: Set[Ends] = frozenset()) -> None:
        try:
            self._backend.apply(limits, self._words.mtus(), came)
            self._limits, self._limited = limits, self._words.tokens(limits)
            # Also what the paths need given back.
            self._limiting = True
        except AgentError as failure:
            self._release()
            self._tell(f"no limits: {failure}")

    def _follow(self, answer: Any) -> None:
        try:
            self._paths.follow(answer, self._words.mtus(), self._read_at)
        except AgentError as failure:
            self._tell(f"no further subflows: {failure}")

    def _unanswered(self, failure: Exception) -> None:
        left = self._answered_at + GONE_SECONDS - self._clock()
        # A restarted controller counts its answers anew.
        self._since = None
        if left <= 0:
            self._do_without(str(failure) or type(failure).__name__)
            self._pause(self._retry)
        else:
            self._pause(min(self._retry, left))
        self._retry = min(2 * self._retry, _MOST_RETRY_SECONDS)

    def _do_without(self, reason: str) -> None:
        limits = self._announced()
        if not limits:
            self._release()
            self._tell(f"no limits, the connections run on: {reason}")
            return
        self._tell(f"limits as segments announce them: {reason}")
        try:
            self._paths.release()
        except AgentError as failure:
            self._tell(str(failure))
        self._apply(limits)

    def _release(self) -> None:
        if self._limiting:
            try:
                release(self._paths, self._backend)
                self._limiting, self._limits = False, {}
            except AgentError as failure:
                self._tell(f"the limits cannot be taken away: {failure}")

    def _alive(self) -> None:
        now = self._clock()
        # After a long standstill the watchdog has taken the limits away, and the backend does not know.
        if now - self._beaten_at >= SILENT_SECONDS:
            self._release()
        self._beat()
        self._beaten_at = now

    def _tell(self, line: str) -> None:
        if line != self._said:
            self._say(line)
            self._said = line
