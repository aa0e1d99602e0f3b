# SPDX-License-Identifier: Apache-2.0
"""Stands before ONOS's web server inside a demonstration, and answers what the page asks of the testbed itself.

It serves one origin, so the page needs no further address, login or permission. What is for ONOS it passes on as it comes, a
connection for each request. The first line of ONOS's answers is followed by ``MARK``, by which the page knows a demonstration.
A request to ``PATH`` is one of the console's, and what it may ask is in ``actions`` alone.
"""

from __future__ import annotations

import contextlib
import hmac
import http.client
import io
import json
import os
import re
import select
import socket
import socketserver
import threading
from collections.abc import Callable, Iterable, Mapping
from email.message import Message
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit

from ..errors import LabError, UsageError
from ..login import Login
from ..rest import Json
from ..settings import progress
from .console import LONGEST_REQUEST, request
from .serving import Serving, UnixServer

PATH = "/onos/mptcp/testbed"
"""Below the page's own, so that the browser's login for the page is good for it."""

MARK = "Mptcp-Testbed"
"""The header of a demonstration's answers."""

_HERE = ("127.0.0.1", "localhost", "::1")
_MOST_CONNECTIONS = 200
_LONGEST_HEAD, _PIECE = 65_536, 65_536
_PATIENCE_SECONDS = 30.0

Action = tuple[Callable[..., "Json | Iterable[str | Json]"], dict[str, type]]
"""What gives facts, or lines of which the first is the answer; and its arguments with their types. It is asked for its further
lines, too, when the answer is sent."""


class Gateway(Serving):
    """A context manager; inside it whoever connects to the Unix socket ``path`` reaches ONOS at ``onos``, and ``actions``.

    It takes the place of what listened there. Connections that are open then stay as they are.
    """

    def __init__(self, path: Path, onos: tuple[str, int], login: Login, actions: Mapping[str, Action]) -> None:
        new = path.with_name(f"{path.name}.new")
        server = _Server(str(new), _Handler)
        server.onos, server.login, server.actions = onos, login, actions
        new.chmod(0o600)
        os.replace(new, path)
        super().__init__(server)


