# SPDX-License-Identifier: Apache-2.0
"""TCP frames as tcpdump has written them: which a queue has dropped, how bursts reach it, and what is acknowledged at once."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_HEADER, _RECORD = 24, struct.Struct("=IIII")
_ETHERNET, _IPV4 = 14, b"\x08\x00"

Flow = tuple[str, int, str, int]
"""Address and port of its source and of its target."""


class Frame(NamedTuple):
    """``at`` in seconds; ``ident`` of the IP header; ``payload`` in octets."""

    at: float
    flow: Flow
    ident: int
    sequence: int
    acknowledged: int
    payload: int


def read(file: Path) -> Iterator[Frame]:
    """The TCP frames of a capture on this machine, in their order. A record that is not whole ends it."""
    data, at = file.read_bytes(), _HEADER
    while at + _RECORD.size <= len(data):
        seconds, micros, kept, _ = _RECORD.unpack_from(data, at)
        frame = data[at + _RECORD.size:at + _RECORD.size + kept]
        at += _RECORD.size + kept
        if frame[12:14] == _IPV4 and frame[23] == 6:
            yield _tcp(seconds + micros * 1e-6, frame[_ETHERNET:])


def _tcp(at: float, packet: bytes) -> Frame:
    length, ident = struct.unpack_from("!HH", packet, 2)
    ends = [".".join(map(str, packet[first:first + 4])) for first in (12, 16)]
    header = (packet[0] & 15) * 4
    source, target, sequence, acknowledged = struct.unpack_from("!HHII", packet, header)
    payload = length - header - (packet[header + 12] >> 4) * 4
    return Frame(at, (ends[0], source, ends[1], target), ident, sequence, acknowledged, payload)


def with_fates(came: Sequence[Frame], left: Sequence[Frame], last_seconds: float) -> list[tuple[Frame, bool]]:
    """Frames with data that came to a queue, each with whether it was dropped. What came before the capture of what left began is
    left out, and what came in the last seconds: it may still have been there."""
    there = {(one.flow, one.sequence, one.ident) for one in left}
    begin, end = left[0].at, came[-1].at - last_seconds
    return [(one, (one.flow, one.sequence, one.ident) not in there) for one in came if one.payload and begin < one.at < end]


def positions(frames: Iterable[Frame], apart: float) -> list[int]:
    """The place of each frame of a flow in its burst, from 0 on: each less than ``apart`` seconds after the one before it."""
    found: list[int] = []
    before = 0.0
    for one in frames:
        found.append(found[-1] + 1 if found and one.at - before < apart else 0)
        before = one.at
    return found


def steps(acks: Iterable[Frame], segment: int) -> list[int]:
    """Of acknowledgements of a flow that tell of new data: how many segments each tells of."""
    found, before = [], None
    for one in acks:
        if before is not None and 0 < (step := (one.acknowledged - before) % 2 ** 32) < 2 ** 31:
            found.append(max(1, round(step / segment)))
        before = one.acknowledged
    return found
