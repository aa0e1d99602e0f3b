# SPDX-License-Identifier: Apache-2.0
"""Every operation of REST and every command on a live ONOS, with good input and with bad. What is wrong is told in one line."""

import base64
import contextlib
import http.client
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conftest import links_of, put_back
from life import SUBFLOWS, cut_and_follow, data_connection, established, failing, paths, transfer
from mptcplab.errors import LabError
from mptcplab.processes import wait_for
from mptcplab.rest import Json
from mptcplab.settings import HTTP_PORT, ROOT
from mptcplab.testbed import Testbed

BASE = "/onos/v1/mptcp"
TIMEOUT = 20
GUEST = "only-looks-at-it"
"""Password of a user with the role viewer; there is none but in this test."""

POLICY = {"name": "operators", "ports": [5399], "weight": 2}
HUGE = b'{"client": "' + b"x" * 100_000 + b'"}'
NOBODY = "203.0.113.9"
MARKUP = "<img src=x onerror=alert(1)>"

# Method, path, body, status, and what the message says.
BAD = [
    ("GET", "connections?limit=0", None, 400, "limit is a whole number"),
    ("GET", "connections?colour=red", None, 400, "'colour' is no parameter"),
    ("GET", "connections/no-such", None, 404, "No MPTCP connection has the id no-such"),
    ("GET", "connections/%3Cscript%3E", None, 400, "is not a connection id"),
    ("DELETE", "connections/no-such", None, 404, "No MPTCP connection has the id no-such"),
    ("GET", "connections/no-such/limits", None, 404, "No MPTCP connection has the id no-such"),
    ("GET", "connections/no-such/events", None, 404, "has or had the id no-such"),
    ("GET", "links?offset=-1", None, 400, "offset is a whole number"),
    ("GET", "policies?limit=many", None, 400, "limit is a whole number"),
    ("GET", "agents?nosuch=1", None, 400, "'nosuch' is no parameter"),
    ("POST", "connections", b"{", 400, "is not JSON"),
    ("POST", "connections", b"[]", 400, "is an object with"),
    ("POST", "connections", b"[" * 5_000, 400, "not JSON, or deeper"),
    ("POST", "connections", {"subflows": "all"}, 400, "subflows is a list"),
    ("POST", "connections", {"subflows": [{"src": "10.0.0.1:1", "dst": MARKUP}]}, 400, "."),
    ("POST", "connections", {"subflows": [{"src": "10.0.0.1:1", "dst": "10.0.0.2:2"}], "seconds": "soon"}, 400,
     "seconds is a whole number"),
    ("POST", "whatif", {"client": "x", "server": "y", "k": 1, "strategies": ["shortest"]}, 400, "client: 'x' is neither"),
    ("POST", "reoptimize?connection=no-such", None, 404, "No MPTCP connection has the id no-such"),
    ("POST", "reoptimize?connection=a%20b", None, 400, "is not a connection id"),
    ("POST", "reoptimize?conection=no-such", None, 400, "'conection' is no parameter"),
    ("POST", "whatif", HUGE, 400, "the question is longer than 10000 bytes"),
    ("POST", "connections", HUGE, 400, "the connection is longer than 10000 bytes"),
    ("PUT", "policies", HUGE, 400, "the body is longer than 100000 bytes"),
    ("POST", f"agents/{NOBODY}", HUGE, 400, "the body is longer than 10000 bytes"),
    ("PUT", "settings", {"joinPolicy": "perhaps"}, 400, "it takes 'share', 'backup' or 'block'"),
    ("PUT", "settings", {MARKUP: 1}, 400, "no setting"),
    ("PUT", "policies", {"policies": 3}, 400, "policies is a list"),
    ("PUT", "policies", {"policies": [{"name": "a", "weight": "heavy"}]}, 400, "weight"),
    ("PUT", "policies", {"policies": [{"name": MARKUP}]}, 400, "name"),
    ("PUT", "overlay?connection=a%20b", None, 400, "is not a connection id"),
    ("POST", "agents/nobody", {}, 400, "'nobody' is no IP address"),
    ("POST", f"agents/{NOBODY}", {"addresses": "all"}, 400, "addresses is a list"),
    ("POST", f"agents/{NOBODY}", {"renew": "now"}, 400, "renew is true or false"),
    ("DELETE", f"agents/{NOBODY}", None, 404, "No host is registered as"),
    ("POST", f"agents/report/{NOBODY}", {}, 401, "the host is not registered, or the token is not its"),
]

