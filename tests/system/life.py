# SPDX-License-Identifier: Apache-2.0
"""Helpers for tests of a connection's life: transfers and their state, rules in the switches, and links that fail."""

import contextlib
from collections.abc import Iterator, Sequence

from conftest import active, links_of, reserved
from evidence import mptcp_counters
from mptcplab.errors import LabError
from mptcplab.failure import Failure
from mptcplab.hosts import PREFIX, Host, further_addresses
from mptcplab.netcfg import device_id, switch_name
from mptcplab.processes import run, wait_for
from mptcplab.rest import Json
from mptcplab.sampling import sent_bytes
from mptcplab.testbed import Testbed
from sharing import allocated
from stream import Stream

SUBFLOWS = 3
"""What the testbed starts with."""

TCP = (" tcp", ",tcp")
"""One of these is in what Open vSwitch prints of a rule about TCP."""

LEAST_MBPS = 1
"""Of goodput; what a transfer carries at the very least, also on a busy machine: how much it is belongs to benchmarks."""

PAYLOAD = 1428 / 1514
"""Of what a full frame of MPTCP over IPv4 has on the wire (timestamps and a data sequence mapping in each)."""

STILL_READINGS = 4
"""Of a counter that are the same, half a second apart."""

TIMEOUT = 60
"""Seconds; the most that anything may take that must happen, on a machine that is busy with other things."""


TRANSFER_PORT = 5201
"""Of the servers of transfers, where a test names no other."""


@contextlib.contextmanager
def transfer(testbed: Testbed, mptcp: bool = True, port: int = TRANSFER_PORT) -> Iterator[Stream]:
    """A transfer from the first client to the first server, until the end of the body; gives the `Stream`."""
    network = testbed.network
    running = Stream(network.clients[0], network.servers[0], network.addresses(network.servers[0])[0], port, mptcp)
    try:
        yield running
        running.leave()
    finally:
        running.stop()


def established(testbed: Testbed, subflows: int) -> Json:
    """Waits until the one connection is there with all its subflows; returns it."""
    try:
        wait_for(f"one connection of {subflows} subflows",
                 lambda: [len(c["subflows"]) for c in active(testbed)] == [subflows] and all_active(testbed), TIMEOUT)
    except LabError as failure:
        seen = [(c["state"], [s["state"] for s in c["subflows"]]) for c in active(testbed)]
        raise LabError(f"{failure}; connections: {seen}; {kernel_says(testbed.network.clients[0])}") from failure
    flows(testbed)
    return data_connection(testbed)


def kernel_says(host: Host) -> str:
    """A host's TCP sockets and its counters of MPTCP, which tell of a fall back to TCP and of subflows that were refused."""
    return f"{host.name}:\n" + host.pexec(["ss", "-tniH"])[0] + mptcp_counters(host)


def all_active(testbed: Testbed) -> bool:
    return all(c["state"] == "active" for c in active(testbed))


def data_connection(testbed: Testbed, port: int | None = None) -> Json:
    """The newest connection that is not idle; ``port``: of those to this port of a server. Beside short connections it has to be
    named: a busy machine delays some of them for so long that they get paths."""
    there = [c for c in active(testbed) if port is None or c["subflows"][0]["dst"].endswith(f":{port}")]
    return max(there, key=lambda c: c["createdMillis"])


def paths(connection: Json) -> list[list[str]]:
    """The paths of a connection's subflows as lists of switches, in the order in which the subflows began."""
    return [[switch_name(device) for device in s["path"]] for s in connection["subflows"]]


def flows(testbed: Testbed, megabits: float = 1.0) -> None:
    """Waits until so much more has arrived at the first server."""
    arrived = received(testbed)
    wait_for(f"{megabits} Mbit at the server", lambda: received(testbed) - arrived > megabits * 1e6 / 8, TIMEOUT, every=0.05)


def received(testbed: Testbed) -> int:
    """Bytes that the first server has been sent, by its switch's counter."""
    network = testbed.network
    return sent_bytes()[network.interface(network.topology.pair(0)[1], network.servers[0].name)]


def is_on(path: Sequence[str], link: Sequence[str]) -> bool:
    return frozenset(link) in links_of(path)


def reserved_by_link(testbed: Testbed) -> dict[tuple[str, str], float]:
    """Mbit/s by (switch, switch); nothing that is 0."""
    return {(_switch(source), _switch(target)): rate for (source, target), rate in reserved(testbed).items()}


def _switch(connect_point: str) -> str:
    return switch_name(connect_point.split("/")[0])


def assert_reservations_follow(testbed: Testbed) -> None:
    """Waits until ONOS's resource store has allocated on each link what its subflows are expected to get, within capacity, and
    the application's REST says the same."""
    network = testbed.network
    known = set(network.neighbours())

    def none_wrong() -> bool:
        expected, stored, told = expected_by_link(testbed), allocated_by_link(testbed), reserved_by_link(testbed)
        rates = {link: [of.get(link, 0) for of in (expected, stored, told)] for link in {*expected, *stored, *told}}
        wrong = {link: found for link, found in rates.items() if max(found) - min(found) > 0.01
                 or link not in known or max(found) > network.rate(*link) + 0.001}
        if wrong:
            raise LabError(f"link: (expected, allocated in ONOS, told by REST): {wrong}")
        return True
    wait_for("reservations as expected", none_wrong, TIMEOUT, every=0.3)


