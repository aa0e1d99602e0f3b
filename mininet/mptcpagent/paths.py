# SPDX-License-Identifier: Apache-2.0
"""Adds and removes subflows as the controller's answers say, where the kernel lets a program manage paths."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import AgentError
from .pathmanager import Event, NotYet, PathManager, What
from .sockets import Subflow
from .subflow import Ends, parse, texts

RETRY_SECONDS, MOST_RETRY_SECONDS = 2.0, 64.0
"""A subflow that the controller still wants added, and that is not there, is tried once more after this time, then after twice as
long each time. One that lives so long begins anew."""

BACKUP_SECONDS = 2.0
"""A subflow becomes a backup when the controller has said so for this long. Shares change often while connections come and go."""

_MOST_OF_ONE = 64
_MOST_CONNECTIONS = 10_000


@dataclass(frozen=True)
class _Try:
    when: float
    wait: float


@dataclass
class _Known:
    """A connection that this host has opened since the path manager was taken. ``announced``: the other host's addresses, by
    their identifiers."""

    ends: set[Ends] = field(default_factory=set)
    announced: dict[int, bytes] = field(default_factory=dict)
    tries: dict[Ends, _Try] = field(default_factory=dict)
    dropped: set[Ends] = field(default_factory=set)
    backups: set[Ends] = field(default_factory=set)
    since: dict[Ends, float] = field(default_factory=dict)


class Paths:
    """``manager``: None if the kernel manages paths whatever the controller wants; ``say``: takes a line for people; ``clock``:
    seconds, as ``time.monotonic``."""

    def __init__(self, manager: PathManager | None, say: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._manager, self._say, self._clock = manager, say, clock
        self._taken = False
        self._known: dict[int, _Known] = {}
        self._owners: dict[Ends, int] = {}
        self._said: set[str] = set()
        self._closed: set[int] = set()
        self._came: set[Ends] = set()
        self._lost_events = False
        self._listed: dict[Ends, int] = {}
        self._own: dict[int, set[bytes]] = {}

    @property
    def name(self) -> str:
        """As reports call it: ``user`` if subflows can be added here, else ``kernel``."""
        return "user" if self._manager else "kernel"

    def release(self) -> None:
        """The kernel manages the paths of later connections. AgentError if that fails."""
        if self._manager:
            self._manager.release()
        self._taken = False

    def descriptors(self) -> list[int]:
        """What is readable when something has happened to a connection, for ``select``; nothing if the kernel does not tell."""
        return [self._manager.fileno()] if self._manager else []

    def closed(self) -> set[int]:
        """The tokens of the connections that a program has closed since the last time; they may still have something to send."""
        self.hear()
        closed, self._closed = self._closed, set()
        return closed

    def came(self) -> set[Ends]:
        """The subflows that have been established since the last time."""
        self.hear()
        came, self._came = self._came, set()
        return came

    def addable(self, token: int) -> bool:
        """Whether subflows can be added to a connection: whether this host has opened it and manages its paths."""
        return token in self._known

    def hear(self, subflows: Iterable[Subflow] | None = None) -> None:
        """The events since the last time, then the kernel's subflows as read after them, if they were read."""
        if not self._manager:
            return
        try:
            for event in self._manager.events():
                self._happened(event)
        except OSError as failure:
            self._tell(f"some path events are lost ({failure.strerror}): from now on what the kernel lists counts")
            self._lost_events = True
        if subflows is not None:
            self._read(list(subflows))

    def _read(self, subflows: list[Subflow]) -> None:
        before, self._listed = set(self._listed.values()), {one.ends: one.token for one in subflows}
        self._own = {token: self._own.get(token, set()) for token in self._listed.values()}
        if self._lost_events:
            # Among them may be that a connection was closed, or that one has begun.
            for token in self._known.keys() - self._own.keys():
                self._forget(token)
            for token in {one.token for one in subflows if one.opened} - before:
                self._begins(token)
            self._lost_events = False
        for one in subflows:
            self._own[one.token].add(one.ends[:16])
            self._owns(one.token, one.ends)

    def follow(self, answer: Mapping[str, Any], open_then: Iterable[Ends], read_at: float) -> None:
        """Does what an answer asks for. AgentError if it is no answer of the protocol, or the path manager cannot be taken.

        ``open_then``: the host's subflows at ``read_at``, by the clock.
        """
        if not self._manager:
            return
        if answer.get("pathManager") != "user":
            if self._taken:
                self.release()
            return
        self._manager.take()
        self._taken = True
        self.hear()
        present = set(open_then)
        try:
            for connection in answer["connections"]:
                known = self._owner(connection)
                if known:
                    self._follow(*known, connection, present, read_at)
                elif "first" not in connection:
                    self._announce([_ends(one) for one in connection["subflows"]])
        except (TypeError, KeyError, ValueError, AttributeError) as failure:
            raise AgentError(f"the controller's answer is not understood ({type(failure).__name__}: {failure})") from None

    def _follow(self, token: int, known: _Known, connection: Mapping[str, Any], present: set[Ends], read_at: float) -> None:
        self._add(token, known, [_ends(one) for one in connection["add"]][:_MOST_OF_ONE], present, read_at)
        for ends in [_ends(one) for one in connection["drop"]]:
            # The last one carries the connection, whatever the controller thinks.
            if ends in present and ends not in known.dropped and len(known.ends & present - known.dropped) > 1:
                known.dropped.add(ends)
                self._do("destroy", token, ends, ends)
        self._prioritise(token, known, {_ends(one) for one in connection["backups"]}, present)

    def _announce(self, named: list[Ends]) -> None:
        """Tells a client of this host's addresses to which the controller has paths: its agent opens subflows to no others."""
        token = next((self._listed[ends] for ends in named if ends in self._listed), None)
        if token is not None and token not in self._known:
            for ends in named:
                if ends[:16] not in self._own[token]:
                    self._own[token].add(ends[:16])
                    self._do("announce", token, ends, ends[:16])

    def _add(self, token: int, known: _Known, wanted: Iterable[Ends], present: set[Ends], read_at: float) -> None:
        before, known.tries = known.tries, {}
        for ends in wanted:
            last = before.get(ends)
            if last and read_at - last.when < last.wait:
                known.tries[ends] = last
            elif ends not in present and self._create(token, known, ends, bool(last)):
                known.tries[ends] = _Try(self._clock(), min(2 * last.wait, MOST_RETRY_SECONDS) if last else RETRY_SECONDS)

    def _prioritise(self, token: int, known: _Known, wanted: set[Ends], present: set[Ends]) -> None:
        now = self._clock()
        known.since = {ends: since for ends, since in known.since.items() if ends in wanted}
        for ends in known.ends & present:
            backup = ends in wanted
            late = backup and now - known.since.setdefault(ends, now) < BACKUP_SECONDS
            if (ends in known.backups) != backup and not late:
                (known.backups.add if backup else known.backups.discard)(ends)
                self._do("set_backup", token, ends, ends, backup)

    def _owner(self, connection: Mapping[str, Any]) -> tuple[int, _Known] | None:
        """The connection that an answer means: it names the first subflow, which may have ended."""
        if "first" not in connection:
            return None
        token = self._owners.get(_ends(connection["first"]))
        return None if token is None else (token, self._known[token])

    def _happened(self, event: Event) -> None:
        if event.what in (What.CREATED, What.ESTABLISHED) and not event.server:
            self._begins(event.token)
        elif event.what == What.CLOSED:
            if len(self._closed) < _MOST_CONNECTIONS:
                self._closed.add(event.token)
            self._forget(event.token)
        if event.ends:
            self._owns(event.token, event.ends)
            if event.what == What.SUB_ESTABLISHED and len(self._came) < _MOST_CONNECTIONS:
                self._came.add(event.ends)
            if event.what == What.SUB_CLOSED and event.token in self._known:
                self._known[event.token].backups.discard(event.ends)
                self._known[event.token].dropped.discard(event.ends)
        elif event.token in self._known:
            if event.remote:
                known = self._known[event.token]
                known.announced[event.number] = event.remote
                known.tries = {ends: one for ends, one in known.tries.items() if ends[16:32] != event.remote}
            elif event.what == What.REMOVED:
                self._known[event.token].announced.pop(event.number, None)

    def _begins(self, token: int) -> None:
        if self._taken and len(self._known) < _MOST_CONNECTIONS:
            self._known.setdefault(token, _Known())

    def _forget(self, token: int) -> None:
        for ends in self._known.pop(token, _Known()).ends:
            if self._owners.get(ends) == token:
                del self._owners[ends]

    def _owns(self, token: int, ends: Ends) -> None:
        if token in self._known:
            self._known[token].ends.add(ends)
            self._owners[ends] = token

    def _create(self, token: int, known: _Known, ends: Ends, again: bool) -> bool:
        """A subflow to any other address would carry the connection's token there (RFC 8684, section 3.2)."""
        if _is_of(known, ends):
            return self._do("create", token, ends, ends, False)
        if again:
            self._tell(f"{' → '.join(texts(ends))}: no subflow to an address that the other host has not announced")
        return True

    def _do(self, what: str, token: int, ends: Ends, *how: Any) -> bool:
        """Whether it is done, or will never be."""
        try:
            getattr(self._manager, what)(token, *how)
        except NotYet:
            return False
        except AgentError as failure:
            self._tell(f"{' → '.join(texts(ends))}: {failure}")
        return True

    def _tell(self, line: str) -> None:
        reason = line.rpartition(": ")[2]
        if reason not in self._said:
            self._said.add(reason)
            self._say(line)


def _is_of(known: _Known, ends: Ends) -> bool:
    """Whether a subflow's other end is at an address of the connection's other host, as that host says."""
    return any(ends[16:32] == one[16:32] for one in known.ends) or ends[16:32] in known.announced.values()


def _ends(named: Mapping[str, Any]) -> Ends:
    return parse(named["local"], named["remote"])
