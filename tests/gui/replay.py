# SPDX-License-Identifier: Apache-2.0
"""Replaces ONOS for situations that a real network cannot show on demand: the built page, and REST with invented data.

    python3 tests/gui/replay.py [--scenario NAME] [--port N] [--page FOLDER] [--period SECONDS] [--no-stream]

Login onos/rocks. POST /control changes things: {"close": ID}, {"fail": [a, b]}, {"stop": SWITCH},
{"counters": {NAME: VALUE}}, {"status": 503 or 0},
{"version": TEXT}, {"open": N}, {"refuse": STRATEGY}, {"undecided": REASON or ""}, {"others": [ADDRESS, …]},
{"testbed": "answers", "silent" or ""}. GET /control tells what the testbed was asked to do.
"""

import argparse
import base64
import json
import mimetypes
import re
import threading
import time
import zlib
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from scenario import Json, Scenario
from scenarios import SCENARIOS

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE, REST = "/onos/mptcp/", "/onos/v1/mptcp"
_LOGIN = "Basic " + base64.b64encode(b"onos:rocks").decode()


def policy() -> str:
    """The Content-Security-Policy that the real server sends, read from its source so that both cannot differ."""
    source = REPOSITORY / "gui/src/main/java/org/subflow/mptcp/gui/PageHeaders.java"
    parts = []
    for line in source.read_text(encoding="utf-8").split("POLICY =")[1].split(";\n")[0].splitlines():
        parts += line.split('"')[1::2]
    return "".join(parts)


class Replay:
    """The state behind the handlers."""

    def __init__(self, scenario: Scenario, page: Path | str, period: float = 1.0, stream: bool = True) -> None:
        self.scenario, self.page, self.period, self.stream = scenario, Path(page), period, stream
        self.status = 0
        self.undecided = ""
        self.others: list[str] = []
        self.testbed = ""
        self.commands: list[Json] = []
        self.overlay: list[str] = []
        self.lock = threading.Lock()
        self.ticks = 0
        self.changed = threading.Condition(self.lock)
        self._told = {identifier: len(events) for identifier, events in scenario.life.items()}
        self._known = set(scenario.connections)
        self._dead: set[str] = set()
        self.delta = ""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(self.period)
            with self.changed:
                self.scenario.step(self.period)
                self.delta = json.dumps(self._delta())
                self.ticks += 1
                self.changed.notify_all()

    def _delta(self) -> Json:
        scenario = self.scenario
        delta = {"millis": scenario.millis, "connections": list(scenario.connections.values()), "bound": scenario.bound(),
                 "counters": scenario.counters}
        if scenario.dead != self._dead:
            self._dead = set(scenario.dead)
            delta["topology"] = scenario.topology()
        else:
            delta["links"] = scenario.links()
        delta["closed"] = sorted(self._known - set(scenario.connections))
        self._known = set(scenario.connections)
        delta["events"] = [event for identifier, events in scenario.life.items()
                           for event in events[self._told.get(identifier, 0):]]
        self._told = {identifier: len(events) for identifier, events in scenario.life.items()}
        return delta

    def tag(self) -> str:
        """The entity tag of the policies."""
        return f'"{zlib.crc32(json.dumps(self.scenario.policies).encode()):x}"'

    def control(self, order: Json) -> None:
        """Does what a test asks for."""
        with self.changed:
            if "close" in order:
                self.scenario.close(order["close"])
            if "fail" in order:
                self.scenario.fail(*order["fail"])
            if "stop" in order:
                self.scenario.stop(order["stop"])
            if "policies" in order:
                self.scenario.policies = order["policies"]
            if "counters" in order:
                self.scenario.counters.update(order["counters"])
            if "open" in order:
                self.scenario.connect(1, 2, subflows=order["open"], identifier=order.get("id"))
            self.scenario.refused_strategy = order.get("refuse", self.scenario.refused_strategy)
            self.status = order.get("status", self.status)
            self.undecided = order.get("undecided", self.undecided)
            self.others = order.get("others", self.others)
            self.testbed = order.get("testbed", self.testbed)
            self.stream = order.get("stream", self.stream)
            self.scenario.version = order.get("version", self.scenario.version)
            self.changed.notify_all()


    def command(self, action: str, arguments: Json) -> tuple[int, Json]:
        """What the testbed answers; links go down and up, and a transfer is a further connection."""
        scenario, links = self.scenario, self.links()
        if action == "names":
            return 200, {"hosts": [host["name"] for host in scenario.hosts], "links": list(links), "ports": links}
        self.commands.append({"action": action, **arguments})
        if action == "transfer":
            source, target, seconds = (arguments[name] for name in ("source", "target", "seconds"))
            if source == target:
                return 400, {"message": f"{source} cannot transfer to itself: give two hosts"}
            scenario.connect(int(source[1:]), int(target[1:]), identifier=f"begun-{len(self.commands)}")
            return 200, {"line": f"a transfer from {source} to {target} runs for {seconds} s"}
        place, what = arguments["place"], arguments["what"]
        ends = [int(name[1:]) for name in place.split("-")]
        if what in ("down", "up"):
            (scenario.fail if what == "down" else scenario.mend)(*ends)
            return 200, {"line": f"link {place} is {what}"}
        if not re.fullmatch(r"[0-9.]+", what):
            return 400, {"message": f"{what} is neither down nor up, nor a capacity from 0.1 to 1000 Mbit/s"}
        return 200, {"line": f"link {place} has {what} Mbit/s in each direction"}

    def links(self) -> dict[str, list[str]]:
        """The testbed's names of links, with their ports."""
        return {f"s{a}-s{b}": [port, back] for port, (a, b, back) in self.scenario.ends.items() if a < b}