class _Server(UnixServer):
    request_queue_size = 64
    onos: tuple[str, int]
    login: Login
    actions: Mapping[str, Action]

    def __init__(self, path: str, handler: type[socketserver.BaseRequestHandler]) -> None:
        super().__init__(path, handler)
        self._free = threading.BoundedSemaphore(_MOST_CONNECTIONS)

    def process_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            assert isinstance(request, socket.socket)
            with contextlib.suppress(OSError):
                request.sendall(_answer(HTTPStatus.SERVICE_UNAVAILABLE, _message(
                    f"the demonstration has {_MOST_CONNECTIONS} connections and transfers of the page: wait until some end")))
            self.shutdown_request(request)

    def process_request_thread(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()


class _Handler(socketserver.BaseRequestHandler):
    server: _Server
    request: socket.socket

    def handle(self) -> None:
        # Whoever goes away, or says nothing, needs no answer; and without ONOS there is none.
        with contextlib.suppress(OSError):
            self.request.settimeout(_PATIENCE_SECONDS)
            head, begun = _head(self.request)
            if not head:
                return
            first, *fields = head.split(b"\r\n")
            method, _, target = first.decode("latin-1").partition(" ")
            if target.rpartition(" ")[0] == PATH:
                self._command(method, http.client.parse_headers(io.BytesIO(b"\r\n".join(fields) + b"\r\n\r\n")), begun)
            else:
                self._pass_on(first, fields, begun)

    def _pass_on(self, first: bytes, fields: list[bytes], begun: bytes) -> None:
        names = [field.partition(b":")[0].strip().lower() for field in fields]
        if b"upgrade" not in names:
            # One request for each connection: the next one may be for us.
            fields = [field for name, field in zip(names, fields) if name != b"connection"] + [b"Connection: close"]
        with socket.create_connection(self.server.onos, _PATIENCE_SECONDS) as onos:
            onos.sendall(b"\r\n".join([first, *fields, b"", begun]))
            onos.settimeout(None)
            self.request.settimeout(None)
            _carry(self.request, onos)

    def _command(self, method: str, headers: Message, begun: bytes) -> None:
        # Read whatever becomes of it: who still sends would not see the answer.
        body = self._body(headers, begun)
        refused = _refusal(method, headers, self.server.login)
        if refused:
            self.request.sendall(_answer(*refused))
            return
        further: Iterable[str | Json] = ()
        try:
            first, further = self._first(*request(body))
            answer = _answer(HTTPStatus.OK, first)
        except LabError as failure:
            wrong = isinstance(failure, UsageError)
            answer = _answer(HTTPStatus.BAD_REQUEST if wrong else HTTPStatus.INTERNAL_SERVER_ERROR, _message(str(failure)))
        self.request.sendall(answer)
        self.server.shutdown_request(self.request)
        try:
            for _ in further:
                pass
        except LabError as failure:
            progress(f"asked for on the page: {failure}")

    def _first(self, name: str, arguments: Json) -> tuple[Json, Iterable[str | Json]]:
        if name not in self.server.actions:
            raise UsageError(f"the testbed's page knows no {name}")
        action, takes = self.server.actions[name]
        if {each: type(value) for each, value in arguments.items()} != takes:
            wanted = ", ".join(f"{each} ({kind.__name__})" for each, kind in takes.items())
            raise UsageError(f"{name} takes {wanted or 'nothing'}")
        told = action(**arguments)
        if isinstance(told, dict):
            return told, ()
        further = iter(told)
        return {"line": next(further)}, further

    def _body(self, headers: Message, body: bytes) -> bytes:
        """The whole body; what has come of one that is longer than any request."""
        told = str(headers.get("Content-Length", ""))
        length = int(told) if re.fullmatch("[0-9]{1,9}", told) else 0
        while len(body) < length <= LONGEST_REQUEST:
            piece = self.request.recv(_PIECE)
            if not piece:
                break
            body += piece
        return body[:LONGEST_REQUEST]


def _refusal(method: str, headers: Message, login: Login) -> tuple[HTTPStatus, Json] | None:
    """Why a request is refused, whatever it asks for; None if it is not."""
    host = str(headers.get("Host", ""))
    # Another page's name may lead here, too (DNS rebinding), and another page's form may be sent here.
    if _name(host) not in _HERE:
        return HTTPStatus.FORBIDDEN, _message(f"the testbed is asked at {' or '.join(_HERE)}, not at another name")
    if headers.get("Origin", f"http://{host}") != f"http://{host}":
        return HTTPStatus.FORBIDDEN, _message("the testbed is asked by its own page alone")
    if method != "POST":
        return HTTPStatus.METHOD_NOT_ALLOWED, _message("the testbed is asked by POST")
    if headers.get_content_type() != "application/json":
        return HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _message("a request is application/json")
    if not hmac.compare_digest(str(headers.get("Authorization", "")).encode(), login.authorization.encode()):
        return HTTPStatus.UNAUTHORIZED, _message("the testbed takes this run's login")
    return None


def _name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _head(connection: socket.socket) -> tuple[bytes, bytes]:
    """The first line and fields of a request, and what has come of its body; nothing if no whole head comes."""
    came = b""
    while b"\r\n\r\n" not in came:
        piece = connection.recv(_PIECE)
        if not piece or len(came) > _LONGEST_HEAD:
            return b"", b""
        came += piece
    head, _, begun = came.partition(b"\r\n\r\n")
    return head, begun


def _carry(client: socket.socket, onos: socket.socket) -> None:
    """Octets both ways until either side ends; the mark comes after ONOS's first line."""
    line: bytes | None = b""
    while True:
        for source in select.select([client, onos], [], [])[0]:
            piece = source.recv(_PIECE)
            if not piece:
                return
            if source is client:
                onos.sendall(piece)
                continue
            if line is not None:
                line += piece
                if b"\r\n" not in line:
                    continue
                piece, line = line.replace(b"\r\n", f"\r\n{MARK}: 1\r\n".encode(), 1), None
            client.sendall(piece)


def _message(text: str) -> Json:
    return {"message": text}


def _answer(status: HTTPStatus, body: Json) -> bytes:
    octets = json.dumps(body).encode()
    challenge = ['WWW-Authenticate: Basic realm="karaf"'] if status == HTTPStatus.UNAUTHORIZED else []
    return "\r\n".join([f"HTTP/1.1 {status.value} {status.phrase}", "Content-Type: application/json", f"{MARK}: 1",
                        f"Content-Length: {len(octets)}", "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
                        *challenge, "Connection: close", "", ""]).encode() + octets
