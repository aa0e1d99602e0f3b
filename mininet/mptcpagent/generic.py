# SPDX-License-Identifier: Apache-2.0
"""One family of generic netlink: its number and its multicast groups are asked for by name."""

import struct
from collections.abc import Iterator

from .netlink import GENERIC, Netlink, attribute, attributes

_HEADER = struct.Struct("=BBxx")
_CONTROL, _GET_FAMILY = 0x10, 3
_FAMILY_ID, _FAMILY_NAME, _GROUPS = 1, 2, 7
_GROUP_NAME, _GROUP_ID = 1, 2


class Family:
    """Requests to a family, in the network namespace in which it is made."""

    def __init__(self, name: str, version: int) -> None:
        """OSError if the kernel does not have it."""
        self._version = version
        self._socket = Netlink(GENERIC)
        answer = self._socket.ask(_CONTROL, _HEADER.pack(_GET_FAMILY, 1) + attribute(_FAMILY_NAME, name.encode() + b"\0"))
        found = dict(attributes(answer[0][_HEADER.size:]))
        self._number = int.from_bytes(found[_FAMILY_ID], "little")
        self._groups = {}
        for _, group in attributes(found.get(_GROUPS, memoryview(b""))):
            told = dict(attributes(group))
            self._groups[bytes(told[_GROUP_NAME]).rstrip(b"\0").decode()] = int.from_bytes(told[_GROUP_ID], "little")

    def ask(self, command: int, content: bytes) -> None:
        """Has the kernel do something. OSError with the kernel's error number and text."""
        self._socket.ask(self._number, _HEADER.pack(command, self._version) + content)

    def listen(self, group: str) -> Netlink:
        """A socket of its own that gets what the kernel sends to a multicast group. OSError if there is none, or if it is
        refused to this user."""
        if group not in self._groups:
            raise OSError(f"there is no multicast group {group}")
        events = Netlink(GENERIC)
        events.join(self._groups[group])
        return events


def split(message: memoryview) -> tuple[int, Iterator[tuple[int, memoryview]]]:
    """The command and the attributes of a message."""
    command, _ = _HEADER.unpack_from(message)
    return command, attributes(message[_HEADER.size:])
