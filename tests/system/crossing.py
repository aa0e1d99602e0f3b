# SPDX-License-Identifier: Apache-2.0
"""Helpers for tests of connections that cross a router: what they get beside the forwarder alone, their legs, and further hosts
at the switches."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from conftest import active, links_of, tell
from evidence import further_hosts
from life import TIMEOUT, TRANSFER_PORT, flows, is_on, paths
from mptcplab import processor
from mptcplab.errors import LabError
from mptcplab.hosts import PREFIX, Host, listens, start
from mptcplab.processes import end_group, run, wait_for
from mptcplab.rest import Json
from mptcplab.sampling import received_bytes, sent_bytes
from mptcplab.testbed import Testbed
from mptcplab.transfer import MPTCP, Transfer
from packets import Segment, Wire, announcement
from two_hosts import Namespace

_PROGRAMS = Path(__file__).with_name("programs.py")

SUBFLOWS = 3
SECONDS, EARLY_SECONDS = 6, 3
"""Of a transfer, and until it has its paths and a window for them, also where the other end is far."""

FULL_MBPS = 22
"""Of frames: more than two of three paths of 10 Mbit/s could carry. On a quiet machine it is 28 to 30."""

NO_LESS = 0.85
"""Of what the forwarder alone carries: a transfer of a few seconds differs by so much from the next one."""

_TRIES = 3
"""Of a measurement beside which much processor time was stolen."""

NEARLY_ALL = 0.85 * 30
"""Of frames, on a quiet machine, Mbit/s."""

@dataclass(frozen=True)
class Goodput:
    """Of a transfer over plain TCP, of one over MPTCP, and of the frames of the latter once it has its paths, Mbit/s.

    Not the goodput of its last seconds: what waits for an octet on another path is handed over later, or not before iperf3 ends.
    """

    plain: float
    mptcp: float
    late: float

    def __str__(self) -> str:
        return f"plain TCP {self.plain:.1f}, MPTCP {self.mptcp:.1f} ({self.late:.1f} in frames at the end) Mbit/s"


def goodput(testbed: Testbed) -> Goodput:
    """What the two transfers from the first client get, one after the other. One that gets nothing counts as 0."""
    server = testbed.network.servers[0]
    return goodput_between(testbed.network.clients[0], server, testbed.network.addresses(server)[0])


def goodput_between(client: Host, server: Host, address: str) -> Goodput:
    """The same between any two hosts."""
    plain, _ = _undisturbed(lambda: _carried(client, server, address, ()))
    return Goodput(plain, *_undisturbed(lambda: _carried(client, server, address, MPTCP)))


def _undisturbed(measure: Callable[[], tuple[float, float]]) -> tuple[float, float]:
    """What is measured while others steal little processor time; after so many tries, what the last one gave."""
    for _ in range(_TRIES):
        before = processor.times()
        found = measure()
        if processor.stolen_percent(before, processor.times()) <= processor.STOLEN_PERCENT:
            break
    return found


def _carried(client: Host, server: Host, address: str, wrapper: tuple[str, ...]) -> tuple[float, float]:
    running = Transfer(client, server, address, SECONDS, wrapper=wrapper)
    try:
        begin, end = (_arrived_at(running, seconds) for seconds in (EARLY_SECONDS, SECONDS))
        running.finish()
        return running.goodput(), (end[1] - begin[1]) * 8e-6 / (end[0] - begin[0])
    except LabError:
        return 0.0, 0.0
    finally:
        running.stop()


def _arrived_at(running: Transfer, seconds: float) -> tuple[float, int]:
    """The time when a transfer has begun so many seconds ago, and the bytes that the server's kernel has received until then."""
    wait_for(f"{seconds} s of a transfer", lambda: time.monotonic() >= running.started + seconds, 2 * SECONDS, every=0.02)
    return time.monotonic(), received_bytes(running.server)


