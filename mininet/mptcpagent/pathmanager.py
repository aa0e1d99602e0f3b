# SPDX-License-Identifier: Apache-2.0
"""Path management from user space: the generic netlink family ``mptcp_pm`` (Linux 5.19 and later).

A kernel decides when a connection begins who manages its paths. So what is taken or given back holds for later connections.
"""

import contextlib
import errno
import socket
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from .errors import AgentError, Unusable
from .generic import Family, split
from .netlink import SOCK_DIAG, Netlink, attribute, nested
from .sockets import reset
from .subflow import Ends, is_ipv4, mapped, of, ports, text

_NAME, _VERSION, _EVENTS = "mptcp_pm", 1, "mptcp_pm_events"

_SET_FLAGS, _ANNOUNCE, _CREATE, _DESTROY = 7, 8, 10, 11
_ADDRESS, _TOKEN, _ADDRESS_REMOTE = 1, 4, 6
_FAMILY, _ID, _ADDRESS_V4, _ADDRESS_V6, _PORT, _FLAGS = 1, 2, 3, 4, 5, 6
_FLAG_SIGNAL, _FLAG_SUBFLOW, _FLAG_BACKUP = 1 << 0, 1 << 1, 1 << 2

_EVENT_TOKEN, _EVENT_REMOTE_ID, _EVENT_BACKUP, _EVENT_FLAGS, _EVENT_SERVER = 1, 4, 11, 13, 18
_EVENT_FLAG_SERVER = 1 << 1
_EVENT_ADDRESSES, _EVENT_PORTS = ((5, 7), (6, 8)), (9, 10)
"""Attributes of events: source and destination address of IPv4 and of IPv6, source and destination port."""

_U8, _U16, _U32 = struct.Struct("=B"), struct.Struct("=H"), struct.Struct("=I")
_MOST_ID = 255

_SETTINGS = (("path_manager", "userspace", "kernel"), ("pm_type", "1", "0"))
"""Names of the setting below ``/proc/sys/net/mptcp``, the newer one first, with its values for user space and kernel."""


class NotYet(AgentError):
    """The connection is too young: the other host has acknowledged nothing."""


class What(IntEnum):
    """What has happened to a connection or one of its subflows (``enum mptcp_event_type``)."""

    CREATED = 1
    ESTABLISHED = 2
    CLOSED = 3
    ANNOUNCED = 6
    REMOVED = 7
    SUB_ESTABLISHED = 10
    SUB_CLOSED = 11
    SUB_PRIORITY = 13


@dataclass(frozen=True)
class Event:
    """One event. ``token``: of the connection on this host; ``ends``: of the subflow it is about, None where the kernel does not
    tell them; ``server``: whether this host has accepted the connection, told when one is created or established; ``backup``:
    priority; ``number``, ``remote``: identifier and address, 16 bytes, that the other host announces; of one that it takes back
    there is only the identifier."""

    what: What
    token: int
    ends: Ends | None
    server: bool
    backup: bool
    number: int = 0
    remote: bytes | None = None


class PathManager:
    """The path manager of the network namespace in which it is made, if ``take`` has made it that."""

    name = "user"

    def __init__(self, settings: Path = Path("/proc/sys/net/mptcp")) -> None:
        """Unusable if the kernel lets no program manage paths."""
        self._setting, self._user, self._kernel = _setting(settings)
        try:
            self._family = Family(_NAME, _VERSION)
            # Without a listener the kernel takes no MP_JOIN for a connection whose paths a program manages.
            self._events = self._family.listen(_EVENTS)
            self._diag = Netlink(SOCK_DIAG)
        except OSError as failure:
            raise Unusable(f"no generic netlink family {_NAME}: {failure.strerror or failure}") from None
        self._ids: dict[int, int] = {}

    def take(self) -> None:
        """Connections that begin from now on are managed here. AgentError if that fails."""
        self._set(self._kernel, self._user)

    def release(self) -> None:
        """The kernel manages the paths of connections that begin from now on. AgentError if that fails."""
        self._set(self._user, self._kernel)

    def fileno(self) -> int:
        """The descriptor that is readable when something has happened, for ``select``."""
        return self._events.fileno()

    def events(self) -> Iterator[Event]:
        """What has happened since the last time. OSError (ENOBUFS) if some of it is lost."""
        for message in self._events.news():
            event = decode(message)
            if event:
                if event.what == What.CLOSED:
                    self._ids.pop(event.token, None)
                yield event

    def create(self, token: int, ends: Ends, backup: bool) -> None:
        """Opens a subflow of a connection from one of this host's addresses and a free port. NotYet if the connection is too
        young, AgentError if the kernel refuses; that it begins does not mean that the other host accepts it."""
        self._numbered("no subflow", token, _CREATE, lambda number: subflow_created(token, number, ends, backup))

    def announce(self, token: int, address: bytes) -> None:
        """Tells the other host of a connection (ADD_ADDR) that this host has an address, 16 bytes, to which it may open subflows.
        AgentError if this host has not, or if the kernel refuses."""
        what = f"{text(address)} is not announced"
        try:
            with socket.socket(socket.AF_INET if is_ipv4(address) else socket.AF_INET6, socket.SOCK_DGRAM) as own:
                own.bind((text(address), 0))
        except OSError as failure:
            raise _refused(what, failure) from None
        self._numbered(what, token, _ANNOUNCE, lambda number: address_announced(token, number, address))

    def _numbered(self, what: str, token: int, command: int, request: Callable[[int], bytes]) -> None:
        for _ in range(_MOST_ID):
            # Address identifiers, too, tell the subflows of a connection apart.
            number = self._ids[token] = self._ids.get(token, 0) % _MOST_ID + 1
            try:
                self._family.ask(command, request(number))
                return
            except OSError as failure:
                if failure.errno == errno.ENOTCONN:
                    raise NotYet(f"{what}: the connection is not fully established") from None
                # A program that was here before has used the identifier. Everything else has another number or another text.
                if failure.errno != errno.EINVAL or "did not match" not in str(failure.strerror):
                    raise _refused(what, failure) from None
        raise AgentError(f"{what}: all address identifiers of the connection are in use")

    def destroy(self, token: int, ends: Ends) -> None:
        """Resets a subflow: what it has not delivered goes over others, and neither host waits for its end. AgentError if the
        kernel refuses, as when there is none."""
        was_reset = False
        with contextlib.suppress(OSError):  # a kernel that cannot closes it
            reset(self._diag, ends)
            was_reset = True
        try:
            # Also for its address identifier.
            self._family.ask(_DESTROY, subflow_destroyed(token, ends))
        except OSError as failure:
            if not was_reset:
                raise _refused("a subflow cannot be closed", failure) from None

    def set_backup(self, token: int, ends: Ends, backup: bool) -> None:
        """Says both hosts whether to use a subflow only when there is no other; AgentError if the kernel refuses."""
        try:
            self._family.ask(_SET_FLAGS, priority_set(token, ends, backup))
        except OSError as failure:
            raise _refused("the priority of a subflow cannot be changed", failure) from None

    def _set(self, before: str, value: str) -> None:
        try:
            if self._setting.read_text(encoding="ascii").strip() == before:
                self._setting.write_text(value + "\n", encoding="ascii")
        except OSError as failure:
            raise AgentError(f"net.mptcp.{self._setting.name} cannot be set: {failure.strerror}") from None


