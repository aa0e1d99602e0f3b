# SPDX-License-Identifier: Apache-2.0
"""``./lab bench agents``: its arguments, the simulated agents against a controller that is none, its table and JSON."""

import json
import os
import subprocess
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from mptcplab import agentload, cli, processes
from mptcplab.agentcrowd import CONNECTIONS, SUBFLOWS, Crowd, Told
from mptcplab.agentload import Figures
from mptcplab.errors import LabError, UsageError

AGENTS = [("10.1.0.1", "one"), ("10.1.0.2", "two")]


class Controller(BaseHTTPRequestHandler):
    """Knows the first agent alone, and says nothing new to it."""

    protocol_version = "HTTP/1.1"
    reports: list[tuple[str, str, dict]] = []

    def do_POST(self):  # noqa: N802, the name that the library calls
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.reports.append((self.path, self.headers["Authorization"], content))
        known = self.path.endswith("/10.1.0.1")
        body = b'{"revision":7,"connections":[]}' if known else b'{"code":401}'
        self.send_response(200 if known else 401)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def controller(monkeypatch):
    monkeypatch.setattr(Controller, "reports", [])
    with ThreadingHTTPServer(("127.0.0.1", 0), Controller) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def told_when(crowd, enough):
    """All that came until it is enough; at most a minute."""
    answers = Counter()
    for _ in range(600):
        answers += crowd.run(0.1).answers
        if enough(answers):
            return answers
    raise AssertionError(f"only {answers}")


def test_each_reports_with_its_token_and_with_the_revision_that_it_has(controller):
    with Crowd(AGENTS, controller.server_port) as crowd:
        answers = told_when(crowd, lambda found: found[200] > 1 and found[401] > 1)
    assert set(answers) == {200, 401}
    path = "/onos/v1/mptcp/agents/report/10.1.0.1"
    ours = [(token, content) for to, token, content in Controller.reports if to == path]
    assert {token for token, _ in ours} == {"Bearer one"}
    assert ["since" in content for _, content in ours[:2]] == [False, True] and ours[1][1]["since"] == 7
    subflows = [one for connection in ours[0][1]["connections"] for one in connection["subflows"]]
    assert len({(one["local"], one["remote"]) for one in subflows}) == CONNECTIONS * SUBFLOWS
    assert all(one["local"].startswith("10.1.0.1:") for one in subflows)


def test_a_controller_that_goes_is_told_in_one_line(controller, monkeypatch):
    monkeypatch.setattr(Controller, "do_POST", lambda self: setattr(self, "close_connection", True))
    with pytest.raises(LabError, match=r"closed the connection of 10\.1\.0\.\d's agent"), Crowd(
            AGENTS, controller.server_port) as crowd:
        told_when(crowd, lambda found: False)


def figures(**special):
    told = Told(10.0, Counter({200: 5000}), [1.0, 2.0, 9.0])
    return Figures(**{"agents": 1000, "idle": 0.01, "busy": 0.09, "told": told, "own": 0.004, "own_mb": 23.0, "backend": "bpf",
                      **special})


def test_the_table_says_what_a_report_costs():
    lines = agentload.text(figures(), (1.0, 2.0)).splitlines()
    assert max(map(len, lines)) <= 100
    assert [line.split()[-1] for line in lines if "time for a report" in line or "so they cost" in line] == ["8.0", "160.0"]
    nothing = agentload.text(figures(told=Told()), (1.0, 2.0))
    assert nothing.count("–") == 3


@pytest.mark.parametrize("special, enough", [
    ({}, True), ({"busy": 0.12}, False), ({"own": 0.011}, False), ({"own_mb": 51.0}, False),
    ({"told": Told(10.0, Counter({200: 5000, 429: 1}))}, False), ({"told": Told()}, False)])
def test_it_fails_if_something_takes_too_much_or_a_report_is_refused(special, enough):
    assert agentload.is_enough(figures(**special)) == enough


def test_the_json_compares_with_what_each_may_take():
    found = {entry["name"]: entry for entry in agentload.entries(figures(), (1.0, 2.0))}
    assert found["agents-controller"]["ours"] == 0.08 and found["agents-controller"]["ratio"] == 1.25
    assert found["agents-own-memory"]["ratio"] == 2.17


def test_a_process_takes_time_and_has_children():
    assert processes.processor_seconds(os.getpid()) > 0
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child:
        assert child.pid in processes.children(os.getpid())
        child.stdin.close()


def test_hosts_have_addresses_of_their_own():
    found = agentload.hosts(agentload.AGENTS)
    assert len(set(found)) == agentload.AGENTS
    assert all(0 <= int(part) <= 255 for host in found for part in host.split("."))


def test_agents_run_alone():
    with pytest.raises(UsageError, match="agents runs alone"):
        cli.outside(["bench", "agents", "growth"])
