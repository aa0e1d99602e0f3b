# SPDX-License-Identifier: Apache-2.0
"""Netlink, as much of it as dumps of sockets and generic netlink need (RFC 3549; Linux ``netlink(7)``)."""

import os
import socket
import struct
from collections.abc import Iterator

_HEADER = struct.Struct("=IHHII")
_ATTRIBUTE = struct.Struct("=HH")
_ERROR = struct.Struct("=i")

SOCK_DIAG, GENERIC = 4, 16
"""Families of netlink."""

_REQUEST, _ACK, _DUMP = 0x1, 0x4, 0x300
_SOL_NETLINK, _ADD_MEMBERSHIP, _CAP_ACK, _EXT_ACK = 270, 1, 10, 11
_ACK_TLVS, _ACK_MESSAGE = 0x200, 1
_NLMSG_ERROR, _NLMSG_DONE, _FIRST_OF_FAMILIES = 2, 3, 0x10
_TYPE_MASK, _NESTED = 0x3FFF, 0x8000
_BUFFER = 1 << 18
_SECONDS = 5.0


class Netlink:
    """A netlink socket, in the network namespace in which it is made."""

    def __init__(self, family: int) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, family)
        self._socket.settimeout(_SECONDS)
        # An error then has a text, and no copy of the request.
        for option in (_CAP_ACK, _EXT_ACK):
            self._socket.setsockopt(_SOL_NETLINK, option, 1)
        self._socket.bind((0, 0))
        self._sequence = 0

    def dump(self, kind: int, request: bytes) -> Iterator[memoryview]:
        """The payload of every message that answers a dump request. OSError with the kernel's error number."""
        return self._asked(kind, request, _DUMP)

    def ask(self, kind: int, request: bytes) -> list[memoryview]:
        """The payload of every message that answers a request, once the kernel has done what it asks for. OSError with the
        kernel's error number and, where it gives one, its own text."""
        return list(self._asked(kind, request, _ACK))

    def join(self, group: int) -> None:
        """From now on, ``news`` gets what the kernel sends to a multicast group."""
        self._socket.setsockopt(_SOL_NETLINK, _ADD_MEMBERSHIP, group)
        self._socket.setblocking(False)

    def fileno(self) -> int:
        """Its descriptor, for ``select``."""
        return self._socket.fileno()

    def news(self) -> Iterator[memoryview]:
        """The payload of every message that has come to the groups. OSError (ENOBUFS) if some are lost."""
        while True:
            try:
                data = self._socket.recv(_BUFFER)
            except BlockingIOError:
                return
            for what, _, _, payload in _messages(data):
                if what >= _FIRST_OF_FAMILIES:
                    yield payload

    def close(self) -> None:
        """Closes it."""
        self._socket.close()

    def _asked(self, kind: int, request: bytes, flags: int) -> Iterator[memoryview]:
        self._sequence += 1
        self._socket.send(_HEADER.pack(_HEADER.size + len(request), kind, _REQUEST | flags, self._sequence, 0) + request)
        while True:
            for what, told, sequence, payload in _messages(self._socket.recv(_BUFFER)):
                if sequence != self._sequence:
                    continue  # of a dump that was given up
                if what == _NLMSG_DONE:
                    return
                if what == _NLMSG_ERROR:
                    number = -_ERROR.unpack_from(payload)[0]
                    if number:
                        raise OSError(number, _text(payload, told) or os.strerror(number))
                    return
                yield payload


def attribute(kind: int, value: bytes) -> bytes:
    """One attribute."""
    return _ATTRIBUTE.pack(_ATTRIBUTE.size + len(value), kind) + value + bytes(-len(value) % 4)


def nested(kind: int, *inner: bytes) -> bytes:
    """An attribute that consists of others."""
    return attribute(kind | _NESTED, b"".join(inner))


def attributes(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """(kind, value) of each attribute in ``data``."""
    while len(data) >= _ATTRIBUTE.size:
        length, kind = _ATTRIBUTE.unpack_from(data)
        if length < _ATTRIBUTE.size:
            return
        yield kind & _TYPE_MASK, data[_ATTRIBUTE.size:length]
        data = data[(length + 3) & ~3:]


def _messages(received: bytes) -> Iterator[tuple[int, int, int, memoryview]]:
    """(kind, flags, sequence number, payload) of each message in a datagram."""
    data = memoryview(received)
    while len(data) >= _HEADER.size:
        length, what, flags, sequence, _ = _HEADER.unpack_from(data)
        if length < _HEADER.size:
            return
        yield what, flags, sequence, data[_HEADER.size:length]
        data = data[(length + 3) & ~3:]


def _text(error: memoryview, flags: int) -> str:
    """What the kernel says of an error, or nothing."""
    if not flags & _ACK_TLVS:
        return ""
    said = dict(attributes(error[_ERROR.size + _HEADER.size:])).get(_ACK_MESSAGE, b"")
    return bytes(said).rstrip(b"\0").decode(errors="replace")
