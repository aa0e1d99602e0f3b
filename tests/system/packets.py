# SPDX-License-Identifier: Apache-2.0
"""Sends and receives raw TCP segments on a host's interface, as tests need segments that no kernel sends."""

from __future__ import annotations

import ctypes
import os
import select
import socket
import struct
import time
from collections.abc import Callable, Sequence
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:  # what runs inside a host has only this folder
    from mptcplab.hosts import Host

End = tuple[str, int]
"""(IPv4 address, port)."""

_CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)

SYN, ACK, RST, FIN = 0x02, 0x10, 0x04, 0x01


class Wire:
    """A packet socket on a Mininet host's interface. A context manager."""

    def __init__(self, host: Host) -> None:
        self._interface = host.defaultIntf().name
        self._host = host
        self._socket: socket.socket

    def __enter__(self) -> Wire:
        with open("/proc/self/ns/net", "rb") as ours, open(f"/proc/{self._host.pid}/ns/net", "rb") as theirs:
            # A socket stays in the namespace in which it was made.
            _enter(theirs)
            try:
                self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0003))
                self._socket.bind((self._interface, 0))
            finally:
                _enter(ours)
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, frame: bytes) -> None:
        """Sends one Ethernet frame."""
        self._socket.send(frame)

    def has(self, octets: bytes, seconds: float = 15) -> bool:
        """Whether a frame with these octets comes until time is up, whatever else it is."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self._socket], [], [], left)[0] and octets in self._socket.recv(65535):
                return True
        return False

    def wait_for(self, wanted: Callable[[Segment], bool], seconds: float = 15) -> Segment | None:
        """The first TCP segment from now on for which ``wanted(segment)`` holds, or None when time is up."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self._socket], [], [], left)[0]:
                segment = Segment.read(self._socket.recv(65535))
                if segment and wanted(segment):
                    return segment
        return None


class Segment:
    """A TCP segment over IPv4, as far as tests look at it."""

    def __init__(self, source: End, destination: End, sequence: int, acknowledgement: int, flags: int, options: bytes,
                 payload: bytes) -> None:
        self.source, self.destination = source, destination
        self.sequence, self.acknowledgement = sequence, acknowledgement
        self.flags, self.options, self.payload = flags, options, payload

    @classmethod
    def read(cls, frame: bytes) -> Segment | None:
        """The segment in an Ethernet frame, or None if there is none."""
        if frame[12:14] != b"\x08\x00" or frame[23] != 6:
            return None
        ip = frame[14:]
        length = (ip[0] & 15) * 4
        tcp = ip[length:struct.unpack("!H", ip[2:4])[0]]
        if len(tcp) < 20:
            return None
        source, destination, sequence, acknowledgement = struct.unpack("!HHLL", tcp[:12])
        header = (tcp[12] >> 4) * 4
        return cls((socket.inet_ntoa(ip[12:16]), source), (socket.inet_ntoa(ip[16:20]), destination), sequence,
                   acknowledgement, tcp[13], tcp[20:header], tcp[header:])


def frame(macs: Sequence[str], source: End, destination: End, flags: int, sequence: int = 0, acknowledgement: int = 0,
          options: bytes = b"", payload: bytes = b"", header: int | None = None) -> bytes:
    """An Ethernet frame with a TCP segment over IPv4, checksums right.

    ``macs``: (source, destination) as text; ``source``, ``destination``: (IPv4 address, port);
    ``header``: the data offset in bytes to claim, where it shall not be the right one.
    """
    options += b"\x01" * (-len(options) % 4)
    offset = (20 + len(options) if header is None else header) // 4
    tcp = struct.pack("!HHLLBBHHH", source[1], destination[1], sequence, acknowledgement, offset << 4, flags, 64240, 0, 0)
    tcp += options + payload
    addresses = socket.inet_aton(source[0]) + socket.inet_aton(destination[0])
    checksum = _checksum(addresses + struct.pack("!BBH", 0, 6, len(tcp)) + tcp)
    tcp = tcp[:16] + struct.pack("!H", checksum) + tcp[18:]
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(tcp), 1, 0x4000, 64, 6, 0) + addresses
    ip = ip[:10] + struct.pack("!H", _checksum(ip)) + ip[12:]
    return b"".join(bytes.fromhex(mac.replace(":", "")) for mac in reversed(macs)) + b"\x08\x00" + ip + tcp


def announcement(mac: str, address: str) -> bytes:
    """A gratuitous ARP frame, by which ONOS believes that the host with this MAC address has this IPv4 address."""
    here, ip = bytes.fromhex(mac.replace(":", "")), socket.inet_aton(address)
    return b"\xff" * 6 + here + b"\x08\x06" + struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + here + ip + bytes(6) + ip


def advertisement(mac: str, address: str) -> bytes:
    """A neighbour advertisement to all nodes, by which ONOS believes that the host with this MAC address has this address."""
    here, ip = bytes.fromhex(mac.replace(":", "")), socket.inet_pton(socket.AF_INET6, address)
    to = socket.inet_pton(socket.AF_INET6, "ff02::1")
    icmp = struct.pack("!BBHL", 136, 0, 0, 0x20000000) + ip + b"\x02\x01" + here
    checksum = _checksum(ip + to + struct.pack("!LL", len(icmp), 58) + icmp)
    return (bytes.fromhex("333300000001") + here + b"\x86\xdd" + struct.pack("!LHBB", 6 << 28, len(icmp), 58, 255) + ip + to
            + icmp[:2] + struct.pack("!H", checksum) + icmp[4:])


def discovery(mac: str, transaction: int) -> bytes:
    """A DHCP client's first message."""
    here = bytes.fromhex(mac.replace(":", ""))
    dhcp = struct.pack("!BBBBLHHLLLL", 1, 1, 6, 0, transaction, 0, 0x8000, 0, 0, 0, 0) + here + bytes(10 + 64 + 128)
    dhcp += bytes.fromhex("63825363 350101 ff")
    udp = struct.pack("!HHHH", 68, 67, 8 + len(dhcp), 0) + dhcp
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0) + bytes(4) + b"\xff" * 4
    return b"\xff" * 6 + here + b"\x08\x00" + ip[:10] + struct.pack("!H", _checksum(ip)) + ip[12:] + udp


def _checksum(data: bytes) -> int:
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def _enter(namespace: IO[bytes]) -> None:
    if _libc.setns(namespace.fileno(), _CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
