# SPDX-License-Identifier: Apache-2.0
"""Links that mark packets (CE, RFC 3168) before they drop any, for congestion controls that heed marks."""

from pathlib import Path

from mptcpagent.compiling import compile_source
from mptcpagent.errors import Unusable

from .errors import LabError
from .network import QUEUE_BYTES, Network
from .processes import run

_SOURCE = Path(__file__).with_name("marker.bpf.c")
_VIRTUAL = 0.98
"""Rate of the virtual link, as a part of the real one's."""

_THRESHOLD_SECONDS = 0.012
"""Packets that would wait for longer are marked: ten full frames at 10 Mbit/s, a tenth of the real queue."""

_FRAME = 1514


def mark(network: Network, folder: Path) -> None:
    """Lets all links between switches mark from now on, those that do already anew. ``folder``: for compiled programs."""
    lines = []
    for link in network.topology.links:
        for (here, there), mbps in zip(link.ends, (link.forward, link.backward)):
            interface = network.interface(here, there)
            lines += [f"qdisc replace dev {interface} clsact",
                      f"filter replace dev {interface} egress pref 1 handle 1 bpf da obj {program(mbps, folder)} sec tc"]
    run(["tc", "-batch", "-"], "letting links mark packets", input="\n".join(lines) + "\n")


def program(mbps: float, folder: Path) -> Path:
    """The compiled program for a link of so many Mbit/s, made unless it is there. LabError if it cannot be made."""
    file = folder / f"marker-{mbps:g}.bpf.o"
    if not file.exists():
        rate = mbps * 1e6 / 8
        try:
            file.write_bytes(compile_source(_SOURCE, [
                f"-DBYTES_PER_SECOND={int(_VIRTUAL * rate)}ULL", f"-DMOST={QUEUE_BYTES}",
                f"-DTHRESHOLD={max(2 * _FRAME, int(_THRESHOLD_SECONDS * rate))}"]))
        except Unusable as failure:
            raise LabError(f"links cannot mark packets: {failure}") from None
    return file