class NoLess:
    """What each network with a router must show: a transfer gets no less than with the forwarder alone."""

    @pytest.fixture(scope="class")
    def alone(self, session_testbed: Testbed) -> Goodput:
        """Of the forwarder."""
        return forwarder_alone(session_testbed)

    def test_no_transfer_gets_less_than_with_the_forwarder_alone(self, testbed: Testbed, alone: Goodput, delivery: str,
                                                                 capsys: pytest.CaptureFixture[str]) -> None:
        ours = goodput(testbed)
        tell(capsys, f"{testbed.network.topology.name}, {delivery}: {ours}; the forwarder alone: {alone}")
        assert ours.plain >= NO_LESS * alone.plain
        assert ours.mptcp >= NO_LESS * alone.mptcp
        assert ours.late > FULL_MBPS


def forwarder_alone(testbed: Testbed) -> Goodput:
    """The same while the application is deactivated."""
    with testbed.without_application():
        alone = goodput(testbed)
        wait_until_closed(testbed)
    return alone


def wait_until_closed(testbed: Testbed) -> None:
    """Waits until the hosts' kernels have closed all connections."""
    hosts = (*testbed.network.clients, *testbed.network.servers)
    wait_for("the end of the transfers in the kernels", lambda: not any(
        host.pexec(["ss", "-tnH", "state", "established"])[0].strip() for host in hosts), 90)


def legs(testbed: Testbed, port: int = TRANSFER_PORT) -> list[Json]:
    """The connections that are the legs of a transfer to a port of the server, in the order from the client on."""
    found = [one for one in active(testbed) if one["subflows"][0]["dst"].endswith(f":{port}")]
    return sorted(found, key=lambda one: first_switch(testbed) not in {switch for path in paths(one) for switch in path})


def first_switch(testbed: Testbed) -> str:
    """The first client's."""
    return testbed.network.topology.pair(0)[0]


def wait_for_legs(testbed: Testbed, ends: list[tuple[str, str]]) -> list[Json]:
    """Waits until a transfer has these legs (first switch, last switch), and each subflow a path of its own in each; returns
    them."""
    def there() -> list[Json]:
        found = legs(testbed)
        # In a leg between two ports of one switch, all paths are alike.
        seen = [[(path[:1], path[-1:]) for path in paths(one) if path] for one in found]
        if seen != [[([a], [b])] * SUBFLOWS for a, b in ends]:
            raise LabError(f"{seen} instead of {ends}")
        for one in found:
            links = [link for path in paths(one) for link in links_of(path)]
            if len(links) > len(set(links)):
                # After a link has come back, subflows take it again when that helps.
                raise LabError(f"not disjoint: {paths(one)}")
        return found
    return wait_for("the legs and their disjoint paths", there, TIMEOUT)


def assert_outlives(testbed: Testbed, link: tuple[str, str]) -> None:
    """Cuts a link under the transfer: no path is on it soon, data goes on, and it comes back."""
    testbed.network.set_link(*link, up=False)
    try:
        wait_for(f"no path on {'-'.join(link)}", lambda: not any(
            is_on(path, link) for one in legs(testbed) for path in paths(one)), TIMEOUT)
        flows(testbed)
        assert all(path for one in legs(testbed) for path in paths(one))
    finally:
        testbed.network.set_link(*link, up=True)
    testbed.wait_for_links()


