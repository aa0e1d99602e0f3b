# SPDX-License-Identifier: Apache-2.0
"""Switches that come back with empty tables, that flap, that confirm nothing: each touches its own connections only."""

import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from conftest import active, connections, tell
from crossing import Attached, attached
from life import TIMEOUT, device, paths
from mptcplab.errors import LabError
from mptcplab.hosts import Host
from mptcplab.processes import run, wait_for
from mptcplab.rest import Json
from mptcplab.testbed import Testbed
from stream import Stream

SICK, ONOS = "s3", ("127.0.0.1", 6653)
HEALTHY_PORT, SICK_PORT, NEW_PORT = 5401, 5402, 5500

WAITING = 4
"""Connections that have nothing but their age, which may wait for rules of a switch at a time."""

PROMPT_SECONDS = 1.5
"""Until a connection has its rules that has become old enough, on a busy machine. A switch that confirms nothing is waited for
for two seconds."""

_BARRIER_REPLY, _MULTIPART_REPLY, _OF_RULES = 21, 19, 1
_HEADER_OCTETS = 8


@pytest.fixture(scope="module")
def hosts(session_testbed: Testbed) -> Iterator[tuple[Attached, Attached, Attached]]:
    """A client and a server with no path over the sick switch, and a client at it."""
    with (attached("s2", "w2", "02:00:00:00:0a:02", "10.0.255.22") as client,
          attached("s4", "w4", "02:00:00:00:0a:04", "10.0.255.24") as server,
          attached(SICK, "w3", "02:00:00:00:0a:03", "10.0.255.23") as patient):
        yield client, server, patient


@pytest.mark.parametrize("times", [pytest.param(1, id="reboots"), pytest.param(4, id="flaps", marks=pytest.mark.long)])
def test_a_switch_that_loses_its_rules_touches_its_own_connections_only(testbed, hosts, times):
    client, server, patient = hosts
    with stream(client, server, HEALTHY_PORT) as healthy, stream(patient, server, SICK_PORT) as sick:
        before = [with_rules(testbed, port) for port in (HEALTHY_PORT, SICK_PORT)]
        begun, ages = time.monotonic(), rules(testbed, HEALTHY_PORT)
        for _ in range(times):
            # Without a controller Open vSwitch forgets all rules.
            run(["ovs-vsctl", "del-controller", SICK], "taking a switch's controller away")
            wait_for("no rule", lambda: not rules_at(SICK, SICK_PORT), TIMEOUT)
            run(["ovs-vsctl", "set-controller", SICK, f"tcp:{ONOS[0]}:{ONOS[1]}"], "giving a switch its controller back")
            wait_for("it connected", lambda: is_connected(SICK), TIMEOUT)
        with stream(client, server, NEW_PORT) as newcomer:
            with_rules(testbed, NEW_PORT)
            newcomer.finish()
        wait_for("the switch in ONOS", lambda: device(testbed, SICK)["available"], TIMEOUT)
        wait_for("its rules back", lambda: rules_at(SICK, SICK_PORT), TIMEOUT)
        after = [with_rules(testbed, port) for port in (HEALTHY_PORT, SICK_PORT)]
        assert [one["id"] for one in after] == [one["id"] for one in before]
        assert paths(after[0]) == paths(before[0])
        elapsed, older = time.monotonic() - begun, rules(testbed, HEALTHY_PORT)
        assert older.keys() == ages.keys()
        assert all(older[rule] - ages[rule] > elapsed - 1 for rule in ages), "rules were sent anew"
        for running in (healthy, sick):
            running.finish()
    testbed.wait_for_links()


