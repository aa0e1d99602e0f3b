# SPDX-License-Identifier: Apache-2.0
"""A host with one MAC address at two ports, of which one is in use (an active-backup bond): its connection follows it when that
link is lost, and back."""

import contextlib
import time
from collections.abc import Iterator

import pytest

from conftest import active, tell
from crossing import Attached
from life import TIMEOUT, flows, paths
from mptcplab.errors import LabError
from mptcplab.processes import run, wait_for
from mptcplab.sampling import sent_bytes
from packets import Wire, announcement
from stream import Stream

ADDRESS, MAC = "10.0.8.5", "02:00:00:00:08:05"
FOLLOWS_SECONDS = 3
"""Until data leaves by the other port. The host's own kernel waits before it repeats a segment: up to a second after some."""


class Bond(Attached):
    """A bridge over two links, of which one is up: so a kernel without bonding has what an active-backup bond is."""

    def __init__(self, switches: tuple[str, str]) -> None:
        super().__init__(ADDRESS, MAC, switches[0], "bond")
        self.switches = switches

    def defaultIntf(self):
        """Where its addresses are."""
        intf = super().defaultIntf()
        intf.name = "bond0"
        return intf

    def build(self) -> None:
        self.run(["ip", "link", "add", "bond0", "address", MAC, "type", "bridge", "forward_delay", "0", "stp_state", "0"])
        for index, switch in enumerate(self.switches):
            port, wire = f"bond-port{index}", f"wire{index}"
            run(["ip", "link", "add", port, "type", "veth", "peer", "name", wire, "netns", str(self.pid)], "making a bond")
            self.run(["ip", "link", "set", wire, "master", "bond0"])
            self.run(["ethtool", "-K", wire, "tx", "off"])
            run(["ip", "link", "set", port, "up"], "making a bond")
            run(["ovs-vsctl", "--timeout=20", "add-port", switch, port], "attaching a bond")
        for command in ("sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.mptcp.enabled=1",
                        f"ip address add {ADDRESS}/16 dev bond0", "ethtool -K bond0 tx off",
                        f"ip link set bond0 address {MAC}", "ip link set bond0 up"):
            self.run(command.split())

    def use(self, index: int) -> None:
        """Loses the other link, and says so on this one, as a bond does."""
        self.run(["ip", "link", "set", f"wire{1 - index}", "down"])
        self.run(["ip", "link", "set", f"wire{index}", "up"])
        with Wire(self) as wire:
            wire.send(announcement(MAC, ADDRESS))

    def remove(self) -> None:
        for index, switch in enumerate(self.switches):
            run(["ovs-vsctl", "--timeout=20", "--if-exists", "del-port", switch, f"bond-port{index}"], "removing a bond")
        self.end()

    def sends(self, index: int) -> int:
        """Bytes that it has been sent by a link."""
        return sent_bytes()[f"bond-port{index}"]


@pytest.fixture(params=[("s1", "s1"), ("s1", "s2")], ids=["one-switch", "two-switches"])
def bond(request, testbed) -> Iterator[Bond]:
    host = Bond(request.param)
    with contextlib.ExitStack() as after:
        after.callback(host.remove)
        host.build()
        host.use(0)
        wait_for("it speaks", lambda: not host.pexec(
            ["ping", "-c", "1", "-W", "1", testbed.network.addresses(testbed.network.servers[0])[0]])[2], TIMEOUT)
        yield host


def begins_at(testbed, switch: str) -> bool:
    found = [paths(one) for one in active(testbed) if one["client"] == ADDRESS]
    if [[path[:1] for path in those] for those in found] != [[[switch]]]:
        raise LabError(str(found))
    return True


def test_a_connection_follows_a_bonded_host_to_its_other_port_and_back(testbed, bond, capsys):
    server = testbed.network.servers[0]
    running = Stream(bond, server, testbed.network.addresses(server)[0])
    try:
        wait_for("its path", lambda: begins_at(testbed, bond.switches[0]), TIMEOUT)
        times = []
        for index in (1, 0):
            before, began = bond.sends(index), time.monotonic()
            bond.use(index)
            wait_for("acknowledgements by the other link", lambda: bond.sends(index) > before + 2_000, TIMEOUT, every=0.02)
            times.append(time.monotonic() - began)
            wait_for("its path from there", lambda: begins_at(testbed, bond.switches[index]), TIMEOUT)
            flows(testbed)
        tell(capsys, f"a bond at {' and '.join(bond.switches)}: by the other link after {times[0]:.2f} s, back {times[1]:.2f}")
        running.finish()
        assert max(times) <= FOLLOWS_SECONDS
    finally:
        running.stop()
