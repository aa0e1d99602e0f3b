# SPDX-License-Identifier: Apache-2.0
"""The window controls of S-MPTCP and eMPTCP in real kernels: two hosts, a link of 10 Mbit/s, a connection with two subflows."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import tell
from mptcpagent import netlink, sockets
from mptcpagent.limits import Limits
from mptcpagent.subflow import addresses, ports, texts
from mptcpagent.windows import NEED_RATES, Windows
from mptcplab import marks
from mptcplab.errors import LabError
from mptcplab.login import write_private
from mptcplab.processes import wait_for
from mptcplab.settings import ISOLATED
from stream import Stream
from two_hosts import CLIENT, SERVER, Namespace, entered, two_hosts

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "mininet" / "tests"))
from fake_controller import TOKEN, FakeController, connection

pytestmark = pytest.mark.skipif(tuple(int(number) for number in re.findall(r"\d+", os.uname().release)[:2]) < (6, 1),
                                reason="6.1 is the oldest kernel that was tried")

FURTHER = "10.7.0.11"
PORT = 5300
MBPS, QUEUE = 10, 100
_CONTROL = re.compile(r"(?<= )(reno|cubic|bbr|[a-z]+_[0-9a-f]+)(?= )")
WINDOW_SECONDS = 6
MOST_MILLIS = 60
"""Of the round-trip time; a full queue takes 120."""


class Host:
    """The client, with a backend of its own."""

    def __init__(self, client: Namespace, control: str) -> None:
        self.client = client
        with entered(client.pid):
            self.backend = Windows(control)
            self._diag = netlink.Netlink(netlink.SOCK_DIAG)

    def subflows(self) -> list[sockets.Subflow]:
        """Those of the transfer, the first one first; LabError as long as there are not two."""
        found = [one for one in sockets.read(self._diag) if ports(one.ends)[1] == PORT]
        if len(found) != 2:
            raise LabError(f"{len(found)} subflows")
        return sorted(found, key=lambda one: addresses(one.ends)[0])

    def expect(self, first: float, second: float) -> None:
        """Gives windows to both subflows, of which so much is expected, Mbit/s."""
        limits: Limits = dict(zip((one.ends for one in self.subflows()), (first, second)))
        with entered(self.client.pid):
            assert self.backend.apply(limits, {}).limited == 2

    def release(self) -> None:
        with entered(self.client.pid):
            self.backend.release()
        # This process lives on, and a later host may get the number of this one's namespace.
        self.backend.withdraw()

    def controls(self) -> list[str]:
        return controls(self.client)

    def rates(self) -> tuple[list[float], float]:
        """Of each subflow over some seconds, payload in Mbit/s; and the mean round-trip time meanwhile, in milliseconds."""
        before, begun, times = self.subflows(), time.monotonic(), []

        def over() -> bool:
            times.extend(one.rtt_millis for one in self.subflows())
            return time.monotonic() - begun >= WINDOW_SECONDS
        wait_for("the end of a measurement", over, WINDOW_SECONDS + 10, every=0.2)
        seconds = time.monotonic() - begun
        rates = [(now.acked - then.acked) * 8e-6 / seconds for now, then in zip(self.subflows(), before)]
        return rates, sum(times) / len(times)


def shown(client: Namespace) -> list[str]:
    """What ``ss`` tells of each subflow."""
    return client.run(["ss", "-tinHO", "state", "established", f"( dport = :{PORT} )"]).splitlines()


def controls(client: Namespace) -> list[str]:
    """The congestion controls of the subflows."""
    return [found[0] for line in shown(client) if (found := _CONTROL.search(line))]


@pytest.fixture
def hosts() -> Iterator[tuple[Namespace, Namespace]]:
    with two_hosts() as (client, server):
        for host in (client, server):
            host.run(["ethtool", "-K", "wire", "tx", "off", "tso", "off", "gso", "off"])
            host.run(["tc", "qdisc", "add", "dev", "wire", "root", "handle", "5:", "htb", "default", "1"])
            host.run(["tc", "class", "add", "dev", "wire", "parent", "5:", "classid", "5:1", "htb", "rate", f"{MBPS}mbit",
                      "burst", "15140", "quantum", "1514"])
            host.run(["tc", "qdisc", "add", "dev", "wire", "parent", "5:1", "pfifo", "limit", str(QUEUE)])
            host.run(["sysctl", "-q", "-w", "net.ipv4.tcp_congestion_control=reno", "net.ipv4.tcp_ecn=1"])
        client.run(["ip", "address", "add", f"{FURTHER}/24", "dev", "wire", "preferred_lft", "0"])
        client.run(["ip", "mptcp", "endpoint", "add", FURTHER, "dev", "wire", "subflow"])
        yield client, server


@pytest.mark.parametrize("control", ["smptcp", "smptcp-published", "emptcp", "emptcp-published", "lia", "cubic"])
def test_subflows_get_a_window_and_give_it_back(hosts, control):
    client, server = hosts
    host = Host(client, control)
    stream = Stream(client, server, SERVER, PORT)
    try:
        wait_for("two subflows", host.subflows, 20)
        assert addresses(host.subflows()[0].ends)[0] == CLIENT
        assert host.controls() == ["reno", "reno"]
        host.expect(7, 3)
        assert host.controls() == [host.backend.given] * 2
        begun = sum(one.acked for one in host.subflows())
        wait_for("the transfer runs on", lambda: sum(one.acked for one in host.subflows()) > begun + 1_000_000, 30)
        host.release()
        assert host.controls() == ["reno", "reno"]
        stream.finish()
    finally:
        stream.stop()


def test_a_killed_agent_leaves_no_windows(hosts, tmp_path):
    client, server = hosts
    write_private(tmp_path / "token", TOKEN)
    with entered(client.pid):
        controller = FakeController()
        diag = netlink.Netlink(netlink.SOCK_DIAG)
    stream = Stream(client, server, SERVER, PORT)
    try:
        with controller:
            process = subprocess.Popen(client.inside([
                sys.executable, *ISOLATED, "mptcpagent", "--controller", controller.url, "--host", CLIENT,
                "--token-file", str(tmp_path / "token"), "--congestion", "emptcp"]))
            try:
                wait_for("two subflows", lambda: len(named(diag)) == 2, 20)
                controller.answer([connection([(*ends, 5.0, "active") for ends in named(diag)])])
                wait_for("their windows", lambda: all(name.startswith("emptcp_") for name in controls(client)), 30)
            finally:
                process.kill()
                process.wait()
            wait_for("the windows of before", lambda: controls(client) == ["reno", "reno"], 5)
            assert client.run(["sysctl", "-n", "net.ipv4.tcp_ecn"]).strip() == "1", "as it was before"
        stream.finish()
    finally:
        stream.stop()


def named(diag: netlink.Netlink) -> list[tuple[str, str]]:
    """The ends of the transfer's subflows, as text."""
    return [texts(one.ends) for one in sockets.read(diag) if ports(one.ends)[1] == PORT]


