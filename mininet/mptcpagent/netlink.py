# SPDX-License-Identifier: Apache-2.0
"""Netlink, as much of it as dumps of sockets need (RFC 3549; Linux ``netlink(7)``)."""

import os
import socket
import struct
from collections.abc import Iterator

_HEADER = struct.Struct("=IHHII")
_ATTRIBUTE = struct.Struct("=HH")
_ERROR = struct.Struct("=i")

_SOCK_DIAG = 4
_REQUEST, _DUMP = 0x1, 0x300
_NLMSG_ERROR, _NLMSG_DONE = 2, 3
_TYPE_MASK = 0x3FFF
_BUFFER = 1 << 18
_SECONDS = 5.0


class Diag:
    """A socket of the family ``NETLINK_SOCK_DIAG``, in the network namespace in which it is made."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, _SOCK_DIAG)
        self._socket.settimeout(_SECONDS)
        self._socket.bind((0, 0))
        self._sequence = 0

    def dump(self, kind: int, request: bytes) -> Iterator[memoryview]:
        """The payload of every message that answers a dump request. OSError with the kernel's error number."""
        self._sequence += 1
        self._socket.send(_HEADER.pack(_HEADER.size + len(request), kind, _REQUEST | _DUMP, self._sequence, 0) + request)
        while True:
            data = memoryview(self._socket.recv(_BUFFER))
            while len(data) >= _HEADER.size:
                length, what, _, sequence, _ = _HEADER.unpack_from(data)
                payload, data = data[_HEADER.size:length], data[(length + 3) & ~3:]
                if sequence != self._sequence:
                    continue  # of a dump that was given up
                if what == _NLMSG_DONE:
                    return
                if what == _NLMSG_ERROR:
                    number = -_ERROR.unpack_from(payload)[0]
                    raise OSError(number, os.strerror(number))
                yield payload

    def close(self) -> None:
        """Closes it."""
        self._socket.close()


def attribute(kind: int, value: bytes) -> bytes:
    """One attribute."""
    return _ATTRIBUTE.pack(_ATTRIBUTE.size + len(value), kind) + value + bytes(-len(value) % 4)


def attributes(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """(kind, value) of each attribute in ``data``."""
    while len(data) >= _ATTRIBUTE.size:
        length, kind = _ATTRIBUTE.unpack_from(data)
        if length < _ATTRIBUTE.size:
            return
        yield kind & _TYPE_MASK, data[_ATTRIBUTE.size:length]
        data = data[(length + 3) & ~3:]
