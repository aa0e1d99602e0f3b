# SPDX-License-Identifier: Apache-2.0
"""Every operation of REST with what nobody should send: wrong types, huge and deep bodies, unknown names, other methods. No
answer is a server error, and none has a trace.

The operations are read from the resources' annotations, so that a new one is called without a change here.
"""

import contextlib
import http.client
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st

from conftest import tell
from mptcplab.rest import Json
from mptcplab.settings import HTTP_PORT, ROOT
from mptcplab.testbed import Testbed

BASE = "/onos/v1/mptcp"
RESOURCES = ROOT / "app/controller/src/main/java/org/subflow/mptcp/rest"
DOCUMENT = ROOT / "docs/rest-and-cli.md"
EXAMPLES = 20
"""In a round; each operation has as many rounds as there is time for."""
SHORT_SECONDS, LONG_SECONDS = 10, 400
TIMEOUT = 20


@dataclass(frozen=True)
class Operation:
    """A method and a path below ``BASE``, with ``{parameters}``."""

    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def operations() -> list[Operation]:
    """What the resources' annotations say."""
    found = []
    for file in sorted(RESOURCES.rglob("*Resource.java")):
        text = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.S)
        head, *methods = re.split(r"(?=^    @(?:GET|PUT|POST|DELETE)$)", text, flags=re.M)
        root = re.search(r'^@Path\("([^"]*)"\)', head, flags=re.M)
        assert root, file
        for method in methods:
            # Annotations end where the method's name begins.
            annotations = method.split("public Response", 1)[0]
            verb = re.search(r"@(GET|PUT|POST|DELETE)", annotations)
            below = re.search(r'@Path\("([^"]+)"\)', annotations)
            assert verb
            found.append(Operation(verb[1], f"{root[1]}/{below[1]}" if below else root[1]))
    # These two are servlets.
    return [*found, Operation("POST", "agents/report/{host}"), Operation("GET", "stream")]


class Client:
    """Sends requests over one connection, with this run's login."""

    def __init__(self, authorization: str) -> None:
        self._headers = {"Authorization": authorization, "Accept": "application/json"}
        self._connection = http.client.HTTPConnection("127.0.0.1", HTTP_PORT, timeout=TIMEOUT)

    def send(self, method: str, path: str, body: bytes | None = None, kind: str | None = None) -> tuple[int, bytes]:
        """The status, and the answer's body; that of the stream is not waited for."""
        headers = {**self._headers, **({"Content-Type": kind} if kind else {})}
        try:
            self._connection.request(method, f"{BASE}/{path}", body, headers)
            answer = self._connection.getresponse()
        except (BrokenPipeError, ConnectionResetError):
            # The server has answered before it has read the whole body, and closed.
            self._connection.close()
            return 0, b""
        if answer.getheader("Content-Type", "").startswith("text/event-stream"):
            self._connection.close()
            return answer.status, b""
        text = answer.read()
        if answer.will_close:
            self._connection.close()
        return answer.status, text

    def close(self) -> None:
        self._connection.close()


def questions(hosts: list[str]) -> st.SearchStrategy[Json]:
    """What looks like a question or a body, with fields of wrong types and values."""
    values = st.one_of(st.sampled_from([*hosts, "shortest", "10.0.0.1", "::1"]), st.integers(), st.floats(), st.text(max_size=8),
                       st.none(), st.booleans(), st.lists(st.text(max_size=4), max_size=20))
    return st.fixed_dictionaries({}, optional=dict.fromkeys(
        ("client", "server", "k", "strategies", "addresses", "host", "connections", "since", "waitMillis", "subflows", "seconds",
         "policies"), values))


def bodies(hosts: list[str]) -> st.SearchStrategy[bytes]:
    """JSON of all kinds and what is none; up to some megabytes, and up to some thousand levels."""
    anything = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
                            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
                            max_leaves=8)
    return st.one_of(
        (questions(hosts) | anything).map(lambda value: json.dumps(value).encode()),
        st.binary(max_size=64),
        st.sampled_from([b"", b"{", b'{"k": 1e999}', b"[" * 50_000, b'{"client":' * 3_000,
                         b'{"client": "' + b"x" * 3_000_000 + b'"}',
                         b'{"strategies": [' + b'"shortest",' * 200_000 + b'"shortest"]}']))