def subflow_created(token: int, number: int, ends: Ends, backup: bool) -> bytes:
    """Attributes of a request that opens a subflow; ``number``: its address identifier."""
    flags = _FLAG_SUBFLOW | (_FLAG_BACKUP if backup else 0)
    return _request(token, ends, attribute(_ID, _U8.pack(number)), attribute(_FLAGS, _U32.pack(flags)))


def address_announced(token: int, number: int, address: bytes) -> bytes:
    """Attributes of a request that announces an address; ``number``: its identifier."""
    return attribute(_TOKEN, _U32.pack(token)) + nested(_ADDRESS, *_address(address), attribute(_ID, _U8.pack(number)),
                                                        attribute(_FLAGS, _U32.pack(_FLAG_SIGNAL)))


def subflow_destroyed(token: int, ends: Ends) -> bytes:
    """Attributes of a request that closes a subflow."""
    return _request(token, ends)


def priority_set(token: int, ends: Ends, backup: bool) -> bytes:
    """Attributes of a request that sets the priority of a subflow."""
    return _request(token, ends, attribute(_FLAGS, _U32.pack(_FLAG_BACKUP if backup else 0)))


def decode(message: memoryview) -> Event | None:
    """The event in a message; None for one that is not of interest, or not understood."""
    command, listed = split(message)
    found = dict(listed)
    try:
        ends = _ends(found)
        return Event(What(command), _number(found[_EVENT_TOKEN]), ends,
                     # Linux 6.18 and later have a flag, and the attribute only where it is true.
                     bool(_told(found, _EVENT_SERVER) or _told(found, _EVENT_FLAGS) & _EVENT_FLAG_SERVER),
                     bool(_told(found, _EVENT_BACKUP)), _told(found, _EVENT_REMOTE_ID),
                     None if ends else _remote(found))
    except (ValueError, KeyError):
        return None


def _ends(found: dict[int, memoryview]) -> Ends | None:
    for source, destination in _EVENT_ADDRESSES:
        if {source, destination, *_EVENT_PORTS} <= found.keys():
            here, there = (int.from_bytes(found[kind], "big") for kind in _EVENT_PORTS)
            return of(bytes(found[source]), here, bytes(found[destination]), there)
    return None


def _remote(found: dict[int, memoryview]) -> bytes | None:
    return next((mapped(bytes(found[kind])) for _, kind in _EVENT_ADDRESSES if kind in found), None)


def _told(found: dict[int, memoryview], kind: int) -> int:
    return _number(found[kind]) if kind in found else 0


def _request(token: int, ends: Ends, *of_local: bytes) -> bytes:
    local_port, remote_port = ports(ends)
    return (attribute(_TOKEN, _U32.pack(token)) + nested(_ADDRESS, *_end(ends[:16], local_port), *of_local)
            + nested(_ADDRESS_REMOTE, *_end(ends[16:32], remote_port)))


def _end(address: bytes, port: int) -> Iterable[bytes]:
    yield from _address(address)
    yield attribute(_PORT, _U16.pack(port))


def _address(address: bytes) -> Iterable[bytes]:
    if is_ipv4(address):
        yield attribute(_FAMILY, _U16.pack(socket.AF_INET))
        yield attribute(_ADDRESS_V4, address[12:])
    else:
        yield attribute(_FAMILY, _U16.pack(socket.AF_INET6))
        yield attribute(_ADDRESS_V6, address)


def _number(value: memoryview) -> int:
    return int.from_bytes(value, "little")


def _setting(folder: Path) -> tuple[Path, str, str]:
    for name, user, kernel in _SETTINGS:
        if (folder / name).exists():
            return folder / name, user, kernel
    raise Unusable("this kernel lets no program manage MPTCP's paths (Linux 5.19 and later do)")


def _refused(what: str, failure: OSError) -> AgentError:
    return AgentError(f"{what}: {failure.strerror or failure}")
