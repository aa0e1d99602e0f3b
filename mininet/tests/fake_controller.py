# SPDX-License-Identifier: Apache-2.0
"""A controller for agents, on 127.0.0.1: takes reports, waits as the real one, answers what a test wants."""

import contextlib
import json
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "a-token"


class FakeController:
    """A context manager. ``reports``: the bodies so far; ``paths``; ``status``: answered instead of 200, if set;
    ``more``: further fields of every answer; ``login``: what a 401 asks for; ``raw``: answered as it is, if set."""

    def __init__(self) -> None:
        self.reports: list[dict] = []
        self.paths: list[str] = []
        self.status = 0
        self.login = "Bearer"
        self.more: dict = {}
        self.raw = b""
        self._connections: list[dict] = []
        self._revision = 1
        self._changed = threading.Condition()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.paths.append(self.path)
                self._answer(*outer._answer(self.headers.get("Authorization"), json.loads(body)))

            def _answer(self, status: int, content: dict) -> None:
                said = outer.raw or json.dumps(content).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(said)))
                if status == 401:
                    self.send_header("WWW-Authenticate", outer.login)
                self.end_headers()
                with contextlib.suppress(ConnectionError):  # the agent was killed
                    self.wfile.write(said)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "FakeController":
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, connections: Iterable[dict]) -> None:
        """From now on, and at once to who waits."""
        with self._changed:
            self._connections = list(connections)
            self._revision += 1
            self._changed.notify_all()

    def _answer(self, authorization: str | None, report: dict) -> tuple[int, dict]:
        if authorization != f"Bearer {TOKEN}":
            return 401, {"code": 401, "message": "unknown token"}
        if self.status:
            return self.status, {"code": self.status, "message": "as the test wants"}
        with self._changed:
            self.reports.append(report)
            self._changed.notify_all()
            if report.get("since") == self._revision:
                self._changed.wait_for(lambda: report["since"] != self._revision, report["waitMillis"] / 1000)
            return 200, {"revision": self._revision, "connections": self._connections, **self.more}


def connection(subflows: Iterable[tuple[str, str, float, str]]) -> dict:
    """A connection of an answer; each subflow: local, remote, Mbit/s, state."""
    listed = [{"local": local, "remote": remote, "expectedMbps": mbps, "state": state} for local, remote, mbps, state in subflows]
    total = sum(one["expectedMbps"] for one in listed)
    return {"id": "33a99110", "attainableMbps": total, "availableMbps": total, "expectedMbps": total, "subflows": listed}