def allocated_by_link(testbed: Testbed) -> dict[tuple[str, str], float]:
    """What ONOS's own resource store has allocated, Mbit/s by (switch, switch), or by (device, port) where no link is."""
    network = testbed.network
    neighbours = {(device_id(a), str(network.port(a, b))): (a, b) for a, b in network.neighbours()
                  if a in network.topology.switches and b in network.topology.switches}
    return {neighbours.get(port, port): bits / 1e6 for port, bits in allocated(testbed).items()}


def expected_by_link(testbed: Testbed) -> dict[tuple[str, str], float]:
    """Mbit/s by (switch, switch) that the subflows there are expected to get."""
    expected: dict[tuple[str, str], float] = {}
    for connection in active(testbed):
        for s, path in zip(connection["subflows"], paths(connection)):
            there, back = s["expectedUpMbps"], s["expectedDownMbps"]
            if not s["fromClient"]:
                there, back = back, there
            for a, b in zip(path, path[1:]):
                expected[a, b] = expected.get((a, b), 0) + there
                expected[b, a] = expected.get((b, a), 0) + back
    return expected


def watch_rules(testbed: Testbed) -> int:
    """Rules that show TCP to the controller."""
    return len(list(_packets_to_the_controller(testbed, *TCP)))


def packet_ins(testbed: Testbed, *kinds: str) -> int:
    """Packets that the switches have sent to the controller by the rules that are in them now: by all, or by those that
    have one of the given texts."""
    return sum(_packets_to_the_controller(testbed, *kinds))


def settled_packet_ins(testbed: Testbed, *kinds: str) -> int:
    """The same once there are no more of them for a while: switches count late."""
    counted: list[int] = []

    def still() -> bool:
        counted.append(packet_ins(testbed, *kinds))
        return len(counted) > STILL_READINGS and len(set(counted[-STILL_READINGS:])) == 1
    wait_for("no further packet at the controller", still, TIMEOUT, every=0.5)
    return counted[-1]


def _packets_to_the_controller(testbed: Testbed, *kinds: str) -> Iterator[int]:
    for switch in testbed.network.topology.switches:
        for line in run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules").splitlines():
            if "CONTROLLER" in line and (not kinds or any(kind in line for kind in kinds)):
                yield int(line.split("n_packets=")[1].split(",")[0])


@contextlib.contextmanager
def failing(testbed: Testbed, link: tuple[str, str]) -> Iterator[Failure]:
    """Gives a `Failure` of a link for the body to cause, and takes the link up again afterwards."""
    with Failure(testbed, link, 0) as failure:
        try:
            yield failure
        finally:
            testbed.network.set_link(*link, up=True)


def cut_and_follow(testbed: Testbed, failure: Failure) -> float | None:
    """Cuts a link and waits until the subflows on it have new rules; returns milliseconds, None if there is no other path."""
    affected = {s["src"]: s["dst"] for c in active(testbed) for s, path in zip(c["subflows"], paths(c))
                if is_on(path, failure.link or ())}
    failure.follow(affected, failure.cut())
    return failure.reroute_millis


def disjoint_paths(testbed: Testbed) -> int:
    """How many disjoint paths the first client and the first server have between them."""
    return {"diamond": 3, "os3e": 4}[testbed.network.topology.name]


def edge(testbed: Testbed) -> str:
    """The first client's switch."""
    return testbed.network.topology.pair(0)[0]


def set_subflows(testbed: Testbed, subflows: int) -> None:
    """Lets the clients' kernels open so many subflows per connection, one from each of a client's addresses."""
    network = testbed.network
    for client, server in zip(network.clients, network.servers):
        interface = client.defaultIntf().name
        number = network.net.hosts.index(client) + 1
        client.pexec(["ip", "mptcp", "endpoint", "flush"])
        client.pexec(["ip", "mptcp", "limits", "set", "subflow", str(subflows - 1), "add_addr_accepted", "8"])
        for address in further_addresses(number, subflows - 1):
            client.pexec(["ip", "address", "replace", f"{address}/{PREFIX}", "dev", interface])
            client.pexec(["ip", "mptcp", "endpoint", "add", address, "dev", interface, "subflow"])
            # ONOS learns the address from the ARP that goes first.
            network.ping(client, address, network.addresses(server)[0])
    testbed.onos.configure(subflows=subflows)


def endpoint(client: Host, what: str, address: str) -> None:
    """Takes one of a client's addresses away from MPTCP's path manager (``what``: ``del``), or gives it back (``add``)."""
    shown = client.pexec(["ip", "mptcp", "endpoint", "show"])[0].splitlines()
    number = next((line.split(" id ")[1].split()[0] for line in shown if line.startswith(f"{address} ")), None)
    how = ["id", str(number)] if what == "del" else [address, "dev", client.defaultIntf().name, "subflow"]
    out, err, status = client.pexec(["ip", "mptcp", "endpoint", what, *how])
    assert not status, (out, err)


def deactivate(testbed: Testbed) -> None:
    testbed.onos.deactivate_application()


def activate(testbed: Testbed) -> None:
    testbed.onos.activate_application()


def device(testbed: Testbed, switch: str) -> Json:
    """What ONOS says of a switch."""
    return next(d for d in testbed.onos.rest.get("/devices")["devices"] if d["id"] == device_id(switch))