NAMES = st.one_of(
    st.sampled_from(["33a99110", "0", "ffffffff", "10.0.0.1", "203.0.113.9", "fd00::1", "::", "255.255.255.255", "a" * 5000,
                     "<script>", "..", "report", "%", "{id}", "\x00", "\udcff", "1;x=2", "é"]),
    st.text(min_size=1, max_size=12))
KINDS = st.sampled_from(["application/json", "text/plain", "application/xml", "", "multipart/form-data", "nonsense"])


@pytest.fixture
def rest(session_testbed: Testbed) -> Iterator[tuple[Client, list[str]]]:
    """A client, and the hosts' ids. What requests have registered or shown is gone afterwards."""
    rest = session_testbed.onos.rest
    before = {agent["host"] for agent in rest.get("/mptcp/agents")["agents"]}
    client = Client(session_testbed.onos.login.authorization)
    with contextlib.ExitStack() as after:
        after.callback(client.close)
        after.callback(rest.delete, "/mptcp/overlay")
        yield client, [host["id"] for host in rest.get("/mptcp/topology")["hosts"]]
        for agent in rest.get("/mptcp/agents")["agents"]:
            if agent["host"] not in before:
                rest.delete(f"/mptcp/agents/{agent['host']}")


def test_every_operation_is_found_and_documented():
    found = operations()
    assert {"GET connections/{id}/events", "POST whatif", "DELETE agents/{host}", "PUT overlay"} <= {str(one) for one in found}
    document = DOCUMENT.read_text(encoding="utf-8")
    assert [one.path for one in found if not re.search(rf"`[A-Z`, ]*{one.path.split('/')[0]}\b", document)] == []


@pytest.mark.parametrize("seconds", [pytest.param(SHORT_SECONDS, id="short"),
                                     pytest.param(LONG_SECONDS, id="long", marks=pytest.mark.long)])
def test_no_request_brings_a_server_error(session_testbed, rest, seconds, capsys):
    client, hosts = rest
    every = operations()
    log = len(session_testbed.onos.log())
    for operation in every:
        end = time.monotonic() + seconds / len(every)
        rounds = 0
        while not rounds or time.monotonic() < end:
            ask(client, operation, hosts, rounds)
            rounds += 1
        tell(capsys, f"{operation}: {rounds * EXAMPLES} requests")
    ours = [line for line in session_testbed.onos.log()[log:].splitlines() if re.search(r"\| ERROR \|.*subflow", line)]
    assert ours == []


def ask(client: Client, operation: Operation, hosts: list[str], number: int) -> None:
    """A round of requests; always the same ones for the same number."""
    @seed(number)
    @settings(max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def one(data: st.DataObject) -> None:
        check(client, operation, data, hosts)
    one()


def check(client: Client, operation: Operation, data: st.DataObject, hosts: list[str]) -> None:
    """Sends one request, and looks at its answer."""
    path = re.sub(r"\{\w+\}", lambda _: quote(data.draw(NAMES), safe="", errors="surrogateescape"), operation.path)
    if data.draw(st.booleans()):
        names = st.sampled_from(["connection", "k", "", "offset", "limit", "state"])
        query = data.draw(st.lists(st.tuples(names, NAMES), max_size=3))
        path += "?" + urlencode(query, errors="surrogateescape")
    method = data.draw(st.sampled_from([operation.method] * 6 + ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"]))
    body = data.draw(st.none() | bodies(hosts)) if method in ("PUT", "POST", "PATCH") else None
    status, text = client.send(method, path, body, data.draw(KINDS) if body is not None else None)
    described = f"{method} {path[:200]} with {body[:200] if body is not None else None!r}: {status} {text[:500]!r}"
    assert status < 500 or status == 503 and operation.path == "stream", described
    assert b"\tat " not in text and b"Exception" not in text, described
    if status >= 400 and text.lstrip().startswith(b"{"):
        assert isinstance(json.loads(text).get("message"), str), described
