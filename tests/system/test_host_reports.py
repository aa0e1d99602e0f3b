# SPDX-License-Identifier: Apache-2.0
"""What hosts' agents and the controller say to each other, with requests made by hand in place of an agent."""

import concurrent.futures
import contextlib
import json
import time
import urllib.error
import urllib.request

import pytest

from conftest import connections, counters
from life import TIMEOUT, data_connection, established, transfer
from mptcplab.processes import wait_for
from mptcplab.settings import HTTP_PORT
from sharing import capacity

_AGENTS = f"http://127.0.0.1:{HTTP_PORT}/onos/v1/mptcp/agents"

LONG = 2000
"""Characters: longer than any token or address. Jetty itself refuses what is longer than 8 kB together."""


def request(method, path, authorization=None, body=b""):
    """The HTTP status of a request and its decoded answer."""
    headers = {"Authorization": authorization} if authorization else {}
    headers |= {"Content-Type": "application/json"} if body else {}
    asked = urllib.request.Request(_AGENTS + path, data=body or None, headers=headers, method=method)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=TIMEOUT) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as refused:
        text = refused.read()
        return refused.code, json.loads(text) if text.startswith(b"{") else text.decode(errors="replace")


@contextlib.contextmanager
def registered(testbed, host, addresses=()):
    """Registers a host as long as the body runs; gives the function that reports for it."""
    login = testbed.onos.login.authorization
    status, answer = request("POST", f"/{host}", login, json.dumps({"addresses": list(addresses)}).encode())
    assert status == 200 and answer["host"] == host and len(answer["token"]) == 43

    def report(connections=(), since=None, wait=0):
        body = {"version": "0.1.0", "backend": "none", "since": since, "waitMillis": wait, "connections": list(connections)}
        return request("POST", f"/report/{host}", f"Bearer {answer['token']}", json.dumps(body).encode())
    try:
        yield report
    finally:
        assert request("DELETE", f"/{host}", login)[0] == 204


def seen(connection, **more):
    """A connection as its client reports it."""
    return {"subflows": [{"local": s["src"], "remote": s["dst"], "deliveryMbps": 5.0, "limited": "network"}
                         for s in connection["subflows"]], "ended": False, "applicationLimited": False, **more}


def test_nobody_reports_without_the_token_of_his_host(session_testbed):
    login = session_testbed.onos.login.authorization
    wait_for("agents in REST", lambda: request("GET", "", login)[0] == 200, TIMEOUT)
    before = counters(session_testbed)
    with registered(session_testbed, "10.9.9.1") as report, registered(session_testbed, "10.9.9.2"):
        assert report()[0] == 200
        assert [a["host"] for a in request("GET", "", login)[1]["agents"]] == ["10.9.9.1", "10.9.9.2"]
        for host in ("10.9.9.1", "10.9.9.2", "10.9.9.3", "nobody", "%20", "x" * LONG):
            for word in (None, "Bearer", "Bearer x", "Bearer " + "x" * LONG, login):
                status, refusal = request("POST", f"/report/{host}", word, b"{}")
                assert status == 401 and "\n" not in refusal["message"], (host, word, refusal)
    refused = counters(session_testbed)["agents.refused"] - before["agents.refused"]
    assert refused == 30


def test_only_administrators_register_hosts(session_testbed):
    for method, path in (("GET", ""), ("POST", "/10.9.9.1"), ("DELETE", "/10.9.9.1"), ("POST", "/10.9.9.1/report")):
        assert request(method, path)[0] == 401


@pytest.mark.parametrize("body, why", [(b"", "object"), (b"[]", "object"), (b'{"connections": 7}', "list"), (b"{" * 1000, "JSON"),
                                       (b'{"x":' + b"[" * 100_000, "deep"), (b"\xff\xfe{}", "")],
                         ids=["empty", "list", "number", "braces", "deep", "binary"])