class Attached(Namespace):
    """A further host at a port of a switch, as long as its block runs: ``attached``."""

    def __init__(self, address: str, mac: str, switch: str, name: str) -> None:
        super().__init__(address)
        self.name, self.mac, self.switch, self.port = name, mac, switch, f"{name}-port"

    def defaultIntf(self) -> SimpleNamespace:
        """As Mininet's hosts have it."""
        return SimpleNamespace(name="wire")

    def MAC(self) -> str:
        """As Mininet's hosts have it."""
        return self.mac

    def pexec(self, command: str | Sequence[str]) -> tuple[str, str, int]:
        """As Mininet's hosts have it."""
        words = command.split() if isinstance(command, str) else command
        done = subprocess.run(self.inside(words), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return done.stdout, done.stderr, done.returncode

    def take(self, mac: str, *addresses: str) -> None:
        """From now on it has this MAC address and these addresses, too."""
        self.run(["ip", "link", "set", "wire", "address", mac])
        for address in addresses:
            self.run(["ip", "address", "add", f"{address}/{PREFIX}", "dev", "wire"])
        self.mac = mac

    def announce(self, address: str) -> None:
        """Says by ARP that it has an address."""
        with Wire(self) as wire:
            wire.send(announcement(self.mac, address))

    def received(self) -> int:
        """Bytes that its switch has sent it."""
        return sent_bytes()[self.port]


@contextlib.contextmanager
def trunk(switch: str) -> Iterator[str]:
    """A switch without OpenFlow, whose one way on is a port of a switch of the network: there, frames have the tags of the ports
    from which they come. Gives its name."""
    bridge = f"t{switch.removeprefix('s')}"
    near, far = f"{bridge}-up", f"{bridge}-down"
    command = ["ovs-vsctl", "--timeout=20", "add-br", bridge, "--", "set", "Bridge", bridge, "datapath_type=netdev",
               "fail_mode=standalone"]
    for here, port, peer in ((bridge, near, far), (switch, far, near)):
        command += ["--", "add-port", here, port, "--", "set", "Interface", port, "type=patch", f"options:peer={peer}"]
    try:
        run(command, f"making {bridge}")
        yield bridge
    finally:
        run(["ovs-vsctl", "--timeout=20", "--if-exists", "del-port", switch, far, "--", "--if-exists", "del-br", bridge],
            f"removing {bridge}")


@contextlib.contextmanager
def attached(switch: str, name: str, mac: str, address: str, vlan: int | None = None) -> Iterator[Attached]:
    """A host with this MAC address at a new port of a switch. ``vlan``: of the port, of a `trunk`'s switch."""
    host = Attached(address, mac, switch, name)
    try:
        run(["ip", "link", "add", host.port, "type", "veth", "peer", "name", "wire", "netns", str(host.pid)], f"making {name}")
        for command in (["ip", "link", "set", "wire", "address", mac], ["sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1"],
                        ["ip", "address", "add", f"{address}/{PREFIX}", "dev", "wire"], ["ethtool", "-K", "wire", "tx", "off"],
                        ["ip", "link", "set", "wire", "up"]):
            host.run(command)
        run(["ip", "link", "set", host.port, "up"], f"making {name}")
        run(["ethtool", "-K", host.port, "tx", "off"], f"making {name}")
        tag = [] if vlan is None else [f"tag={vlan}"]
        run(["ovs-vsctl", "--timeout=20", "add-port", switch, host.port, *tag], f"attaching {name}")
        further_hosts.append(host)
        yield host
    finally:
        with contextlib.suppress(ValueError):
            further_hosts.remove(host)
        run(["ovs-vsctl", "--timeout=20", "--if-exists", "del-port", switch, host.port], f"removing {name}")
        host.end()


def make_router(host: Attached, *commands: str) -> None:
    """Lets a further host forward."""
    for command in ("sysctl -qw net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=2 net.ipv4.conf.all.send_redirects=0 "
                    "net.ipv4.conf.wire.send_redirects=0", *commands):
        host.run(command.split())


def count_segments(host: Host, wanted: Callable[[Segment], bool], body: Callable[[], object]) -> int:
    """How many such segments come in at a host while ``body`` runs."""
    counted: list[Segment] = []
    with Wire(host) as wire:
        body()
        while segment := wire.wait_for(wanted, seconds=0.2):
            counted.append(segment)
    return len(counted)


def connects(client: Host, address: str, port: int, seconds: float = 3, mptcp: bool = True) -> bool:
    """Whether a connection can be opened."""
    code = (f"import socket; socket.socket(socket.AF_INET, socket.SOCK_STREAM, {262 if mptcp else 0})"
            f".connect(({address!r}, {port}))")
    return client.pexec(["timeout", str(seconds), "python3", "-c", code])[2] == 0


@contextlib.contextmanager
def listening(server: Host, port: int) -> Iterator[None]:
    """A server at a port of a host, which echoes, over MPTCP and plain TCP."""
    program = start(server, [sys.executable, "-s", str(_PROGRAMS), "server", "262", str(port)])
    try:
        wait_for(f"a server on {server.name}", lambda: listens(server, port), TIMEOUT)
        yield
    finally:
        end_group(program)


def soon(condition: Callable[[], bool], seconds: float) -> float | None:
    """After how many seconds that was true; None if it was not within so many."""
    begun = time.monotonic()
    try:
        wait_for("it", condition, seconds, every=0.02)
    except LabError:
        return None
    return time.monotonic() - begun