def handler(replay: Replay) -> type[BaseHTTPRequestHandler]:
    """The request handler class over a state."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"] or 0)
            body: Json = json.loads(self.rfile.read(length)) if length else {}
            if self.path == "/control":
                replay.control(body)
                return self._json(200, {})
            if not self._may():
                return None
            if self.path == f"{PAGE}testbed":
                if replay.testbed == "silent":
                    self.close_connection = True
                    return None
                with replay.lock:
                    return self._json(*(replay.command(**body) if replay.testbed else (404, {"message": "Not found"})))
            with replay.lock:
                if self.path == f"{REST}/reoptimize":
                    return self._json(200, {"moves": replay.scenario.background_plan()})
                return self._json(*replay.scenario.what_if(body))

        def do_PUT(self) -> None:
            what = urlsplit(self.path).path.removeprefix(f"{REST}/")
            if what == "overlay":
                return self._overlay(parse_qs(urlsplit(self.path).query).get("connection", []))
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if not self._may():
                return None
            with replay.lock:
                scenario = replay.scenario
                if what == "settings":
                    for each in scenario.kept["descriptions"]:
                        value = body.get(each["name"], each["default"])
                        if not (value in each["choices"] if each["choices"] else str(value).isdigit()):
                            wrong = f"{each['name']} = {value}: it takes {each['takes']}"
                            return self._json(400, {"code": 400, "message": wrong})
                    scenario.kept.update(body)
                    return self._json(200, {**scenario.all_settings(), **body})
                if self.headers["If-Match"] != replay.tag():
                    return self._json(412, {"code": 412, "message": "the policies have changed meanwhile"})
                scenario.policies = body["policies"]
                return self._json(200, {"policies": scenario.policies}, {"ETag": replay.tag()})

        def do_DELETE(self) -> None:
            self._overlay([])

        def _overlay(self, connections: list[str]) -> None:
            if self._may():
                replay.overlay = connections
                self.send_response(204)
                self.end_headers()

        def do_GET(self) -> None:
            if self.path == "/control":
                self._json(200, replay.commands)
            elif self._may():
                path = self.path.split("?")[0]
                if path.startswith(PAGE):
                    self._file(path[len(PAGE):] or "index.html")
                elif path.startswith(REST):
                    self._rest(path[len(REST):])
                else:
                    self._json(404, {"code": 404, "message": "Not found"})

        def _may(self) -> bool:
            if replay.status and self.path.startswith(REST):
                self._json(replay.status, {"code": replay.status, "message": "Told to"})
                return False
            if self.headers.get("Authorization") != _LOGIN:
                self._json(401, {}, {"WWW-Authenticate": 'Basic realm="karaf"'})
                return False
            return True

        def _rest(self, path: str) -> None:
            if path == "/stream":
                return self._stream() if replay.stream else self._json(503, {"code": 503, "message": "No stream"})
            with replay.lock:
                scenario = replay.scenario
                parts = path.split("/")
                if path == "/settings":
                    body = scenario.all_settings()
                elif path == "/topology":
                    body = scenario.topology()
                elif path == "/connections":
                    body = {"connections": list(scenario.connections.values()), "ended": scenario.ended}
                elif path == "/overlay":
                    body = {"shown": bool(replay.overlay), "connections": replay.overlay}
                elif path == "/bound":
                    body = {"bound": scenario.bound()}
                elif path == "/plan/background":
                    body = {"moves": scenario.background_plan()}
                elif path == "/cluster":
                    body = {"leader": None if replay.undecided else "127.0.0.1", "message": replay.undecided or None,
                            "others": replay.others}
                elif path == "/events":
                    body = {"events": scenario.events()}
                elif path == "/agents":
                    body = {"agents": [{"host": "10.0.0.1", "addresses": ["10.0.0.1"], "lastReportMillis": 1200, "backend": "bpf",
                                        "pathManager": "user", "connections": 2, "version": "0.1.0"}]}
                elif path == "/policies":
                    return self._json(200, {"policies": scenario.policies}, {"ETag": replay.tag()})
                elif path == "/counters":
                    body = {"counters": scenario.counters}
                elif len(parts) == 4 and parts[3] == "limits":
                    return self._json(*scenario.limits(parts[2]))
                elif len(parts) == 4 and parts[3] == "events":
                    body = {"events": scenario.life.get(parts[2], [])}
                else:
                    return self._json(404, {"code": 404, "message": f"Nothing at {path}"})
                return self._json(200, body)

        def _stream(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Cache-Control", "no-store")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            with replay.lock:
                message, ticks = json.dumps(replay.scenario.snapshot()), replay.ticks
            try:
                self._event("snapshot", message)
                while True:
                    with replay.changed:
                        replay.changed.wait_for(lambda: replay.ticks > ticks or replay.status or not replay.stream, 10)
                        ticks, message = replay.ticks, replay.delta
                        if replay.status or not replay.stream:
                            return
                        if not message:
                            continue
                    self._event("delta", message)
            except OSError:
                pass

        def _event(self, kind: str, data: str) -> None:
            self.wfile.write(f"event: {kind}\ndata: {data}\n\n".encode())
            self.wfile.flush()

        def _file(self, name: str) -> None:
            path = replay.page / name
            if not path.is_file() or "/" in name:
                return self._json(404, {"code": 404, "message": "Not found"})
            body = path.read_bytes()
            self._send(200, body, mimetypes.guess_type(name)[0] or "application/octet-stream",
                       {"Content-Security-Policy": policy(), "X-Content-Type-Options": "nosniff"})

        def _json(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
            self._send(status, json.dumps(body).encode(), "application/json", headers or {})

        def _send(self, status: int, body: bytes, kind: str, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            mark = {"Mptcp-Testbed": "1"} if replay.testbed else {}
            for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **mark, **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    return Handler


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scenario", choices=SCENARIOS, default="diamond")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--page", default=str(REPOSITORY / "gui/target/page"))
    parser.add_argument("--period", type=float, default=1.0)
    parser.add_argument("--no-stream", action="store_true")
    options = parser.parse_args()
    replay = Replay(SCENARIOS[options.scenario](), options.page, options.period, not options.no_stream)
    server = ThreadingHTTPServer(("127.0.0.1", options.port), handler(replay))
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}{PAGE}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
