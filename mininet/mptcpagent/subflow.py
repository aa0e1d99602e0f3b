# SPDX-License-Identifier: Apache-2.0
"""The ends of a subflow, as 36 bytes that are a key of the BPF map as well, and as text."""

import functools
import socket
import struct

from .errors import AgentError

Ends = bytes
"""Local and remote address (16 bytes each, IPv4 as ``::ffff:a.b.c.d``), local and remote port (16 bits each, of this machine's
byte order)."""

_PORTS = struct.Struct("=HH")
_MAPPED = bytes(10) + b"\xff\xff"
_CACHED = 8192


def mapped(address: bytes) -> bytes:
    """An address of 4 or 16 bytes as 16 bytes."""
    return _MAPPED + address if len(address) == 4 else address


def is_ipv4(ends: Ends) -> bool:
    """Whether its packets, or those of an address of 16 bytes, are IPv4."""
    return ends.startswith(_MAPPED)


def of(local: bytes, local_port: int, remote: bytes, remote_port: int) -> Ends:
    """The ends with these addresses, each of 4 or 16 bytes."""
    return mapped(local) + mapped(remote) + _PORTS.pack(local_port, remote_port)


def addresses(ends: Ends) -> tuple[str, str]:
    """The local and the remote address as text."""
    return text(ends[:16]), text(ends[16:32])


def ports(ends: Ends) -> tuple[int, int]:
    """The local and the remote port."""
    local, remote = _PORTS.unpack(ends[32:])
    return local, remote


@functools.lru_cache(_CACHED)
def texts(ends: Ends) -> tuple[str, str]:
    """The local and the remote end as ``10.0.0.1:80`` or ``[fd00::1]:80``."""
    local, remote = (f"[{address}]" if ":" in address else address for address in addresses(ends))
    local_port, remote_port = ports(ends)
    return f"{local}:{local_port}", f"{remote}:{remote_port}"


@functools.lru_cache(_CACHED)
def parse(local: str, remote: str) -> Ends:
    """The ends that ``texts`` would give; AgentError if they are none."""
    (here, local_port), (there, remote_port) = _end(local), _end(remote)
    return of(here, local_port, there, remote_port)


def text(address: bytes) -> str:
    """An address of 16 bytes as text."""
    if address.startswith(_MAPPED):
        return socket.inet_ntop(socket.AF_INET, address[12:])
    return socket.inet_ntop(socket.AF_INET6, address)


def _end(end: str) -> tuple[bytes, int]:
    address, colon, port = end.rpartition(":")
    try:
        number = int(port)
        if not colon or not 0 < number < 65536:
            raise ValueError
        if address.startswith("["):
            return socket.inet_pton(socket.AF_INET6, address[1:-1]), number
        return socket.inet_pton(socket.AF_INET, address), number
    except (ValueError, OSError):
        raise AgentError(f"{end} is no address with a port") from None
