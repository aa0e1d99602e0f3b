# SPDX-License-Identifier: Apache-2.0
"""Two made-up hosts on the wires of real ones: no kernel answers for them, so a test says every segment."""

import itertools
import struct
from collections.abc import Callable, Sequence
from typing import Protocol

from mptcplab.testbed import Testbed
from packets import ACK, SYN, End, Segment, Wire, announcement, frame

CLIENT, SERVER = "10.0.8.1", "10.0.8.2"
MACS = ("02:00:00:00:08:01", "02:00:00:00:08:02")
KEYS = bytes.fromhex("0123456789abcdef fedcba9876543210")
OPTIONS = (bytes.fromhex("1e040101"), bytes.fromhex("1e0c0101") + KEYS[8:], bytes.fromhex("1e140101") + KEYS)

_ports = itertools.count(30000)


class Arrivals(Protocol):
    """Where segments arrive: a wire, or one of several."""

    def wait_for(self, wanted: Callable[[Segment], bool]) -> Segment | None:
        """The first segment that is wanted; None if none came."""


class Pair:
    """Two made-up hosts on the wires of h1 and h2, tagged or not."""

    def __init__(self, testbed: Testbed, wires: Sequence[Wire], vlan: int | None = None) -> None:
        self._testbed, self._wires, self._vlan = testbed, dict(zip((CLIENT, SERVER), wires)), vlan
        self._arrivals: dict[str, Arrivals] = dict(self._wires)

    def expect_at(self, address: str, wires: Arrivals) -> None:
        """Has segments to an address expected on others than the wire from which it sends."""
        self._arrivals[address] = wires

    def announce(self) -> bool:
        """Gratuitous ARP, so that ONOS knows where they are."""
        for address, mac in zip((CLIENT, SERVER), MACS):
            self._send(address, announcement(mac, address))
        vlan = str(self._vlan) if self._vlan else "None"
        known = {ip for h in self._testbed.onos.rest.get("/hosts")["hosts"] if h["vlan"] == vlan for ip in h["ipAddresses"]}
        return {CLIENT, SERVER} <= known

    def handshake(self) -> End:
        """A three-way handshake with MP_CAPABLE, every segment of which has to arrive; returns the client's end."""
        client, server = (CLIENT, next(_ports)), (SERVER, 5201)
        for source, destination, flags, numbers, options in (
                (client, server, SYN, (1000, 0), OPTIONS[0]),
                (server, client, SYN | ACK, (5000, 1001), OPTIONS[1]),
                (client, server, ACK, (1001, 5001), OPTIONS[2])):
            macs = MACS if source == client else MACS[::-1]
            self._send(source[0], frame(macs, source, destination, flags, sequence=numbers[0], acknowledgement=numbers[1],
                                        options=options))
            assert self._arrivals[destination[0]].wait_for(
                lambda s: s.source == source and s.destination == destination and s.flags == flags), \
                f"{source} → {destination} got stuck"
        return client

    def _send(self, address: str, untagged: bytes) -> None:
        tag = b"" if self._vlan is None else struct.pack("!HH", 0x8100, self._vlan)
        self._wires[address].send(untagged[:12] + tag + untagged[12:])
