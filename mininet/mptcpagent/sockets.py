# SPDX-License-Identifier: Apache-2.0
"""The MPTCP subflows that this host's kernel has, read by ``inet_diag`` (Linux ``sock_diag(7)``)."""

import contextlib
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from .netlink import Netlink, attribute, attributes
from .subflow import Ends, is_ipv4, of, ports

_DUMP_BY_FAMILY, _DESTROY = 20, 21
_REQUEST = struct.Struct("=BBBBI48x")
_ONE = struct.Struct("=BBBBI4s16s16sIQ")
_ANY_COOKIE = 2 ** 64 - 1
_MESSAGE = struct.Struct("=BBBB2s2s16s16s32x")
_INFO, _CONTROL, _ULP_INFO = 2, 4, 19
_ASK = 1 << _INFO - 1 | 1 << _CONTROL - 1
_ULP_MPTCP, _TOKEN_LOCAL, _FLAGS = 3, 2, 8
_OPENED, _BACKUP = 1 << 1 | 1 << 3, 1 << 4 | 1 << 5
"""Of a subflow's flags: this host has opened it; this host has asked the other to use it as a backup, or was asked to."""

_REQUEST_PROTOCOL = 3
_TCP, _OTHER, _MPTCP = 6, 255, 262

_ALIVE = sum(1 << state for state in (1, 4, 5, 8, 9, 11))
"""ESTABLISHED, FIN_WAIT1, FIN_WAIT2, CLOSE_WAIT, LAST_ACK, CLOSING: something may still be sent or received."""

_TCP_INFO = struct.Struct("=7xB" "52xI" "4xI" "8xI" "36xQ" "16xI" "12xQ" "QQ")
"""Of ``struct tcp_info``: flags with app_limited, pmtu, rtt, snd_cwnd, bytes_acked, notsent_bytes, delivery_rate, busy_time,
rwnd_limited."""

_APPLICATION_LIMITED = 1
_LOOPBACK = (b"\x7f", bytes(10) + b"\xff\xff\x7f", bytes(15) + b"\x01")


@dataclass(frozen=True)
class Subflow:
    """One subflow, as the kernel tells.

    ``token``: of the connection on this host; ``acked``: payload that the other end has acknowledged, bytes; ``delivery``: the
    kernel's own estimate, bytes of payload per second; ``unsent``: bytes that wait for the congestion window or for pacing;
    ``paused_by_application``: the latest rate is what the application sent; ``busy``, ``window_limited``: seconds with something
    to send, and of these the seconds in which the receiver's window was full; ``mtu``: of the path, bytes;
    ``backup``: a host wants it used only when no other works; ``opened``: by this host; ``control``: congestion control.
    """

    ends: Ends
    token: int
    acked: int
    delivery: int
    unsent: int
    paused_by_application: bool
    busy: float
    window_limited: float
    cwnd: int
    rtt_millis: float
    mtu: int
    backup: bool = False
    opened: bool = False
    control: str = ""


def read(diag: Netlink) -> list[Subflow]:
    """All subflows of MPTCP connections that are open, without those of the loopback interface. OSError if the kernel refuses."""
    if not _any_connection(diag):
        return []
    return [subflow for family in (socket.AF_INET, socket.AF_INET6) for subflow in _subflows(diag, family)]


def reset(diag: Netlink, ends: Ends) -> None:
    """Ends a subflow with a RST. Its connection sends on others what has not been acknowledged. OSError if there is none,
    or if the kernel cannot (CONFIG_INET_DIAG_DESTROY)."""
    family, skipped = (socket.AF_INET, 12) if is_ipv4(ends) else (socket.AF_INET6, 0)
    diag.ask(_DESTROY, _ONE.pack(family, _TCP, 0, 0, _ALIVE, struct.pack(">HH", *ports(ends)), ends[skipped:16],
                                 ends[16 + skipped:32], 0, _ANY_COOKIE))


def _any_connection(diag: Netlink) -> bool:
    """Whether there is an MPTCP connection. Then there may be a million of plain TCP, and nobody needs to look at them."""
    protocol = attribute(_REQUEST_PROTOCOL, struct.pack("=I", _MPTCP))
    found = False
    try:
        for family in (socket.AF_INET, socket.AF_INET6):
            for _ in diag.dump(_DUMP_BY_FAMILY, _REQUEST.pack(family, _OTHER, 0, 0, _ALIVE) + protocol):
                found = True
    except OSError:
        # A kernel without CONFIG_INET_MPTCP_DIAG.
        return True
    return found


def _subflows(diag: Netlink, family: int) -> Iterator[Subflow]:
    size = 4 if family == socket.AF_INET else 16
    for message in diag.dump(_DUMP_BY_FAMILY, _REQUEST.pack(family, _TCP, _ASK, 0, _ALIVE)):
        found = dict(attributes(message[_MESSAGE.size:]))
        if _ULP_INFO not in found or _INFO not in found:
            continue
        told = _mptcp(found[_ULP_INFO])
        if _TOKEN_LOCAL not in told:
            continue
        _, _, _, _, local_port, remote_port, local, remote = _MESSAGE.unpack_from(message)
        if local.startswith(_LOOPBACK if size == 16 else _LOOPBACK[:1]):
            continue
        with contextlib.suppress(struct.error):  # a kernel that tells less
            yield _subflow(of(local[:size], _port(local_port), remote[:size], _port(remote_port)), told, found[_INFO],
                           bytes(found.get(_CONTROL, b"")))


def _subflow(ends: Ends, told: dict[int, int], info: memoryview, control: bytes) -> Subflow:
    flags, mtu, rtt, cwnd, acked, unsent, delivery, busy, limited = _TCP_INFO.unpack_from(info)
    return Subflow(ends, told[_TOKEN_LOCAL], acked, delivery, unsent, bool(flags & _APPLICATION_LIMITED), busy * 1e-6,
                   limited * 1e-6, cwnd, rtt * 1e-3, mtu, bool(told.get(_FLAGS, 0) & _BACKUP),
                   bool(told.get(_FLAGS, 0) & _OPENED), control.rstrip(b"\0").decode(errors="replace"))


def _mptcp(ulp: memoryview) -> dict[int, int]:
    """What the kernel tells of a subflow's part in its connection; nothing of other sockets."""
    for kind, value in attributes(ulp):
        if kind == _ULP_MPTCP:
            return {number: int.from_bytes(told, "little") for number, told in attributes(value)}
    return {}


def _port(octets: bytes) -> int:
    return int.from_bytes(octets, "big")
