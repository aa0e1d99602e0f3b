# SPDX-License-Identifier: Apache-2.0
"""``--short``: its argument, the client, and what is made of its figures and of ``ab``'s."""

import contextlib
import json
import socketserver
import subprocess
import sys
import threading

import pytest

from mptcplab import demo, report, short_connections, webclient
from mptcplab.errors import UsageError
from mptcplab.short_connections import Wanted

AB = """\
Concurrency Level:      20
Time taken for tests:   3.002 seconds
Complete requests:      1204
Failed requests:        3
   (Connect: 0, Receive: 0, Length: 3, Exceptions: 0)
Total transferred:      500864 bytes
Requests per second:    401.07 [#/sec] (mean)
"""
AB_TABLE = "Percentage served,Time in ms\n0,3.102\n1,3.310\n50,12.345\n98,40.1\n99,61.020\n"


@pytest.mark.parametrize("text, wanted", [("100", Wanted(100, "mptcp")), ("1", Wanted(1, "mptcp")),
                                          ("1000,tcp", Wanted(1000, "tcp")), ("5,mptcp", Wanted(5, "mptcp"))])
def test_a_rate_and_perhaps_a_protocol(text, wanted):
    assert short_connections.parse(text) == wanted


@pytest.mark.parametrize("text, says", [
    ("0", "0 is no whole number from 1 to 1000"), ("1001", "1001 is no whole"), ("x", "x is no whole"),
    ("", "nothing is no whole"), ("1.5", "1.5 is no whole"), ("-1", "-1 is no whole"), ("²", "² is no whole"),
    (",tcp", "nothing is no whole"), ("10,udp", "udp is no protocol"), ("10,", "nothing is no protocol"),
    ("10,tcp,tcp", "tcp,tcp is no protocol")])
def test_what_cannot_be_meant_is_refused_in_one_line_that_says_what_would_be_right(text, says):
    with pytest.raises(UsageError) as refused:
        short_connections.parse(text)
    assert says in str(refused.value) and "as in --short 100" in str(refused.value) and "\n" not in str(refused.value)


def test_the_contract_of_the_json():
    told = {"wanted": 205, "seconds": 2.0, "millis": [float(ms) for ms in range(200, -1, -1)], "failures": {"timed out": 4}}
    assert short_connections.summary(told, Wanted(100, "tcp"), 200) == {
        "protocol": "tcp", "bytes": 200, "wantedPerSecond": 100, "perSecond": 100.5, "requests": 205, "failed": 4,
        "causes": {"timed out": 4}, "p50Millis": 100, "p99Millis": 198}


def test_of_few_or_no_connections_there_are_percentiles_too():
    assert [short_connections.percentile(millis, 99) for millis in ([], [7.5], [1, 2])] == [None, 7.5, 1.99]


def test_what_ab_tells():
    assert short_connections.busy_summary(AB, AB_TABLE) == {
        "perSecond": 400.1, "requests": 1204, "failed": 3, "p50Millis": 12.345, "p99Millis": 61.02}


SHORT = {"protocol": "mptcp", "bytes": 200, "wantedPerSecond": 100, "perSecond": 99.96, "requests": 1500, "failed": 0,
         "causes": {}, "p50Millis": 4.21, "p99Millis": 31.2,
         "forwarderAlone": {"perSecond": 100.0, "failed": 0, "p50Millis": 3.0, "p99Millis": None, "goodputMbps": 8.61}}


def test_people_read_it_in_two_lines():
    assert report._short(SHORT) == [
        " short MPTCP connections, 100 per second wanted: 100.0/s answered, p50 4.2 ms, p99 31.2 ms, 0 failed",
        " with the forwarder alone: 100.0/s answered, p50 3.0 ms, p99 – ms, 0 failed, beside a transfer of 8.6 Mbit/s"]


@pytest.mark.parametrize("short, interrupted, says", [
    (SHORT, False, []),
    ({**SHORT, "failed": 3, "causes": {"timed out": 2, "ECONNRESET": 1}}, False,
     ["3 of 1500 short connections failed: 2 timed out, 1 ECONNRESET"]),
    ({**SHORT, "perSecond": 49.9}, False, ["49.9 of 100 short connections per second were answered"]),
    # Nothing is promised while the hosts cannot reach each other.
    ({**SHORT, "failed": 3, "perSecond": 1}, True, [])])
def test_short_connections_that_are_not_answered_are_a_problem(short, interrupted, says):
    result = {"connections": [], "links": [], "kernelSubflows": [], "short": short}
    assert demo.judge(result, transfers=0, subflows=3, interrupted=interrupted) == says


class _Web(socketserver.BaseRequestHandler):
    """Answers by the path: so many bytes, or nothing, or never."""

    def handle(self):
        path = self.request.recv(4096).split()[1].decode()
        if path == "/never":
            self.request.recv(1)
        elif path != "/nothing":
            status = "404 Not Found" if path == "/404" else "200 OK"
            self.request.sendall(f"HTTP/1.1 {status}\r\nServer: x\r\n\r\n".encode() + b"x" * int(path[1:]))


@pytest.fixture
def web():
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Web) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_each_request_has_a_connection_of_its_own_at_a_steady_rate(web):
    done = subprocess.run([sys.executable, "-I", webclient.__file__, "tcp", "127.0.0.1", str(web), "/200", "50", "1", "200"],
                          capture_output=True, text=True, timeout=60, check=True)
    told = json.loads(done.stdout)
    assert told["wanted"] == 50 and told["failures"] == {}
    assert len(told["millis"]) == 50 and min(told["millis"]) > 0
    assert told["seconds"] >= 0.98, "the last one begins after 49 of 50 parts of a second"


@pytest.mark.parametrize("path, cause", [("/199", "wrong answer"), ("/404", "wrong answer"), ("/nothing", "no answer"),
                                         ("/never", "timed out")])
def test_an_answer_that_is_none_is_a_failure(web, monkeypatch, path, cause):
    if cause == "timed out":
        monkeypatch.setattr(webclient, "TIMEOUT_SECONDS", 0.2)
    told = webclient.Client("tcp", "127.0.0.1", web, path, 200).run(rate=100, seconds=0.03)
    assert told["failures"] == {cause: 3} and told["millis"] == []


def test_a_server_that_is_not_there_is_a_failure():
    with contextlib.closing(webclient.socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        told = webclient.Client("tcp", "127.0.0.1", taken.getsockname()[1], "/200", 200).run(rate=100, seconds=0.02)
    assert told["failures"] == {"ECONNREFUSED": 2}


def test_a_slow_server_does_not_slow_the_client_down(web, monkeypatch):
    """The next connection begins when it is due, whether earlier ones are over or not."""
    monkeypatch.setattr(webclient, "TIMEOUT_SECONDS", 2)
    told = webclient.Client("tcp", "127.0.0.1", web, "/never", 200).run(rate=50, seconds=1)
    # One after the other they would have taken 100 seconds.
    assert told["failures"] == {"timed out": 50} and told["seconds"] < 30