# Each command in a good line, and in one that fails with what it says. {id} is a connection, {client} and {server} are hosts.
GOOD_LINES = {
    "mptcp-agents": "-j",
    "mptcp-allocators": "-j",
    "mptcp-connection-add": "-j -t 60 {client}:40001,{server}:5398",
    "mptcp-connection-remove": "-j {second}",
    "mptcp-connections": "-j {id}",
    "mptcp-counters": "-j -n",
    "mptcp-events": "-j -n 3 {id}",
    "mptcp-links": "-j -u",
    "mptcp-overlay": "-j on {id}",
    "mptcp-paths": "-j -k 2 -s shortest {client} {server}",
    "mptcp-policies": "-j",
    "mptcp-policy-add": "-j --ports 5398 fromshell",
    "mptcp-policy-remove": "-j fromshell",
    "mptcp-reoptimize": "-j {id}",
    "mptcp-settings": "-j joinPolicy share",
    "mptcp-strategies": "-j",
    "mptcp-subflows": "-j {id}",
    "mptcp-why": "-j {id}",
}
BAD_LINES = {
    "mptcp-agents": ("--all", "--all"),
    "mptcp-allocators": ("max-min", "max-min|[Tt]oo many"),
    "mptcp-connection-add": ("10.0.0.1:1", "A subflow is ADDRESS:PORT,ADDRESS:PORT"),
    "mptcp-connection-remove": ("no-such", "No MPTCP connection has the id no-such"),
    "mptcp-connections": ("no-such", "No MPTCP connection has the id no-such"),
    "mptcp-counters": ("-x", "-x"),
    "mptcp-events": ("-n many", "-n takes a whole number"),
    "mptcp-links": ("--idle", "--idle"),
    "mptcp-overlay": ("maybe", "It takes on or off"),
    "mptcp-paths": (f"10.0.0.1 {NOBODY}", "ONOS knows no host with address"),
    "mptcp-policies": ("-a", "-a"),
    "mptcp-policy-add": ("--weight heavy x", "weight"),
    "mptcp-policy-remove": ("nobody", "no policy 'nobody'"),
    "mptcp-reoptimize": ("no-such", "No MPTCP connection has the id"),
    "mptcp-settings": ("joinPolicy perhaps", "joinPolicy = perhaps: it takes 'share', 'backup' or 'block'"),
    "mptcp-strategies": ("--best", "--best"),
    "mptcp-subflows": ("'<b>'", "'<b>' is not a connection id: 1 to 63 letters"),
    "mptcp-why": ("no-such", "No MPTCP connection has the id no-such"),
}


