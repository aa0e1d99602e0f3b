# SPDX-License-Identifier: Apache-2.0
"""Limits by pacing: a BPF program sets SO_MAX_PACING_RATE of each subflow. The kernel then sends no faster, without a queue.

Linux 5.15 and later with BTF; the capabilities BPF, PERFMON and NET_ADMIN.
"""

import struct
from collections.abc import Iterable, Mapping, Set
from pathlib import Path

from .compiling import compiled
from .libbpf import Program
from .limits import ETHERNET_MTU, Applied, Limits, payload_rate
from .subflow import Ends

OBJECT = "pacing"

_OUTCOME = struct.Struct("=36si")
_RATE = struct.Struct("=I")
_UNLIMITED = 2 ** 32 - 1


class Pacing:
    """The backend ``bpf``."""

    name = "bpf"

    def __init__(self, cache: Path | None = None) -> None:
        """``cache``: a folder that only this user can write; the compiled program is kept there. Unusable if it does not work."""
        self._program = Program(compiled(OBJECT, cache), ("limit", "release"), "rates")
        self._rates: dict[Ends, int] = {}
        self._limited: set[Ends] = set()
        self._program.run("limit")

    def apply(self, limits: Limits, mtus: Mapping[Ends, int], came: Set[Ends] = frozenset()) -> Applied:
        """As ``Backend.apply``. Sockets are walked only if something changed, or a socket was not found the last time."""
        self._limited -= came
        rates = {ends: payload_rate(mbps, ends, mtus.get(ends, ETHERNET_MTU)) for ends, mbps in limits.items()}
        gone = self._rates.keys() - rates.keys()
        up = {ends: rate for ends, rate in rates.items() if self._rates.get(ends, _UNLIMITED) < rate}
        down = {ends: rate for ends, rate in rates.items() if self._rates.get(ends, _UNLIMITED) > rate}
        if gone or up:
            self._set({**dict.fromkeys(gone, _UNLIMITED), **up})
            for ends in gone:
                self._program.remove(ends)
            self._limited -= gone
        if down or rates.keys() - self._limited:
            self._set(down)
        self._rates = rates
        limited = len(rates.keys() & self._limited)
        return Applied(limited, len(rates) - limited)

    def release(self) -> None:
        """As ``Backend.release``."""
        self._forget(self._rates)
        self._rates = {}
        self._limited = set()
        self._program.run("release")

    def _set(self, rates: Mapping[Ends, int]) -> None:
        for ends, rate in rates.items():
            self._program.put(ends, _RATE.pack(rate))
        self._limited = {ends for ends, error in _OUTCOME.iter_unpack(self._program.run("limit")) if not error}

    def _forget(self, ends: Iterable[Ends]) -> None:
        for one in ends:
            self._program.remove(one)
