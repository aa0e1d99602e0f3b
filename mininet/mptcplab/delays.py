# SPDX-License-Identifier: Apache-2.0
"""Links with a delay or with loss: what a topology file says of it, and a Mininet host in the middle of a link that passes frames
late, or not at all.

A link of a topology file may have ``"delayMillis"``, each way, and ``"srlg"``, a list of names of shared-risk link groups, as for
the planner; ``"lossPercent"``, each way, and ``"queueFrames"``, the full frames that wait for it at most. Not every kernel has
netem, so a program passes the frames (``delaybridge``).
"""

import json
import math
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import hosts
from .errors import LabError, UsageError
from .hosts import Host

MAX_MILLIS = 1000.0
"""Of one link: beyond that hosts take each other for lost before they have met."""

MAX_LOSS_PERCENT, MAX_QUEUE_FRAMES = 20.0, 10_000
"""Beyond that loss ONOS no longer keeps a link, whose own probes are lost, too."""

BRIDGE = Path(__file__).with_name("delaybridge.py")


def millis(link: Mapping[str, Any], where: str) -> float | None:
    """The delay that a link of a file has, None without one. UsageError if it is none; ``where`` appears in its message."""
    value = link.get("delayMillis")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= MAX_MILLIS:
        raise UsageError(f"{where} has delayMillis {json.dumps(value)}: the testbed delays by 0 to {MAX_MILLIS:g} ms")
    return float(value)


def loss(link: Mapping[str, Any], where: str) -> float:
    """How many of a hundred frames a link of a file loses. UsageError if it is no such number."""
    value = link.get("lossPercent", 0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_LOSS_PERCENT:
        raise UsageError(f"{where} has lossPercent {json.dumps(value)}: the testbed loses 0 to {MAX_LOSS_PERCENT:g} % of frames")
    return float(value)


def queue_frames(link: Mapping[str, Any], where: str) -> int | None:
    """How many full frames wait for a link of a file at most; None without that. UsageError if it is no such number."""
    value = link.get("queueFrames")
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_QUEUE_FRAMES):
        raise UsageError(f"{where} has queueFrames {json.dumps(value)}: it must be a whole number from 1 to {MAX_QUEUE_FRAMES}")
    return value


def groups(link: Mapping[str, Any], where: str) -> tuple[str, ...]:
    """The shared-risk link groups of a link of a file. UsageError if they are none."""
    names = link.get("srlg", [])
    if not isinstance(names, list) or any(isinstance(name, bool) or not isinstance(name, str | int) or not str(name).strip()
                                          for name in names):
        raise UsageError(f"{where} has srlg {json.dumps(names)}: it must be a list of names")
    return tuple(dict.fromkeys(str(name).strip() for name in names))


def start(middle: Host, there: float, back: float, losses: tuple[float, float] = (0, 0)) -> subprocess.Popen[bytes]:
    """Lets a Mininet host pass frames between its two interfaces, so many milliseconds later: ``there`` from the first to the
    second. Of a hundred, so many are lost there and back. LabError if it does not begin."""
    names = [hosts.interface(middle, index) for index in range(2)]
    for command in ("sysctl -q -w net.ipv6.conf.all.disable_ipv6=1", *(f"ethtool -K {name} tx off" for name in names),
                    *(f"ip link set {name} up" for name in names), *(f"ip address flush dev {name}" for name in names)):
        hosts.do(middle, command)
    bridge = hosts.start(middle, [sys.executable, "-I", str(BRIDGE), str(there), str(back), *map(str, losses), *names])
    line = bridge.stdout.readline().decode(errors="replace").strip() if bridge.stdout else ""
    if line != "ready":
        raise LabError(f"the link {middle.name} that delays frames does not start: {line}")
    return bridge
