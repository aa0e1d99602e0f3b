# SPDX-License-Identifier: Apache-2.0
"""Measures how long MP_JOINs take; runs alone in a host until it is ended: ``joinwatch.py INTERFACE``.

It prints a line with the milliseconds between each SYN with MP_JOIN that leaves and its SYN/ACK, as the kernel stamps the packets
(IPv4). A SYN that is sent again counts from the first time.
"""

import socket
import struct
import sys
from collections.abc import Iterator

_MPTCP, _JOIN = 30, 1
_SYN, _ACK = 0x02, 0x10
_ETH_P_ALL, _ETH_P_IP, _OUTGOING, _TIMESTAMPNS = 0x0003, 0x0800, 4, 35
_TIMESPEC = struct.Struct("=qq")
_MOST_BYTES, _ROOM = 256, 64


def join_of(packet: bytes) -> tuple[int, int, bool] | None:
    """(source port, destination port, whether it answers) of an IPv4 packet that is a SYN or SYN/ACK with MP_JOIN, else None."""
    if len(packet) < 40 or packet[0] >> 4 != 4 or packet[9] != socket.IPPROTO_TCP:
        return None
    tcp = packet[4 * (packet[0] & 0xf):]
    if len(tcp) < 20 or not tcp[13] & _SYN:
        return None
    if not any(option[0] == _MPTCP and option[2] >> 4 == _JOIN for option in _options(tcp)):
        return None
    source, destination = struct.unpack_from(">HH", tcp)
    return source, destination, bool(tcp[13] & _ACK)


def _options(tcp: bytes) -> Iterator[bytes]:
    at, end = 20, min(len(tcp), 4 * (tcp[12] >> 4))
    while at < end and tcp[at]:
        length = 1 if tcp[at] == 1 else tcp[at + 1] if at + 1 < end else 0
        if length < 1 or at + length > end:
            return
        if length > 2:
            yield tcp[at:at + length]
        at += length


def watch(interface: str) -> Iterator[float]:
    """The milliseconds of each join, for ever."""
    asked: dict[tuple[int, int], int] = {}
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ETH_P_ALL)) as packets:
        packets.setsockopt(socket.SOL_SOCKET, _TIMESTAMPNS, 1)
        packets.bind((interface, _ETH_P_ALL))
        print("ready", flush=True)
        while True:
            packet, told, _, address = packets.recvmsg(_MOST_BYTES, _ROOM)
            join = join_of(packet) if address[1] == _ETH_P_IP else None
            if not join or not told:
                continue
            whole, part = _TIMESPEC.unpack_from(told[0][2])
            source, destination, answers = join
            if address[2] == _OUTGOING and not answers:
                asked.setdefault((source, destination), whole * 10**9 + part)
            elif answers and (destination, source) in asked:
                yield (whole * 10**9 + part - asked.pop((destination, source))) / 1e6


if __name__ == "__main__":
    for millis in watch(sys.argv[1]):
        print(f"{millis:.4f}", flush=True)