def test_a_body_that_is_no_report_is_refused_with_one_line(session_testbed, body, why):
    login = session_testbed.onos.login.authorization
    token = request("POST", "/10.9.9.1", login)[1]["token"]
    status, refusal = request("POST", "/report/10.9.9.1", f"Bearer {token}", body)
    assert status == 400 and why in refusal["message"] and "\n" not in refusal["message"]
    assert request("POST", "/report/10.9.9.1", f"Bearer {token}", b" " * 300_000)[0] == 413
    assert request("POST", "/report/10.9.9.1", f"Bearer {token}", b"{}")[0] == 200
    assert request("DELETE", "/10.9.9.1", login)[0] == 204


def test_a_host_is_told_its_shares_as_soon_as_they_change(testbed, capsys):
    with transfer(testbed) as running:
        connection = established(testbed, 3)
        client = connection["client"]
        with registered(testbed, client, {s["src"].rpartition(":")[0] for s in connection["subflows"]} - {client}) as report:
            wait_for("shares", lambda: 29 < sum(c["expectedMbps"] for c in report()[1]["connections"]) < 31, TIMEOUT)
            status, first = report([seen(connection)])
            told, = first["connections"]
            assert status == 200 and told["id"] == connection["id"]
            assert {(s["local"], s["remote"]) for s in told["subflows"]} \
                == {(s["src"], s["dst"]) for s in connection["subflows"]}
            assert {s["state"] for s in told["subflows"]} == {"active"}
            assert wait_for("word of the agent", lambda: data_connection(testbed)["agent"], TIMEOUT)
            with concurrent.futures.ThreadPoolExecutor() as pool:
                waiting = pool.submit(report, [seen(connection)], report()[1]["revision"], 10_000)
                with capacity(testbed, "s1", "s2", 4):
                    changed = time.monotonic()
                    news = waiting.result(TIMEOUT)[1]
                    took = time.monotonic() - changed
                    low = wait_for("the smaller share", lambda: report([seen(connection)])[1]["connections"][0], TIMEOUT)
                    wait_for("a share of 4 Mbit/s", lambda: any(
                        3.9 < s["expectedMbps"] < 4.1 for s in report()[1]["connections"][0]["subflows"]), TIMEOUT)
            assert news["revision"] != first["revision"] and low["id"] == connection["id"]
            with capsys.disabled():
                print(f"\nan agent heard of a new capacity {took * 1000:.0f} ms after ONOS was told")
            # The testbed ends it for the host's word alone: the transfer goes on.
            assert report([seen(connection, ended=True)])[0] == 200
            wait_for("its end", lambda: connection["id"] not in {c["id"] for c in connections(testbed)}, TIMEOUT)
            assert report()[1]["connections"] == []
        running.finish()


def test_a_hosts_word_bounds_its_demand(testbed):
    with transfer(testbed) as running:
        connection = established(testbed, 3)
        client = connection["client"]
        with registered(testbed, client, {s["src"].rpartition(":")[0] for s in connection["subflows"]} - {client}) as report:
            def demand(**more):
                report([seen(connection, **more)])
                return data_connection(testbed)["demandUpMbps"]
            wait_for("1.25 of 15 Mbit/s", lambda: demand(applicationLimited=True) == 18.75, TIMEOUT)
            wait_for("no limit", lambda: demand(applicationLimited=False) is None, TIMEOUT)
            report([seen({"subflows": [{"src": "10.0.0.77:1", "dst": "10.0.0.2:5201"}]})])
            assert counters(testbed)["agents.foreign"] > 0
        running.finish()


def test_nobody_ends_or_bounds_another_hosts_connection(testbed):
    with transfer(testbed) as running:
        connection = established(testbed, 3)
        with registered(testbed, "10.0.0.77") as report:
            before = counters(testbed)["agents.foreign"]
            for word in ({"ended": True}, {"applicationLimited": True}):
                assert report([seen(connection, **word)])[0] == 200
            assert counters(testbed)["agents.foreign"] - before == 2 * len(connection["subflows"])
            now = data_connection(testbed)
            assert now["id"] == connection["id"] and now["demandUpMbps"] is None
            assert {s["state"] for s in now["subflows"]} == {"active"}
            assert report()[1]["connections"] == []
        running.finish()