class Answer:
    """Status, headers in small letters, and the decoded body, or None."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        self.kind = self.headers.get("content-type", "")
        # A stream does not end.
        text = answer.readline() if self.kind.startswith("text/event-stream") else answer.read()
        self.body = json.loads(text) if self.kind.startswith("application/json") and text else None
        self.text = text.decode()


def ask(authorization: str, method: str, path: str, body: object = None, **more: str) -> Answer:
    """Sends a request; ``more`` are further headers."""
    headers = {"Authorization": authorization, "Accept": "*/*", **{name.replace("_", "-"): value for name, value in more.items()}}
    content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    if content is not None:
        headers.setdefault("Content-Type", "application/json")
    connection = http.client.HTTPConnection("127.0.0.1", HTTP_PORT, timeout=TIMEOUT)
    with contextlib.closing(connection):
        connection.request(method, f"{BASE}/{path}", content, headers)
        return Answer(connection.getresponse())


def documented() -> dict[tuple[str, str], bool]:
    """Whether an operation has a body, by (method, path below ``BASE``)."""
    document = json.loads((ROOT / "app/controller/src/main/resources/apidoc/swagger.json").read_text(encoding="utf-8"))
    return {(method.upper(), path[1:]): any(one["in"] == "body" for one in operation["parameters"])
            for path, methods in document["paths"].items() for method, operation in methods.items()}


def route(method: str, path: str) -> tuple[str, str]:
    """The documented operation that a request is for."""
    return next((known, template) for known, template in sorted(documented(), key=lambda one: "{" in one[1])
                if known == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path.split("?")[0]))


@pytest.fixture
def ends(session_testbed: Testbed) -> tuple[str, str]:
    """Addresses of the first client and the first server."""
    network = session_testbed.network
    return network.addresses(network.clients[0])[0], network.addresses(network.servers[0])[0]


@pytest.fixture
def awaited(session_testbed: Testbed, ends: tuple[str, str]) -> Iterator[str]:
    """The id of a connection that is added before it starts. No other one that is awaited is left afterwards."""
    rest = session_testbed.onos.rest
    added: Json = rest.post("/mptcp/connections", {
        "subflows": [{"src": f"{ends[0]}:40000", "dst": f"{ends[1]}:5399"}], "seconds": 120})
    yield added["id"]
    for one in rest.get("/mptcp/connections")["connections"]:
        if one["awaitedUntilMillis"]:
            rest.delete(f"/mptcp/connections/{one['id']}")


@pytest.fixture
def kept(session_testbed: Testbed) -> Iterator[None]:
    """Policies, settings and overlay are afterwards as a module begins."""
    yield
    put_back(session_testbed)
    session_testbed.onos.rest.delete("/mptcp/overlay")


def test_every_operation_answers(session_testbed: Testbed, awaited: str, ends: tuple[str, str], kept: None) -> None:
    login = session_testbed.onos.login.authorization
    hosts = [host["id"] for host in session_testbed.onos.rest.get("/mptcp/topology")["hosts"]]
    agent = "203.0.113.77"
    answered = set()

    def expect(status: int, method: str, path: str, body: object = None, authorization: str = login, **more: str) -> Answer:
        answer = ask(authorization, method, path, body, **more)
        assert answer.status == status, f"{method} {path}: {answer.status} {answer.text}"
        answered.add(route(method, path))
        return answer
    for path in ("", "agents", "bound", "cluster", "connections", f"connections/{awaited}", f"connections/{awaited}/events",
                 f"connections/{awaited}/limits", "counters", "events", "links", "overlay", "plan/background", "policies",
                 "settings", "topology"):
        assert expect(200, "GET", path).body is not None, path
    listed = expect(200, "GET", "connections?state=pending&state=active&limit=1")
    assert int(listed.headers["x-total-count"]) >= 1 and len(listed.body["connections"]) == 1
    tag = expect(200, "GET", "policies").headers["etag"]
    assert expect(304, "GET", "policies", If_None_Match=tag).text == ""
    assert "onos_mptcp" in expect(200, "GET", "metrics").text
    assert expect(200, "GET", "stream").kind.startswith("text/event-stream")
    added = expect(201, "POST", "connections", {"subflows": [{"src": f"{ends[0]}:40002", "dst": f"{ends[1]}:5397"}]})
    expect(204, "DELETE", f"connections/{added.body['id']}")
    expect(204, "PUT", f"overlay?connection={awaited}")
    assert expect(200, "GET", "overlay").body == {"shown": True, "connections": [awaited]}
    expect(204, "DELETE", "overlay")
    whatif = expect(200, "POST", "whatif", {"client": hosts[0], "server": hosts[1], "k": 2, "strategies": ["shortest"]})
    assert whatif.body["answers"][0]["subflows"]
    # The awaited connection is alone on the network: there is nothing to gain.
    assert expect(200, "POST", f"reoptimize?connection={awaited}").body == {"moves": []}
    expect(200, "PUT", "policies", {"policies": [POLICY]})
    assert expect(200, "PUT", "settings", {"retentionSeconds": 360}).body["retentionSeconds"] == 360
    wait_for("the setting in force", lambda: ask(login, "GET", "settings").body["retentionSeconds"] == 360, TIMEOUT)
    token = expect(200, "POST", f"agents/{agent}").body["token"]
    report = {"version": "1", "backend": "none", "since": None, "waitMillis": 0, "connections": []}
    expect(200, "POST", f"agents/report/{agent}", report, f"Bearer {token}")
    expect(204, "DELETE", f"agents/{agent}")
    assert answered == set(documented())


@pytest.mark.parametrize("method, path, body, status, message", BAD,
                         ids=[f"{number} {one[0]} {one[1]}" for number, one in enumerate(BAD)])
def test_bad_requests_are_refused_with_what_is_wrong(session_testbed: Testbed, method: str, path: str, body: object, status: int,
                                                     message: str) -> None:
    answer = ask(session_testbed.onos.login.authorization, method, path, body)
    assert answer.status == status, answer.text
    assert answer.kind.startswith("application/json") and answer.body["code"] == status
    assert re.search(message, answer.body["message"]) and "\n" not in answer.body["message"]
    assert "Exception" not in answer.text and "\tat " not in answer.text


def test_a_body_that_is_not_said_to_be_json_is_refused(session_testbed: Testbed) -> None:
    assert ask(session_testbed.onos.login.authorization, "POST", "whatif", b"k=3", Content_Type="text/plain").status == 415


@pytest.fixture
def guest(session_testbed: Testbed) -> Iterator[str]:
    """The header of a user who may only look. Karaf reads the file of users at each login."""
    users = Path(session_testbed.onos.folder, "karaf", "etc", "users.properties")
    before = users.read_text(encoding="ascii")
    users.write_text(f"{before}onosguest = {GUEST},viewer\n", encoding="ascii")
    yield "Basic " + base64.b64encode(f"onosguest:{GUEST}".encode()).decode()
    users.write_text(before, encoding="ascii")


def test_looking_takes_a_login_and_changing_takes_the_role_admin(session_testbed: Testbed, guest: str) -> None:
    wait_for("the guest's login", lambda: ask(guest, "GET", "settings").status == 200, TIMEOUT)
    for (method, path), has_body in sorted(documented().items()):
        place, body = re.sub(r"\{\w+\}", NOBODY, path), {} if has_body else None
        assert ask("Basic b25vczp3cm9uZw==", method, place, body).status == 401, place
        if method != "GET" and "report" not in path:
            refused = ask(guest, method, place, body)
            assert refused.status == 403, f"{method} {place}: {refused.status}"


def test_of_two_who_edit_the_policies_the_second_is_told(session_testbed: Testbed, kept: None) -> None:
    login = session_testbed.onos.login.authorization
    tag = ask(login, "GET", "policies").headers["etag"]
    assert ask(login, "PUT", "policies", {"policies": [POLICY]}, If_Match=tag).status == 200
    late = ask(login, "PUT", "policies", {"policies": []}, If_Match=tag)
    assert late.status == 412 and "have changed meanwhile" in late.body["message"]
    assert [one["name"] for one in wait_for(
        "the first one's policies", lambda: ask(login, "GET", "policies").body["policies"], TIMEOUT)] == ["operators"]


def test_a_connection_moves_on_demand(testbed: Testbed) -> None:
    if testbed.network.topology.name != "diamond":
        pytest.skip("elsewhere a lost path is replaced by one that is as good")
    rest = testbed.onos.rest
    with transfer(testbed) as running:
        known = established(testbed, SUBFLOWS)
        with failing(testbed, tuple(paths(known)[0][:2])) as failure:
            cut_and_follow(testbed, failure)
            assert not apart(data_connection(testbed))
        told: list[Json] = []

        # As soon as ONOS knows the link again. The controller by itself waits until the network has been still.
        def moved() -> bool:
            told.extend(rest.post(f"/mptcp/reoptimize?connection={known['id']}", kind=None)["moves"])
            return bool(told) or apart(data_connection(testbed))
        wait_for("a move", moved, TIMEOUT, every=0.1)
        wait_for("paths of their own", lambda: apart(data_connection(testbed)), TIMEOUT)
        assert all(one["id"] == known["id"] and apart(one) for one in told)
        assert "moved" in {one["type"] for one in rest.get(f"/mptcp/connections/{known['id']}/events")["events"]}
        running.finish()


def apart(connection: Json) -> bool:
    """Whether no two of its subflows share a link."""
    links = [link for path in paths(connection) for link in links_of(path)]
    return len(links) == len(set(links))


def commands() -> set[str]:
    """The names of all commands."""
    return set(re.findall(r"^## (mptcp-\S+)$", (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8"), flags=re.M))


def test_every_command_answers_in_json(session_testbed: Testbed, awaited: str, ends: tuple[str, str], kept: None) -> None:
    assert set(GOOD_LINES) == commands()
    # What one adds the next one removes.
    second: str = session_testbed.onos.rest.post("/mptcp/connections", {
        "subflows": [{"src": f"{ends[0]}:40003", "dst": f"{ends[1]}:5396"}]})["id"]
    names = sorted(GOOD_LINES)
    lines = [f"{name} {GOOD_LINES[name].format(id=awaited, second=second, client=ends[0], server=ends[1])}" for name in names]
    # In one login, as logins take most of the time. Each answer is a line.
    out = session_testbed.onos.shell("; ".join(lines))
    answers = [line for line in out.splitlines() if line.strip()]
    assert len(answers) == len(names), out
    for name, answer in zip(names, answers):
        assert isinstance(json.loads(answer), list | dict), f"{name}: {answer}"


def test_every_command_fails_with_what_is_wrong_in_one_line(session_testbed: Testbed) -> None:
    assert set(BAD_LINES) == commands()

    def error(name: str) -> str:
        with pytest.raises(LabError) as refused:
            session_testbed.onos.shell(f"{name} {BAD_LINES[name][0]}")
        # Karaf's own words about an option have a hint in a second line.
        return re.sub(r"\x1b\[\d+m|\nTry <command> .*", "", str(refused.value)).split(": ", 2)[2]
    # More at once would wait for each other's logins.
    with ThreadPoolExecutor(max_workers=3) as pool:
        for name, said in zip(sorted(BAD_LINES), pool.map(error, sorted(BAD_LINES))):
            assert re.search(BAD_LINES[name][1], said), f"{name}: {said}"
            assert "Exception" not in said and "\tat " not in said, f"{name}: {said}"
            assert len(said.strip().splitlines()) == 1, f"{name}: {said}"
