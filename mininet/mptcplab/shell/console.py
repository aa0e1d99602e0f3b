# SPDX-License-Identifier: Apache-2.0
"""Listens inside a demonstration for commands, a thread each, at a socket that its owner alone may use.

A request is a line of JSON: ``{"action": NAME, "arguments": {…}}``. The answers are lines: ``{"line": TEXT}``, then ``{"facts":
{…}}`` at its end, or ``{"error": TEXT, "status": NUMBER}``.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import socketserver
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ..errors import LabError
from ..rest import Json
from .serving import Serving, UnixServer

NAME = "console"
"""The socket in the run's folder is this name and the port of the page outside, as in ``console-8181``."""

LONGEST_REQUEST = 10_000
"""Octets."""

Action = Callable[..., "Json | Iterable[str | Json]"]


class Console(Serving):
    """A context manager; inside it requests at ``path`` are answered.

    ``actions``: name → what gives facts or lines for the request's arguments, or lines and then facts. One that takes
    ``given_up`` is handed a function that tells whether the other side has gone.
    """

    def __init__(self, path: Path, actions: dict[str, Action], *interruptible: str) -> None:
        server = _Server(str(path), _Handler)
        server.actions, server.interruptible = actions, interruptible
        path.chmod(0o600)
        super().__init__(server)


class _Server(UnixServer):
    actions: dict[str, Action]
    interruptible: tuple[str, ...]


class _Handler(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):
            try:
                self._answer(*request(self.rfile.readline(LONGEST_REQUEST)))
            except LabError as failure:
                self._say(error=str(failure), status=failure.status)

    def _answer(self, name: str, arguments: Json) -> None:
        action = self.server.actions.get(name)
        if action is None:
            raise LabError(f"this demonstration knows no {name}")
        given: dict[str, Any] = {"given_up": self._given_up} if name in self.server.interruptible else {}
        told = action(**arguments, **given)
        if isinstance(told, dict):
            self._say(facts=told)
            return
        facts: Json = {}
        for line in told:
            if isinstance(line, dict):
                facts = line
            else:
                self._say(line=line)
        self._say(facts=facts)

    def _given_up(self) -> bool:
        """Nobody sends anything after the request, so what can be read is the end."""
        return bool(select.select([self.connection], [], [], 0)[0]) and not self.connection.recv(1, socket.MSG_PEEK)

    def _say(self, **fields: Any) -> None:
        self.wfile.write(json.dumps(fields).encode() + b"\n")


def request(line: bytes) -> tuple[str, Json]:
    """The action that a request names, and its arguments. LabError if it is none."""
    try:
        asked = json.loads(line)
        return str(asked["action"]), dict(asked["arguments"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise LabError("not a request of ./lab") from None
