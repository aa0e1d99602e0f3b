# SPDX-License-Identifier: Apache-2.0
"""ONOS's REST interface, as much of it as the testbed needs."""

import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from .errors import LabError
from .login import Login, of_this_run
from .settings import HTTP_PORT

Json = dict[str, Any]
"""An object of ONOS's or of the contract's JSON."""


class Rest:
    """GET, POST, PUT and DELETE below ``/onos/v1`` with a login, this run's unless given. LabError when ONOS does not do it."""

    def __init__(self, login: Login | None = None, port: int = HTTP_PORT, seconds: float = 20,
                 address: str = "127.0.0.1") -> None:
        self._base = f"http://{address}:{port}/onos/v1"
        self._seconds = seconds
        self._headers = {"Authorization": (login or of_this_run()).authorization, "Accept": "application/json"}
        # Never through a proxy that the environment may name: this is loopback, or a namespace of the testbed.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def get(self, path: str) -> Any:
        """The decoded answer to GET ``path``, which begins with a slash."""
        return self._request("GET", path)

    def text(self, path: str) -> str:
        """The answer to GET ``path``, which is plain text."""
        return self._answer("GET", path, {"Accept": "text/plain"}).decode()

    def post(self, path: str, content: object = None, kind: str | None = "application/json") -> Any:
        """POSTs bytes, an object as JSON, or nothing at all (``kind`` None); returns the decoded answer or None."""
        if kind is None:
            return self._request("POST", path)
        body = content if isinstance(content, bytes) else b"" if content is None else json.dumps(content).encode()
        return self._request("POST", path, body, kind)

    def put(self, path: str, content: object) -> Any:
        """PUTs an object as JSON."""
        return self._request("PUT", path, json.dumps(content).encode(), "application/json")

    def delete(self, path: str) -> Any:
        """DELETEs ``path``."""
        return self._request("DELETE", path)

    def _request(self, method: str, path: str, body: bytes | None = None, kind: str | None = None) -> Any:
        text = self._answer(method, path, {"Content-Type": kind} if kind else {}, body)
        if not text.strip():
            return None
        try:
            return json.loads(text)
        except ValueError:
            raise LabError(f"ONOS's answer to {method} {path} is not JSON") from None

    def _answer(self, method: str, path: str, headers: dict[str, str], body: bytes | None = None) -> bytes:
        headers = {**self._headers, **headers}
        request = urllib.request.Request(self._base + path, data=body, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=self._seconds) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as failure:
            raise LabError(f"ONOS answers {failure.code} to {method} {path}{_why(failure)}") from None
        except (OSError, ValueError) as failure:
            raise LabError(f"ONOS does not answer {method} {path}: {failure}") from None


def quote(text: str) -> str:
    """Text as one segment of a path."""
    return urllib.parse.quote(text, safe="")


def _why(failure: urllib.error.HTTPError) -> str:
    try:
        message = json.loads(failure.read()).get("message")
    except (OSError, ValueError, AttributeError):
        return ""
    return f": {message}" if message else ""
