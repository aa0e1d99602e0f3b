# SPDX-License-Identifier: Apache-2.0
"""One testbed for all system tests: they run inside a network namespace (``./lab test system``)."""

import contextlib
import os
import time
import warnings
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

import pytest

import evidence
from mptcplab import demo, namespace, processor, topology
from mptcplab.errors import LabError
from mptcplab.hosts import Host
from mptcplab.javaprocess import JavaProcess
from mptcplab.processes import run, wait_for
from mptcplab.rest import Json
from mptcplab.settings import progress
from mptcplab.short_connections import WebServer
from mptcplab.testbed import Testbed

_LONG_WAIT_SECONDS = 20
"""Longer waits for the end of a test before are told in the summary of warnings."""

_CALM_SECONDS = 120

_running: list[Testbed] = []
"""The session's testbed, once it is there."""

PREPARED: Json = {"idleSeconds": demo.IDLE_SECONDS, "retentionSeconds": demo.RETENTION_SECONDS, "policies": []}
"""The settings that are not the defaults when a module begins, and the policies."""

State = tuple[list[tuple[str, str]], list[tuple[tuple[str, str], float]], list[tuple[str, str]], str]
"""Rules in the switches, reservations, intents, and what ONOS's ``resources`` says."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--topology", default="diamond", help="network of the tests of a connection's life: diamond or os3e")
    parser.addoption("--pairs", type=int, default=1, help="clients with a server each")
    parser.addoption("--heap", help="limit of ONOS's heap, as in 1500m, in place of its own")
    parser.addoption("--onos", help="an unpacked ONOS release in place of the embedded ONOS")
    parser.addoption("--stock-like", action="store_true", help="the embedded ONOS does as a stock one, wherever it can")
    parser.addoption("--fault-minutes", type=float, default=20, help="of random faults of a cluster")
    parser.addoption("--seed", type=int, help="of these, to repeat them")
    parser.addoption("--runs", type=int, default=1, help="of each measurement of congestion controls")
    parser.addoption("--minutes", type=int, default=30, help="of short connections beside transfers")


def pytest_configure(config: pytest.Config) -> None:
    if "MPTCPLAB_RUN_FOLDER" not in os.environ:
        raise pytest.UsageError("system tests run inside a testbed's namespace: ./lab test system")
    # A helper's assertion says its values, too, as a test's does.
    pytest.register_assert_rewrite("crossing", "life", "losses", "nodes", "pairs", "sharing", "stream", "two_hosts")
    # pytest.exit, as another exception would fail one test and let the next ones run.
    namespace.prepare(leave=lambda status: pytest.exit("told to end", status))


@pytest.hookimpl(tryfirst=True)  # type: ignore[misc]  # as below
def pytest_runtest_setup(item: pytest.Item) -> None:
    """What asserts measured times or rates begins when others steal little processor time; after two minutes anyway."""
    if item.get_closest_marker("timed"):
        with contextlib.suppress(LabError):
            wait_for("a calm machine", processor.calm(), _CALM_SECONDS, every=0.5)


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]  # pytest's own types leave it out
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Says beside a failure what the testbed had at that moment, before the fixtures tidy up."""
    outcome = yield
    report = outcome.get_result()
    testbed = item.funcargs.get("session_testbed") if isinstance(item, pytest.Function) else None
    if report.failed and isinstance(testbed, Testbed):
        report.sections += [(f"at the failure: {title}", text) for title, text in evidence.of(testbed)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Runs tests that start a demonstration of their own first: it cannot share the namespace's ports with the session's ONOS."""
    items.sort(key=lambda item: "session_testbed" in getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def session_testbed(pytestconfig: pytest.Config) -> Iterator[Testbed]:
    if pytestconfig.getoption("--heap"):
        os.environ["ONOS_HEAP"] = pytestconfig.getoption("--heap")
    chosen = topology.load(pytestconfig.getoption("--topology"))
    with Testbed(chosen, connections=pytestconfig.getoption("--pairs"), subflows=chosen.subflows,
                 onos_home=pytestconfig.getoption("--onos"), stock_like=pytestconfig.getoption("--stock-like")) as running:
        assert changed(running) == {"policies": []}, "what an ONOS before has saved is not there"
        demo.configure(running.onos)
        _running.append(running)
        yield running
        _running.remove(running)


@pytest.fixture(scope="module", autouse=True)
def settings_of_a_module() -> Iterator[None]:
    """What the fixtures of a module set ends with it."""
    yield
    for testbed in _running:
        put_back(testbed)


@pytest.fixture
def testbed(session_testbed: Testbed) -> Iterator[Testbed]:
    """The testbed with nothing left of what was before: no connection active, all links up, settings and policies unchanged."""
    before = changed(session_testbed)
    quiet(session_testbed)
    yield session_testbed
    all_links_up(session_testbed)
    assert not session_testbed.network.without_limit()
    session_testbed.onos.configure(strategy="widest-disjoint")
    assert changed(session_testbed) == before, "a test puts back what it has set"


@pytest.fixture
def runs(pytestconfig: pytest.Config) -> int:
    """How often each is measured."""
    count: int = pytestconfig.getoption("--runs")
    return count


@pytest.fixture(params=["copying", "all-tcp"])
def delivery(request: pytest.FixtureRequest, testbed: Testbed) -> Iterator[str]:
    """How TCP comes to the controller: switches copy SYN, FIN and RST, or bring all TCP that has no rule."""
    if request.param == "copying" and not testbed.is_copying:
        pytest.skip("the switches of a release copy nothing: it is as all-tcp")
    with contextlib.ExitStack() as stack:
        if request.param == "all-tcp":
            stack.enter_context(all_tcp_at_the_controller(testbed))
        yield request.param
        quiet(testbed)


@pytest.fixture
def web_server(testbed: Testbed) -> Iterator[None]:
    """A web server on the first server."""
    server = testbed.network.servers[0]
    with WebServer(server, testbed.network.addresses(server)[0], testbed.folder / "web"):
        yield


def changed(testbed: Testbed) -> Json:
    """Settings in force that are not the defaults, and policies."""
    found = testbed.onos.settings()
    settings = {one["name"]: found[one["name"]] for one in found["descriptions"] if str(found[one["name"]]) != one["default"]}
    return {**settings, "policies": testbed.onos.rest.get("/mptcp/policies")["policies"]}


def put_back(testbed: Testbed) -> None:
    """Gives settings and policies the values that tests begin with; all settings, as a change may have yet to come into force."""
    wanted = {one["name"]: one["default"] for one in testbed.onos.settings()["descriptions"]} | PREPARED
    if wanted.pop("policies") != testbed.onos.rest.get("/mptcp/policies")["policies"]:
        testbed.onos.rest.put("/mptcp/policies", {"policies": []})
    testbed.onos.configure(**wanted)


def all_links_up(testbed: Testbed) -> None:
    """Takes up the links at the first client's switch, and waits until ONOS knows them all: as long as it does not know that
    a port leads to a switch, it takes hosts whose packets come in there for attached there."""
    network = testbed.network
    for link in network.topology.links:
        if network.topology.pair(0)[0] in (link.a, link.b):
            network.set_link(link.a, link.b, up=True)
    testbed.wait_for_links()


def quiet(testbed: Testbed) -> None:
    """Waits until no connection holds anything: rules and reservations go an idle time after the last packet. Tells what a long
    wait was for."""
    begun, held = time.monotonic(), list[object]()

    def nothing_held() -> bool:
        nonlocal held
        before, held = held, [(c["id"], c["state"], c["subflows"][0]["src"]) for c in active(testbed)]
        held += reserved(testbed).items()
        for host in (*testbed.network.clients, *testbed.network.servers):
            left = unclosed(host)
            reset(host, left)
            held += [(host.name, line) for line in left]
        if held:
            raise LabError(str(held))
        if time.monotonic() - begun > _LONG_WAIT_SECONDS:
            warnings.warn(f"waited {time.monotonic() - begun:.0f} s for {before}", stacklevel=2)
        return True
    wait_for("nothing held by any connection", nothing_held, 120)


def unclosed(host: Host) -> list[str]:
    """The MPTCP connections that a kernel has no program for any more and has not closed."""
    states = [word for state in ("fin-wait-1", "fin-wait-2", "closing", "last-ack") for word in ("state", state)]
    shown, why, status = host.pexec(["ss", "-HnM", *states])
    if status:
        raise LabError(f"{host.name}: {why.strip()}")
    return [" ".join(line.split()) for line in shown.splitlines()]


def reset(host: Host, lines: list[str]) -> None:
    """Resets all subflows of connections, of which ``ss`` has shown the first ones. A kernel whose program was killed in the
    middle would go on asking for the connection's end for a minute, at longer and longer intervals."""
    for port in {end.rpartition(":")[2] for line in lines for end in line.split()[-2:]}:
        host.pexec(["ss", "-KHnt", f"( sport = :{port} or dport = :{port} )"])


def connections(testbed: Testbed) -> list[Json]:
    return testbed.onos.rest.get("/mptcp/connections")["connections"]


def active(testbed: Testbed) -> list[Json]:
    """Connections that are not over."""
    return [c for c in connections(testbed) if c["state"].lower() != "idle"]


def reserved(testbed: Testbed) -> dict[tuple[str, str], float]:
    """What MPTCP holds, Mbit/s, by (source, target) connect points; nothing that is 0."""
    return {(link["source"], link["target"]): link["reservedMbps"]
            for link in testbed.onos.rest.get("/mptcp/links")["links"] if link["reservedMbps"] > 0}


def state(testbed: Testbed) -> State:
    """Rules of TCP connections and intents in the switches, bandwidth allocations, and intents in ONOS."""
    intents = sorted((i["key"], i["state"]) for i in testbed.onos.rest.get("/intents")["intents"]
                     if i.get("state", "WITHDRAWN") != "WITHDRAWN")  # one without a state is just going
    return tcp_rules(testbed), sorted(reserved(testbed).items()), intents, testbed.onos.shell("resources").strip()


def settled(testbed: Testbed) -> State:
    """The state once nothing of earlier connections is under way, and it is the same at two looks: the rules of plain TCP go an
    idle time after its last packet, intents are withdrawn one after the other, and of a network that has just begun ONOS
    enters the ports in its resource store one after the other."""
    looks = []

    def nothing_under_way() -> bool:
        looks.append(state(testbed))
        rules, _, intents, _ = looks[-1]
        moving = [key for key, phase in intents if phase.endswith(("ING", "REQ"))]
        if rules or moving:
            raise LabError(f"{len(rules)} rules, intents under way {moving}")
        return len(looks) > 1 and same(looks[-1], looks[-2])
    wait_for("no rule of a TCP connection and no intent under way", nothing_under_way, 90)
    return looks[-1]


def tcp_rules(testbed: Testbed) -> list[tuple[str, str]]:
    """Rules of TCP connections and intents in the switches, sorted; without wake rules."""
    rules = []
    for switch in testbed.network.topology.switches:
        for line in run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules").splitlines():
            # Idle connections wait for their next packet.
            if ("tp_src=" in line or "tp_dst=" in line) and "CONTROLLER" not in line:
                rules.append((switch, line.split("priority=")[1]))
    return sorted(rules)


def same(now: tuple[object, ...], before: tuple[object, ...]) -> bool:
    """LabError with the difference, if there is one."""
    for here, there in zip(now, before):
        if here != there:
            raise LabError(f"{here} instead of {there}")
    return True


def counters(testbed: Testbed) -> dict[str, int]:
    """The application's counters."""
    return testbed.onos.counters()


def links_of(path: Sequence[str]) -> set[frozenset[str]]:
    """The links of a path of switches, without direction."""
    return {frozenset(hop) for hop in zip(path, path[1:])}


def assert_disjoint(paths: Iterable[Sequence[str]]) -> None:
    """No link on two paths."""
    seen = [link for path in paths for link in links_of(path)]
    assert len(seen) == len(set(seen)), paths


@contextlib.contextmanager
def all_tcp_at_the_controller(testbed: Testbed, **settings: object) -> Iterator[None]:
    """As with a southbound that matches no TCP flags: all TCP without a rule comes to the controller. With these settings.
    The southbound of a release is such a one, and so is the embedded one where it does as a stock one does."""
    switches = len(testbed.network.topology.switches)
    before = {name: testbed.onos.settings()[name] for name in settings}
    with contextlib.ExitStack() as after:
        if testbed.is_copying:
            after.callback(testbed.onos.copy_tcp_flags, True, switches)
            testbed.onos.copy_tcp_flags(False, switches)
        after.callback(testbed.onos.configure, **before)
        testbed.onos.configure(**settings)
        yield


@contextlib.contextmanager
def managed_at_once(testbed: Testbed) -> Iterator[None]:
    """Every connection that begins meanwhile is managed, also one that says next to nothing."""
    before = testbed.onos.settings()["manageAfterMillis"]
    testbed.onos.configure(manageAfterMillis=0)
    try:
        yield
    finally:
        testbed.onos.configure(manageAfterMillis=before)


class Heap:
    """What is in use of ONOS's heap after a full collection: ``live``, bytes, and bytes by class."""

    COLLECTIONS = 4
    """The serial collector leaves gaps and counts them as objects; it closes them at every fourth full collection."""

    def __init__(self, testbed: Testbed) -> None:
        self._by_class = min((self._collected(testbed) for _ in range(self.COLLECTIONS)),
                             key=lambda found: sum(found.values()))
        self.live = sum(self._by_class.values())

    @staticmethod
    def _collected(testbed: Testbed) -> dict[str, int]:
        table = JavaProcess(testbed.onos.pid()).ask("GC.class_histogram")
        rows = [line.split() for line in table.splitlines()]
        return {row[3]: int(row[2]) for row in rows if len(row) >= 4 and row[0].rstrip(":").isdigit()}

    def growth(self, before: "Heap", most: int = 12) -> list[tuple[int, str]]:
        """The classes whose objects take most more than before, (bytes more, class)."""
        return sorted(((size - before._by_class.get(name, 0), name) for name, size in self._by_class.items()),
                      reverse=True)[:most]

    def __str__(self) -> str:
        return f"{self.live / 1e6:.1f} MB"


def tell(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Shows a figure that a test has measured, also where tests' output is not shown."""
    with capsys.disabled():
        progress(f"{text} (load {os.getloadavg()[0]:.1f})")