@pytest.mark.long
@pytest.mark.parametrize("control", NEED_RATES)
def test_s_mptcp_shares_as_expected_and_leaves_the_queue_short(hosts, control, capsys):
    client, server = hosts
    host = Host(client, control)
    stream = Stream(client, server, SERVER, PORT)
    try:
        wait_for("two subflows", host.subflows, 20)
        for expected in ((7, 3), (3, 7)):
            host.expect(*expected)
            (first, second), millis = host.rates()
            tell(capsys, f"{control}, expected {expected}: {first:.2f} and {second:.2f} Mbit/s, {millis:.1f} ms")
            assert first + second > 0.85 * MBPS * 1428 / 1514
            assert (first > 1.3 * second) if expected[0] > expected[1] else (second > 1.3 * first)
        assert millis < MOST_MILLIS
        stream.finish()
    finally:
        stream.stop()


@pytest.mark.long
@pytest.mark.parametrize("control", ["emptcp", "emptcp-published"])
def test_emptcp_heeds_marks_and_leaves_the_queue_short(hosts, control, tmp_path, capsys):
    client, server = hosts
    program: Path = marks.program(MBPS, tmp_path)
    client.run(["tc", "qdisc", "add", "dev", "wire", "clsact"])
    client.run(["tc", "filter", "add", "dev", "wire", "egress", "bpf", "da", "obj", str(program), "sec", "tc"])
    host = Host(client, control)
    stream = Stream(client, server, SERVER, PORT)
    try:
        wait_for("two subflows", host.subflows, 20)
        host.expect(5, 5)
        host.rates()
        (first, second), millis = host.rates()
        marked = [int(found[1]) for line in shown(client) if (found := re.search(r" delivered_ce:(\d+)", line))]
        tell(capsys, f"{control}: {first:.2f} and {second:.2f} Mbit/s, {millis:.1f} ms, {marked} packets marked")
        assert len(marked) == 2 and all(marked)
        assert first + second > 0.85 * MBPS * 1428 / 1514
        assert max(first, second) < 3 * min(first, second)
        assert millis < MOST_MILLIS
        stream.finish()
    finally:
        stream.stop()
