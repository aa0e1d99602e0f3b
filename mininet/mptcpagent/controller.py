# SPDX-License-Identifier: Apache-2.0
"""The controller's REST interface for agents: a report goes there, the expected throughputs come back."""

import contextlib
import http.client
import ipaddress
import json
import math
import select
import ssl
import time
import urllib.parse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import tokenfile
from .errors import AgentError, Unusable

_PATH = "/onos/v1/mptcp/agents/report/"
_MOST_ANSWER = 8 << 20
SPARE_SECONDS = 3.0
"""So much longer than it may wait the answer may take to come."""
_PAUSE_SECONDS = 0.1
"""Between two looks at what may be news."""
_SCHEME = "Bearer"
"""How agents log in (RFC 6750)."""


class Refused(AgentError):
    """The controller does not know the token."""


class Interrupted(AgentError):
    """There is something to report that cannot wait for the answer."""


@dataclass(frozen=True)
class News:
    """What may interrupt a wait for an answer: something can be read from one of the ``descriptors``, and then ``matters``."""

    descriptors: Sequence[int]
    matters: Callable[[], bool]


class Controller:
    """One controller, asked again and again over one TCP connection."""

    def __init__(self, url: str, host: str, token_file: Path, ca: Path | None = None) -> None:
        """``url``: ``https://``, or ``http://`` to this host itself, host and port; ``host``: the address under which this host
        is registered; ``ca``: certificates to trust instead of the system's. Unusable if URL or certificates cannot be used."""
        parts = urllib.parse.urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            port = 0
        if parts.scheme not in ("http", "https") or not parts.hostname or port == 0 or parts.query or parts.username:
            raise Unusable(f"--controller {url}: give https://HOST:PORT")
        if parts.scheme == "http" and not _is_loopback(parts.hostname):
            raise Unusable(f"--controller {url}: whoever is on the way could read the token; give https://HOST:PORT. http:// is "
                           "for this host itself (127.0.0.1)")
        self._name, self._port, self._host = parts.hostname, port, host
        self._path = parts.path.rstrip("/") + _PATH + urllib.parse.quote(host, safe="")
        self._token_file = token_file
        self._tls = _trusted(ca) if parts.scheme == "https" else None
        self._connection: http.client.HTTPConnection | None = None
        self.url = url

    def report(self, content: dict[str, Any], wait_seconds: float, news: News | None = None) -> Any:
        """Sends a report and returns the decoded answer, for which the controller may take ``wait_seconds``.

        Refused if it does not take the token; Interrupted if there is ``news`` before it answers; AgentError if it does not
        answer, or not as it should.
        """
        body = json.dumps(dict(content, waitMillis=round(wait_seconds * 1000)), separators=(",", ":")).encode()
        headers = {"Authorization": f"{_SCHEME} {self._token()}", "Content-Type": "application/json",
                   "Accept": "application/json"}
        reused = self._connection is not None
        try:
            try:
                answer, said = self._ask(body, headers, wait_seconds + SPARE_SECONDS, news)
            except (ConnectionError, http.client.HTTPException):
                if not reused:
                    raise
                # The controller has closed a connection that stood still.
                answer, said = self._ask(body, headers, wait_seconds + SPARE_SECONDS, news)
        except (OSError, http.client.HTTPException) as failure:
            raise AgentError(f"{self.url} does not answer: {failure or type(failure).__name__}") from None
        return self._decoded(answer, said)

    def close(self) -> None:
        """Closes the connection; the next report opens another one."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def _ask(self, body: bytes, headers: dict[str, str], seconds: float, news: News | None
             ) -> tuple[http.client.HTTPResponse, bytes]:
        if self._connection is None:
            self._connection = self._connected(seconds)
        try:
            if self._connection.sock:
                self._connection.sock.settimeout(seconds)
            self._connection.request("POST", self._path, body, headers)
            if news and news.descriptors:
                _await(self._connection, news, seconds)
            answer = self._connection.getresponse()
            said = answer.read(_MOST_ANSWER + 1)
        except BaseException:
            self.close()
            raise
        if len(said) > _MOST_ANSWER:
            self.close()
            raise AgentError(f"{self.url} answers with more than {_MOST_ANSWER >> 20} MB")
        return answer, said

    def _connected(self, seconds: float) -> http.client.HTTPConnection:
        if self._tls:
            return http.client.HTTPSConnection(self._name, self._port, timeout=seconds, context=self._tls)
        return http.client.HTTPConnection(self._name, self._port, timeout=seconds)

    def _decoded(self, answer: http.client.HTTPResponse, said: bytes) -> Any:
        status, login = answer.status, answer.headers.get("WWW-Authenticate", _SCHEME)
        # Without the application ONOS's own interface answers, which asks for a user (RFC 7235, 4.1).
        if status == 401 and login.startswith(_SCHEME):
            raise Refused(f"{self.url} refuses the token in {self._token_file}: register {self._host} again "
                          f"(POST /onos/v1/mptcp/agents/{self._host}, {{\"renew\": true}}) and store the new token there")
        if status in (401, 404):
            raise AgentError(f"{self.url} has no agents: onos-mptcp is not active there, or older than this agent")
        if status != 200:
            raise AgentError(f"{self.url} answers {status}{_why(said)}")
        try:
            return _json(said)
        except ValueError:
            raise AgentError(f"the answer of {self.url} is not JSON") from None

    def _token(self) -> str:
        """Read each time, so that a new token needs no restart."""
        try:
            return tokenfile.read(self._token_file)
        except AgentError as failure:
            raise Refused(str(failure)) from None


def _await(connection: http.client.HTTPConnection, news: News, seconds: float) -> None:
    """Waits until the answer begins, or time is up. Interrupted if there is news before that."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        readable = select.select([connection.sock, *news.descriptors], [], [], left)[0]
        if not readable or connection.sock in readable:
            return
        if news.matters():
            raise Interrupted("there is news")
        # Many short connections must not keep the agent busy.
        if select.select([connection.sock], [], [], min(left, _PAUSE_SECONDS))[0]:
            return


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _trusted(ca: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=str(ca) if ca else None)
    except OSError as failure:
        raise Unusable(f"--ca {ca}: {failure}") from None


def _json(said: bytes) -> Any:
    """What is written there. ValueError if it is not JSON (RFC 8259), has a number that is not finite, or is nested too deep."""
    try:
        return json.loads(said, parse_float=_finite, parse_int=_whole, parse_constant=_finite)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number} is not finite")
    return value


def _whole(number: str) -> int:
    _finite(number)
    return int(number)


def _why(said: bytes) -> str:
    message = None
    with contextlib.suppress(ValueError, AttributeError):
        message = _json(said).get("message")
    return f": {message}" if message else ""
