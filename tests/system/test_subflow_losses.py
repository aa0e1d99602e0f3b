# SPDX-License-Identifier: Apache-2.0
"""Why two subflows of ``reno`` get less than two TCPs of ``reno`` on one link, beside a TCP: captures at the link's queue.

``./lab test congestion --runs N`` measures it N times and prints means with their 95 % intervals.
"""

import statistics
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

import captures
from captures import Flow, Frame
from conftest import tell
from mptcplab import provenance
from mptcplab.intervals import interval
from mptcplab.processes import wait_for
from two_paths import TCP_PORT, Network


class Kind(NamedTuple):
    """What is beside a TCP on a link: so many flows; the server's receive buffer in bytes, or what the kernel makes of it; and
    whether the server acknowledges each segment at once."""

    flows: int
    mptcp: bool
    buffer: int = 0
    each: bool = False


KINDS = {"one TCP": Kind(1, False), "one subflow": Kind(1, True), "two TCPs": Kind(2, False), "two subflows": Kind(2, True),
         "two subflows, buffer of 64 KiB": Kind(2, True, 64 << 10), "two subflows, buffer of 1 MiB": Kind(2, True, 1 << 20),
         "two TCPs, each segment acknowledged": Kind(2, False, each=True),
         "two subflows, each segment acknowledged": Kind(2, True, each=True)}
SECONDS, _WARM_UP_SECONDS = 25, 5
_AT_ONCE = 8
_APART = 0.0004
"""Seconds between frames of a burst at most: a third of what the link takes for one."""

_QUEUE_SECONDS = 0.1
_SEGMENT = 1428
_THIRD = 2


class Figures(NamedTuple):
    """``share``: payload of what is measured, in TCPs. In per cent, of that and of the TCP beside: frames that were dropped,
    frames that are at least the third of a burst, and acknowledgements of one segment."""

    share: float
    dropped: float
    dropped_of_tcp: float
    third: float
    third_of_tcp: float
    single: float
    single_of_tcp: float


def _per_cent(values: list[bool]) -> float:
    return 100 * statistics.fmean(values)


def _is_beside(flow: Flow) -> bool:
    return TCP_PORT in (flow[1], flow[3])


def figures(came: list[Frame], left: list[Frame], acks: list[Frame]) -> Figures:
    """Of what came to the queue, left it, and was acknowledged."""
    fates = captures.with_fates(came, left, _QUEUE_SECONDS)
    carried = {False: 0, True: 0}
    dropped, third, single = ({False: [], True: []} for _ in range(3))  # type: ignore[var-annotated]
    for flow in {one.flow for one, _ in fates}:
        beside, mine = _is_beside(flow), [(one, gone) for one, gone in fates if one.flow == flow]
        carried[beside] += sum(one.payload for one, gone in mine if not gone)
        dropped[beside] += [gone for _, gone in mine]
        third[beside] += [place >= _THIRD for place in captures.positions([one for one, _ in mine], _APART)]
        back = (*flow[2:], *flow[:2])
        single[beside] += [step == 1 for step in captures.steps([one for one in acks if one.flow == back], _SEGMENT)]
    return Figures(carried[False] / carried[True], *(_per_cent(what[beside]) for what in (dropped, third, single)
                                                      for beside in (False, True)))


def _captured(network: Network, folder: Path) -> Figures:
    files = {"came": ("a0", "in", "dst"), "left": ("b0", "out", "dst"), "acks": ("a0", "out", "src")}
    running = [network.router.popen(
        ["tcpdump", "-i", interface, "-Q", direction, "-n", "-Z", "root", "-s", "80", "-B", "8192", "-w", str(folder / name),
         f"tcp and {which} net 10.9.0.0/24"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name, (interface, direction, which) in files.items()]
    end = time.monotonic() + SECONDS
    wait_for("the end of a measurement", lambda: time.monotonic() >= end, SECONDS + 10, every=0.2)
    for one in running:
        one.terminate()
    for one in running:
        one.wait()
    return figures(*(list(captures.read(folder / name)) for name in files))


def _prepare(network: Network, kind: Kind) -> None:
    if kind.each:
        network.acknowledge_each()
    if kind.buffer:
        network.server.run(["sysctl", "-q", "-w", f"net.ipv4.tcp_rmem=4096 {kind.buffer} {kind.buffer}"])
    if kind.flows == 1:
        # No second address.
        network.client.run(["ip", "mptcp", "endpoint", "flush"])


@pytest.mark.long
def test_two_subflows_lose_more_as_they_are_acknowledged_in_pairs(capsys, runs, tmp_path):
    making, watch = threading.Lock(), provenance.Watch()

    def one(name: str, folder: Path) -> Figures:
        kind = KINDS[name]
        folder.mkdir()
        streams = []
        with making:
            network = Network(disjoint=False)
            noise = network.noise()
        try:
            with making:
                _prepare(network, kind)
                streams = [network.stream()] if kind.mptcp else [
                    network.stream(False, TCP_PORT + number) for number in range(1, 1 + kind.flows)]
                streams.append(network.stream(mptcp=False))
                if kind.mptcp and kind.flows == 2:
                    network.wait_for_subflows()
            begun = time.monotonic()
            wait_for("the end of slow start", lambda: time.monotonic() >= begun + _WARM_UP_SECONDS, 20, every=0.2)
            return _captured(network, folder)
        finally:
            for stream in streams:
                stream.stop()
            noise.kill()
            noise.wait()
            network.end()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = list(pool.map(one, list(KINDS) * runs, [tmp_path / str(number) for number in range(len(KINDS) * runs)]))
    tell(capsys, f"{runs} runs of {SECONDS} s each, {_AT_ONCE} at once; {watch.told()['stolenPercent']:.1f} % of the processors' "
         "time stolen")
    by_kind = {kind: found[number::len(KINDS)] for number, kind in enumerate(KINDS)}
    for kind, some in by_kind.items():
        told = {field: interval([getattr(figure, field) for figure in some], 2 if field == "share" else 1)
                for field in Figures._fields}
        tell(capsys, f"{kind}: {told['share']} of a TCP. In per cent, and of the TCP: dropped {told['dropped']}, "
             f"{told['dropped_of_tcp']}; third of a burst or later {told['third']}, {told['third_of_tcp']}; acknowledgements of "
             f"one segment {told['single']}, {told['single_of_tcp']}")
    means = {kind: Figures(*map(statistics.fmean, zip(*some))) for kind, some in by_kind.items()}
    subflows, large, each = (means[f"two subflows{more}"] for more in ("", ", buffer of 1 MiB", ", each segment acknowledged"))
    assert subflows.dropped > subflows.dropped_of_tcp and large.third > large.third_of_tcp
    # In a run of ten one of both is acknowledged singly.
    assert min(one.single / one.single_of_tcp for one in (subflows, large)) < 0.7, "they are acknowledged in pairs"
    assert means["one subflow"].single > 0.7 * means["one subflow"].single_of_tcp, "one alone is not"
    assert each.single > 90 and each.dropped < 0.9 * subflows.dropped