def test_a_switch_that_confirms_nothing_holds_up_nobody_else(testbed, hosts, capsys):
    client, server, patient = hosts
    before = {name: testbed.onos.settings()[name] for name in ("manageAfterMillis", "manageAfterBytes")}
    testbed.onos.configure(manageAfterMillis=1000, manageAfterBytes=10**8)
    try:
        with mute(testbed, SICK), contextlib.ExitStack() as stack:
            for port in range(SICK_PORT, SICK_PORT + 3 * WAITING):
                stack.enter_context(stream(patient, server, port, slow=True))
            wait_for("as many as may wait", lambda: sum(
                one["state"] == "pending" for one in connections(testbed)) >= WAITING, TIMEOUT, every=0.02)
            took = []
            for port in range(NEW_PORT, NEW_PORT + 3):
                begun = time.monotonic()
                stack.enter_context(stream(client, server, port, slow=True))
                with_rules(testbed, port)
                took.append(time.monotonic() - begun - 1)
            assert [one for one in connections(testbed) if one["state"] == "pending"]
            tell(capsys, "beside a switch that confirms nothing, connections have their rules "
                         f"{', '.join(f'{one:.2f}' for one in took)} s after they have earned them")
            assert max(took) < PROMPT_SECONDS
    finally:
        testbed.onos.configure(**before)
    testbed.wait_for_links()


@contextlib.contextmanager
def stream(client: Host, server: Attached, port: int, slow: bool = False) -> Iterator[Stream]:
    running = Stream(client, server, server.address, port, slow=slow)
    try:
        yield running
    finally:
        running.stop()


def with_rules(testbed: Testbed, port: int) -> Json:
    """Waits until the connection to this port is on its path, with its rules."""
    def there() -> Json:
        found = [one for one in active(testbed) if one["subflows"][0]["dst"].endswith(f":{port}")]
        if [one["state"] for one in found] != ["active"] or not all(paths(found[0])):
            raise LabError(f"{found}")
        return found[0]
    return wait_for(f"the connection to port {port}", there, TIMEOUT, every=0.05)


def rules_at(switch: str, port: int) -> dict[str, float]:
    """The age of each rule of connections to a port, seconds."""
    lines = run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules").splitlines()
    return {f"{switch}: {line.split('priority=')[1]}": float(re.search(r"duration=([\d.]+)s", line)[1])
            for line in lines if f"tp_dst={port}" in line or f"tp_src={port}" in line}


def rules(testbed: Testbed, port: int) -> dict[str, float]:
    return {rule: age for switch in testbed.network.topology.switches for rule, age in rules_at(switch, port).items()}


def is_connected(switch: str) -> bool:
    controller = run(["ovs-vsctl", "get", "Bridge", switch, "controller"], "asking for a controller").strip().strip("[]")
    return run(["ovs-vsctl", "get", "Controller", controller, "is_connected"], "asking whether it is connected").strip() == "true"


@contextlib.contextmanager
def mute(testbed: Testbed, switch: str) -> Iterator[None]:
    """The switch does what it is told and confirms nothing: no barrier reply and no list of rules comes to ONOS."""
    muted = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    near, _ = listener.accept()
                    far = socket.create_connection(ONOS)
                    for source, sink, drops in ((near, far, muted.is_set), (far, near, lambda: False)):
                        threading.Thread(target=_pass_on, args=(source, sink, drops), daemon=True).start()
        threading.Thread(target=serve, daemon=True).start()
        target = f"tcp:127.0.0.1:{listener.getsockname()[1]}"
        run(["ovs-vsctl", "set-controller", switch, target], "putting somebody between a switch and its controller")
        try:
            wait_for("it connected", lambda: is_connected(switch) and device(testbed, switch)["available"], TIMEOUT)
            testbed.wait_for_links()
            muted.set()
            yield
        finally:
            run(["ovs-vsctl", "set-controller", switch, f"tcp:{ONOS[0]}:{ONOS[1]}"], "giving a switch its controller back")
            wait_for("it connected", lambda: is_connected(switch) and device(testbed, switch)["available"], TIMEOUT)


def _pass_on(source: socket.socket, sink: socket.socket, drops: Callable[[], bool]) -> None:
    """Passes OpenFlow messages on (OpenFlow 1.3, 7.1) until one side closes."""
    with contextlib.suppress(OSError), source, sink, source.makefile("rb") as messages:
        while len(header := messages.read(_HEADER_OCTETS)) == _HEADER_OCTETS:
            message = header + messages.read(int.from_bytes(header[2:4], "big") - _HEADER_OCTETS)
            kind, part = message[1], int.from_bytes(message[8:10], "big")
            confirms = kind == _BARRIER_REPLY or kind == _MULTIPART_REPLY and part == _OF_RULES
            if not (confirms and drops()):
                sink.sendall(message)
