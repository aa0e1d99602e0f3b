# SPDX-License-Identifier: Apache-2.0
"""What stands before ONOS's web server in a demonstration, with sockets that really listen and another server for ONOS."""

import base64
import contextlib
import http.client
import json
import os
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from mptcplab.errors import LabError, UsageError
from mptcplab.login import Login
from mptcplab.processes import wait_for
from mptcplab.shell import gateway
from mptcplab.shell.actions import Actions
from mptcplab.shell.gateway import MARK, PATH, Gateway
from test_shell import _Testbed

LOGIN = Login("secret", "other")
HOST = "127.0.0.1:8181"
GOOD = {"Host": HOST, "Origin": f"http://{HOST}", "Content-Type": "application/json", "Authorization": LOGIN.authorization}
LINK = {"action": "link", "arguments": {"place": "s1-s2", "what": "down"}}
SECONDS = 20


class _Onos(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/stream":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"data: first\n\n")
            assert self.server.go_on.wait(SECONDS)
            self.wfile.write(b"data: last\n\n")
        elif self.headers["Upgrade"] and self.headers["Connection"] == "Upgrade":
            self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
            self.wfile.write(b"heard " + self.rfile.readline())
            self.close_connection = True
        else:
            self._say(self.path)

    def do_PUT(self):
        self._say(self.rfile.read(int(self.headers["Content-Length"])).decode()[-9:])

    do_POST = do_PUT

    def _say(self, text):
        self.server.heard.append((self.headers["Connection"], self.headers["Authorization"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


@pytest.fixture
def onos():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Onos) as server:
        server.heard, server.go_on = [], threading.Event()
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield server
        server.shutdown()


def only(action, **takes):
    return {"link": (action, takes or {"place": str, "what": str})}


@contextlib.contextmanager
def opened(folder, onos, actions=None):
    path = folder / "port-8181.sock"
    with Gateway(path, onos.server_address, LOGIN, actions or {}):
        yield path


class _Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("127.0.0.1", timeout=SECONDS)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(SECONDS)
        self.sock.connect(str(self._path))


def ask(path, method="GET", target="/", body=None, headers=None):
    """Status, whether the answer is marked, and its text."""
    connection = _Connection(path)
    with contextlib.closing(connection):
        connection.request(method, target, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers.get(MARK) == "1", answer.read().decode()


def command(path, request=LINK, method="POST", **headers):
    """Status and JSON of a command with the right login, but for these headers; None leaves one out."""
    sent = {name: value for name, value in {**GOOD, **{n.replace("_", "-"): v for n, v in headers.items()}}.items() if value}
    status, marked, text = ask(path, method, PATH, request if isinstance(request, bytes) else json.dumps(request), sent)
    assert marked
    return status, json.loads(text)


def test_what_is_for_onos_passes_with_a_mark(tmp_path, onos):
    with opened(tmp_path, onos) as path:
        headers = {"Connection": "keep-alive", "Authorization": "Basic b25vczpyb2Nrcw=="}
        assert ask(path, target="/onos/v1/mptcp/cluster", headers=headers) == (200, True, "/onos/v1/mptcp/cluster")
        assert onos.heard == [("close", "Basic b25vczpyb2Nrcw==")]
        assert ask(path, "PUT", "/upload", b"x" * 3_000_000 + b"the end") == (200, True, "xxthe end")
        assert ask(path, target=f"{PATH}s") == (200, True, f"{PATH}s")


def test_a_stream_arrives_as_it_is_sent(tmp_path, onos):
    with opened(tmp_path, onos) as path, contextlib.closing(_Connection(path)) as connection:
        connection.request("GET", "/stream")
        answer = connection.getresponse()
        assert answer.readline() == b"data: first\n"
        onos.go_on.set()
        assert b"data: last" in answer.read()


def test_another_protocol_passes_both_ways(tmp_path, onos):
    with opened(tmp_path, onos) as path, contextlib.closing(_Connection(path)) as connection:
        connection.connect()
        connection.sock.sendall(b"GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        connection.sock.sendall(b"hello\n")
        with connection.sock.makefile("rb") as answer:
            assert b"heard hello" in answer.read()


def test_without_onos_there_is_no_answer_but_commands_are_taken(tmp_path, onos):
    with opened(tmp_path, onos, only(lambda place, what: iter(["done"]))) as path:
        onos.shutdown()
        onos.server_close()
        with pytest.raises(http.client.RemoteDisconnected):
            ask(path)
        assert command(path) == (200, {"line": "done"})


def test_it_takes_the_place_of_what_listened_before(tmp_path, onos):
    before = socket.socket(socket.AF_UNIX)
    before.bind(str(tmp_path / "port-8181.sock"))
    with contextlib.closing(before), opened(tmp_path, onos) as path:
        assert ask(path)[0] == 200
        assert os.stat(path).st_mode & 0o777 == 0o600


def test_a_command_is_done_and_its_line_told(tmp_path, onos):
    asked = []
    with opened(tmp_path, onos, only(lambda **words: iter([str(asked.append(words) or "done")]))) as path:
        assert command(path) == (200, {"line": "done"})
        assert command(path, Origin=None) == (200, {"line": "done"})
        assert command(path, Host="localhost:9999", Origin="http://localhost:9999")[0] == 200
        assert command(path, Host="[::1]:9999", Origin="http://[::1]:9999")[0] == 200
    assert asked == [{"place": "s1-s2", "what": "down"}] * 4
    assert onos.heard == []


@pytest.mark.parametrize("status, says, headers", [
    (401, "this run's login", {"Authorization": None}),
    (401, "this run's login", {"Authorization": "Basic " + base64.b64encode(b"onos:rocks").decode()}),
    (401, "this run's login", {"Authorization": "Basic \u00e9"}),
    (403, "by its own page alone", {"Origin": "http://evil.example"}),
    (403, "by its own page alone", {"Origin": "null"}),
    (403, "by its own page alone", {"Origin": "http://127.0.0.1:8182"}),
    (403, "not at another name", {"Host": "evil.example:8181", "Origin": "http://evil.example:8181"}),
    (403, "not at another name", {"Host": "127.0.0.1.evil.example", "Origin": None}),
    (403, "not at another name", {"Host": "[127.0.0.1", "Origin": None}),
    (405, "by POST", {"method": "GET"}),
    (415, "application/json", {"Content_Type": "text/plain"}),
    (415, "application/json", {"Content_Type": None})])
def test_nobody_else_is_obeyed(tmp_path, onos, status, says, headers):
    def never(**_):
        pytest.fail("it was obeyed")
    with opened(tmp_path, onos, only(never)) as path:
        told = command(path, **headers)
        assert told[0] == status and says in told[1]["message"], told


@pytest.mark.parametrize("says, request_", [
    ("not a request", b"{"), ("not a request", b"[]"), ("not a request", b"\xff"),
    pytest.param("not a request", b"[" * 9000, id="deep"),
    ("not a request", {"action": "link"}), ("not a request", {"action": "link", "arguments": 7}),
    ("knows no host", {"action": "host", "arguments": {"name": "h1"}}),
    ("link takes place (str), what (str)", {"action": "link", "arguments": {"place": "s1-s2"}}),
    ("link takes place (str), what (str)", {"action": "link", "arguments": {"place": "s1-s2", "what": 5}}),
    ("link takes place (str), what (str)", {"action": "link", "arguments": {"place": "s1-s2", "what": "up", "more": ""}}),
    ("not a request", b"")])
def test_wrong_requests_are_told(tmp_path, onos, says, request_):
    with opened(tmp_path, onos, only(lambda place, what: pytest.fail("it was done"))) as path:
        status, answer = command(path, request_)
        assert status in (400, 500) and says in answer["message"], answer


@pytest.mark.parametrize("name, arguments, says", [
    ("link", {"place": "s1-s99", "what": "down"}, "no link s1-s99: there are s1-"),
    ("link", {"place": "s1-s2", "what": "sideways"}, "sideways is neither down nor up, nor a capacity from 0.1 to 1000 Mbit/s"),
    ("link", {"place": "s1-s2", "what": "nan"}, "nan is neither down nor up"),
    ("link", {"place": "s1-s2", "what": "1e999"}, "1e999 is neither down nor up"),
    ("link", {"place": "s1-s2", "what": "1001"}, "1001 is neither down nor up"),
    ("transfer", {"source": "h1", "target": "h9", "seconds": 5, "tcp": False}, "no host h9: there are h1, h2"),
    ("transfer", {"source": "h1", "target": "h1", "seconds": 5, "tcp": False}, "h1 cannot transfer to itself"),
    ("transfer", {"source": "h1", "target": "h2", "seconds": 0, "tcp": False}, "0 is no whole number from 1 to 3600"),
    ("transfer", {"source": "h1", "target": "h2", "seconds": 3601, "tcp": True}, "3601 is no whole number"),
    ("transfer", {"source": "h1", "target": "h2", "seconds": True, "tcp": True}, "transfer takes source (str)")])
def test_names_and_ranges_are_those_of_the_commands(tmp_path, onos, name, arguments, says):
    real = Actions(_Testbed())
    actions = {"link": (real.link, {"place": str, "what": str}),
               "transfer": (real.begin_transfer, {"source": str, "target": str, "seconds": int, "tcp": bool})}
    with opened(tmp_path, onos, actions) as path:
        status, answer = command(path, {"action": name, "arguments": arguments})
        assert status == 400 and says in answer["message"], answer


def test_a_longer_request_is_not_waited_for(tmp_path, onos):
    headers = {**GOOD, "Content-Length": 100_000_000}
    lines = [f"POST {PATH} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", "{}"]
    with opened(tmp_path, onos) as path, contextlib.closing(_Connection(path)) as connection:
        connection.connect()
        connection.sock.sendall("\r\n".join(lines).encode())
        assert b"not a request" in connection.sock.makefile("rb").read()


def test_facts_are_the_answer(tmp_path, onos):
    with opened(tmp_path, onos, {"names": (lambda: {"hosts": ["h1"]}, {})}) as path:
        assert command(path, {"action": "names", "arguments": {}}) == (200, {"hosts": ["h1"]})


def test_an_action_goes_on_after_its_first_line(tmp_path, onos):
    go_on, over = threading.Event(), threading.Event()

    def action(place, what):
        yield "it runs"
        assert go_on.wait(SECONDS)
        over.set()
        raise LabError("iperf3 has gone")
    with opened(tmp_path, onos, only(action)) as path, contextlib.closing(_Connection(path)) as connection:
        connection.request("POST", PATH, json.dumps(LINK), GOOD)
        with connection.sock.makefile("rb") as answer:
            assert answer.read().endswith(b'{"line": "it runs"}'), "the answer is whole, and the connection closed"
        assert not over.is_set()
        go_on.set()
        assert over.wait(SECONDS)


def test_what_fails_is_told_with_its_words(tmp_path, onos):
    def action(place, what):
        raise {"usage": UsageError, "failure": LabError}[what]("iperf3 cannot connect")
        yield
    with opened(tmp_path, onos, only(action)) as path:
        for what, status in (("usage", 400), ("failure", 500)):
            asked = {"action": "link", "arguments": {"place": "", "what": what}}
            assert command(path, asked) == (status, {"message": "iperf3 cannot connect"})


def test_there_is_room_for_so_many(tmp_path, onos, monkeypatch):
    monkeypatch.setattr(gateway, "_MOST_CONNECTIONS", 2)
    go_on = threading.Event()

    def action(place, what):
        yield "it runs"
        assert go_on.wait(SECONDS)
    with opened(tmp_path, onos, only(action)) as path:
        assert [command(path)[0], command(path)[0]] == [200, 200]
        with contextlib.closing(_Connection(path)) as third:
            third.connect()
            assert b"503 Service Unavailable" in third.sock.recv(4096)
        go_on.set()
        wait_for("room again", lambda: command(path)[0] == 200, SECONDS)
