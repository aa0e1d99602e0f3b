# SPDX-License-Identifier: Apache-2.0
"""MP_ET (``docs/mp-et.md``): expected throughputs that the controller sends in segments through the network.

A packet socket takes these. Its filter passes only TCP segments without any flag, of which a host gets no others.
"""

import ctypes
import hashlib
import hmac
import socket
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .errors import AgentError, Unusable
from .limits import FLOOR_MBPS, MOST_MBPS, Limits
from .subflow import Ends, mapped, of

_OPTION = struct.Struct(">BBBBHHIIQ")
_KIND, _SUBTYPE_VERSION, _IDENTIFIER, _BACKUP = 30, 0xf1, 0x4554, 0x80
_AUTHENTICATOR = 8
_PORTS = struct.Struct(">HH")
_FLAGS, _OFFSET, _TCP, _IPV6_HEADER = 13, 12, 6, 40
_END_OF_OPTIONS, _NO_OPERATION = 0, 1

_MOST_BYTES, _MOST_PACKETS, _MOST_KNOWN = 256, 1000, 65536
_SEQUENCES, _HALF = 2 ** 32, 2 ** 31

_ETH_P_ALL, _OUTGOING, _SO_ATTACH_FILTER = 3, 4, 26
FILTER = (
    (0x30, 0, 0, 0), (0x74, 0, 0, 4), (0x15, 0, 7, 4),          # the version; not 4: on to version 6
    (0x30, 0, 0, 9), (0x15, 0, 11, _TCP), (0x28, 0, 0, 6), (0x45, 9, 0, 0x1fff),  # TCP, and no later fragment
    (0xb1, 0, 0, 0), (0x50, 0, 0, _FLAGS), (0x15, 5, 6, 0),     # no flag behind the header, however long that is
    (0x15, 0, 5, 6), (0x30, 0, 0, 6), (0x15, 0, 3, _TCP), (0x30, 0, 0, _IPV6_HEADER + _FLAGS), (0x15, 0, 1, 0),
    (0x6, 0, 0, _MOST_BYTES), (0x6, 0, 0, 0))
"""Code, jumps if true and if not, and operand of each instruction (classic BPF). Packets begin with their IP header."""


@dataclass(frozen=True)
class Announcement:
    """What one segment says of the subflow with these ends, this host's first; ``seconds``: how long it holds."""

    ends: Ends
    mbps: float
    backup: bool
    seconds: int
    sequence: int


def decode(packet: bytes, key: bytes) -> Announcement | None:
    """What an IP packet announces; None if it does not, or not with an authenticator by ``key``, the SHA-256 of a token."""
    found = _segment(packet)
    if found is None:
        return None
    source, destination, tcp = found
    option = next((one for one in _options(tcp) if len(one) == _OPTION.size and one[0] == _KIND), None)
    if option is None:
        return None
    _, _, subtype, flags, identifier, seconds, rate, sequence, _ = _OPTION.unpack(option)
    if (subtype, identifier) != (_SUBTYPE_VERSION, _IDENTIFIER):
        return None
    expected = authenticator(mapped(source) + mapped(destination) + tcp[:4], option[:-_AUTHENTICATOR], key)
    if not hmac.compare_digest(expected, option[-_AUTHENTICATOR:]):
        return None
    there, here = _PORTS.unpack_from(tcp)
    return Announcement(of(destination, here, source, there), rate / 1000, bool(flags & _BACKUP), seconds, sequence)


def authenticator(ends: bytes, option: bytes, key: bytes) -> bytes:
    """The authenticator for the ends of a segment, 36 bytes, and an option up to it."""
    return hmac.new(key, ends + option, hashlib.sha256).digest()[:_AUTHENTICATOR]


def key_of(token: str) -> bytes:
    """The key that controller and agent share."""
    return hashlib.sha256(token.encode("ascii")).digest()


class Announced:
    """The throughputs that hold now. ``receive``: gives the packets that have come since the last time; ``token``: this host's;
    AgentError if there is none; ``clock``: seconds, as ``time.monotonic``."""

    def __init__(self, receive: Callable[[], Iterator[bytes]], token: Callable[[], str], clock: Callable[[], float]) -> None:
        self._receive, self._token, self._clock = receive, token, clock
        self._known: dict[Ends, tuple[Announcement, float]] = {}

    def limits(self) -> Limits:
        """The limits by what was announced and has not expired; empty if nothing."""
        now = self._clock()
        try:
            key = key_of(self._token())
        except AgentError:
            return {}
        for packet in self._receive():
            one = decode(packet, key)
            if one and self._is_newer(one) and len(self._known) < _MOST_KNOWN:
                self._known[one.ends] = (one, now + one.seconds)
        # What has expired stays known for as long again, so that nobody can send it once more.
        self._known = {ends: (one, end) for ends, (one, end) in self._known.items() if now < end + one.seconds}
        return {ends: FLOOR_MBPS if one.backup else max(FLOOR_MBPS, one.mbps)
                for ends, (one, end) in self._known.items() if now < end and one.mbps <= MOST_MBPS}

    def _is_newer(self, one: Announcement) -> bool:
        known = self._known.get(one.ends)
        return known is None or 0 < (one.sequence - known[0].sequence) % _SEQUENCES < _HALF


class Listener:
    """A packet socket of the network namespace in which it is made."""

    def __init__(self) -> None:
        """Unusable if this process may have none."""
        try:
            # It takes packets from here on; what comes before the filter is no announcement either.
            self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK, socket.htons(_ETH_P_ALL))
            _attach(self._socket)
        except OSError as failure:
            raise Unusable(f"no packet socket: {failure.strerror or failure}") from None

    def packets(self) -> Iterator[bytes]:
        """Those that have come since the last time."""
        for _ in range(_MOST_PACKETS):
            try:
                packet, address = self._socket.recvfrom(_MOST_BYTES)
            except BlockingIOError:
                return
            except OSError:
                # An interface went down; the next call may work.
                return
            if address[2] != _OUTGOING:
                yield packet


def _attach(to: socket.socket) -> None:
    code = b"".join(struct.pack("=HBBI", *one) for one in FILTER)
    buffer = ctypes.create_string_buffer(code)
    to.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, struct.pack("@HP", len(FILTER), ctypes.addressof(buffer)))


def _segment(packet: bytes) -> tuple[bytes, bytes, bytes] | None:
    """Source, destination and TCP header of an IP packet; None if it has not a whole one without flags."""
    if len(packet) >= 20 and packet[0] >> 4 == 4 and packet[9] == _TCP:
        source, destination, tcp = packet[12:16], packet[16:20], packet[4 * (packet[0] & 0xf):]
    elif len(packet) >= _IPV6_HEADER and packet[0] >> 4 == 6 and packet[6] == _TCP:
        source, destination, tcp = packet[8:24], packet[24:40], packet[_IPV6_HEADER:]
    else:
        return None
    if len(tcp) < 20 or tcp[_FLAGS]:
        return None
    length = 4 * (tcp[_OFFSET] >> 4)
    return (source, destination, tcp[:length]) if 20 <= length <= len(tcp) else None


def _options(tcp: bytes) -> Iterator[bytes]:
    at = 20
    while at < len(tcp) and tcp[at] != _END_OF_OPTIONS:
        if tcp[at] == _NO_OPERATION:
            at += 1
            continue
        length = tcp[at + 1] if at + 1 < len(tcp) else 0
        if length < 2 or at + length > len(tcp):
            return
        yield tcp[at:at + length]
        at += length
