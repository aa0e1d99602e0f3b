# SPDX-License-Identifier: Apache-2.0
"""The coupled congestion controls in real kernels, given by the agent alone: two paths of 10 Mbit/s, no controller.

``./lab test congestion --runs N`` measures shares N times and prints means with their 95 % intervals.
"""

import itertools
import re
import signal
import statistics
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import tell
from mptcpagent import capabilities
from mptcpagent.windows import NEED_RATES, OURS
from mptcplab import provenance
from mptcplab.intervals import interval
from mptcplab.processes import wait_for
from mptcplab.settings import ROOT
from two_paths import NOISE_MBPS, PAYLOAD_MBPS, Network, two_paths

pytestmark = pytest.mark.skipif(capabilities.release() < (6, 1), reason="6.1 is the oldest kernel that was tried")

ALONE = tuple(name for name in OURS if name not in NEED_RATES)
COUPLED = tuple(name for name in ALONE if not name.startswith("emptcp"))
HARMLESS = ("lia", "olia", "balia", "ewtcp", "coupled")
MOVING = ("lia", "olia", "balia", "coupled")
SECONDS = 25
_AT_ONCE = 8
"""Networks side by side, which take less than half of two processors."""

_UNLINKED = ("import sys; sys.path.insert(0, sys.argv.pop(1)); from mptcpagent import libbpf, __main__ as command; "
             "libbpf._LINKED = (99, 0); sys.exit(command.main(sys.argv[1:]))")
_AVAILABLE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")
UNCOUPLED = ("reno", *(name for name in ("cubic", "bbr") if name in _AVAILABLE.read_text().split()))
"""Those of kernels, as far as this one has them."""


@contextmanager
def given(network: Network, control: str, **options: int) -> Iterator[subprocess.Popen[bytes]]:
    """An agent that gives a congestion control, as long as the block runs; ``reno``: none. Afterwards all is as it was."""
    if control == "reno":
        yield subprocess.Popen(["true"])
        return
    process = subprocess.Popen(network.agent(control), stderr=subprocess.PIPE, **options)  # type: ignore[call-overload]
    try:
        assert process.stderr
        said = process.stderr.readline().decode()
        assert f"get {control}, " in said, said
        yield process
    finally:
        process.terminate()
        rest = process.communicate(timeout=20)[1].decode()
    assert (process.returncode, rest) == (0, "")


def ours() -> list[str]:
    """Names of congestion controls that agents of this machine have registered."""
    return [name for name in _AVAILABLE.read_text().split() if re.fullmatch(r"\w+_[0-9a-f]{8}", name)]


def has(network: Network, control: str) -> bool:
    found = network.controls()
    if control in UNCOUPLED:
        return found == [control] * 2
    return len(found) == 2 and all(name.startswith(control.partition("-")[0][:6] + "_") for name in found)


def test_each_is_given_to_a_connection_carries_its_data_and_is_gone_afterwards(capsys):
    with two_paths(disjoint=True) as network:
        stream = network.stream()
        try:
            network.wait_for_subflows()
            assert network.controls() == ["reno", "reno"]
            for control in ALONE:
                with given(network, control):
                    wait_for(f"{control} for both", lambda control=control: has(network, control), 10, every=0.02)
                    begun = network.acked()
                    wait_for(f"data over both with {control}", lambda begun=begun: all(
                        now > then + 100_000 for now, then in zip(network.acked(), begun)), 20, every=0.02)
                assert network.controls() == ["reno", "reno"], control
                wait_for(f"the end of {control}", lambda control=control: not any(
                    name.startswith(control.partition("-")[0][:6] + "_") for name in ours()), 5, every=0.02)
            stream.finish()
            tell(capsys, f"{len(ALONE)} congestion controls, {stream.mbps():.1f} Mbit/s with all of them in turn")
        finally:
            stream.stop()


def test_subflows_and_connections_that_come_later_get_it_and_plain_tcp_does_not():
    with two_paths(disjoint=True) as network, given(network, "lia"):
        stream, plain = network.stream(), network.stream(mptcp=False)
        try:
            wait_for("lia for both", lambda: has(network, "lia"), 10)
            assert network.control_of_tcp() == "reno"
            stream.finish()
            plain.finish()
        finally:
            stream.stop()
            plain.stop()


def test_a_second_agent_is_refused_in_one_line_and_the_first_goes_on():
    with two_paths(disjoint=True) as network, given(network, "lia") as first:
        for control in ("lia", "balia"):
            second = subprocess.run(network.agent(control), capture_output=True, text=True, timeout=30)
            assert second.returncode == 2 and second.stderr.count("\n") == 1
            assert re.search(r"another agent of this host .*, lia_[0-9a-f]{8}: end it first", second.stderr), second.stderr
        assert first.poll() is None
        with two_paths(disjoint=True) as other, given(other, "lia"):
            assert len([name for name in ours() if name.startswith("lia_")]) == 2, "another host may"


def test_nothing_is_left_however_it_ends():
    """Here, and as before Linux 6.4, where no link keeps a congestion control."""
    with two_paths(disjoint=True) as network:
        stream = network.stream()
        unlinked = network.client.inside([sys.executable, "-c", _UNLINKED, str(ROOT / "mininet"), "congestion", "olia"])
        try:
            for command, ending in itertools.product((network.agent("olia"), unlinked),
                                                     (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)):
                agent = subprocess.Popen(command, stderr=subprocess.DEVNULL)
                try:
                    wait_for("olia for both", lambda: has(network, "olia"), 20)
                    agent.send_signal(ending)
                    assert agent.wait(10) == (-ending if ending == signal.SIGKILL else 0)
                finally:
                    agent.kill()
                    agent.wait()
                wait_for("reno again", lambda: network.controls() == ["reno", "reno"], 10)
                wait_for("no name", lambda: not any(name.startswith("olia_") for name in ours()), 10)
            stream.finish()
        finally:
            stream.stop()


WRONG = (
    (["nosuch"], "there is no congestion control nosuch: this kernel has .*reno.*, this agent smptcp, .*semicoupled"),
    ([""], "there is no congestion control without a name"),
    *(([name], f"{name} goes by what a controller expects") for name in NEED_RATES),
    ([], "required: NAME; see mptcp-agent congestion --help"),
    (["lia", "-5"], "unrecognized arguments: -5"),
    (["x" * 4000], "there is no congestion control x+"))


def test_wrong_words_are_one_line():
    with two_paths(disjoint=False) as network:
        command = network.agent("lia")[:-1]
        for words, said in WRONG:
            done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=30)
            assert done.returncode == 2 and done.stderr.count("\n") == 1 and re.search(said, done.stderr), done.stderr


def test_a_kernel_without_btf_is_one_line():
    """Its files are hidden from the agent, and clang's program then finds no type of the kernel."""
    with two_paths(disjoint=False) as network:
        hidden = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /sys/kernel/btf && exec "$@"', "sh"]
        done = subprocess.run([*hidden, *network.agent("lia")], capture_output=True, text=True, timeout=30)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and "BTF" in done.stderr, done.stderr
        assert not [name for name in ours() if name.startswith("lia_")]


class Rates(NamedTuple):
    """Payload in Mbit/s of both subflows, and of a TCP on the first path."""

    first: float
    second: float
    tcp: float

    @property
    def both(self) -> float:
        """Of the connection."""
        return self.first + self.second

    @property
    def share(self) -> float:
        """Of the connection, in TCPs."""
        return self.both / self.tcp


def measured(capsys: pytest.CaptureFixture[str], disjoint: bool, beside_tcp: bool, runs: int) -> dict[str, list[Rates]]:
    """By congestion control, coupled ones and those of kernels: of each run. Several run at once, each on its own network."""
    making, watch = threading.Lock(), provenance.Watch()
    controls = (*COUPLED, *UNCOUPLED)

    def one(control: str) -> Rates:
        with making:
            network = Network(disjoint)
            noise = network.noise() if beside_tcp else None
        streams = []
        try:
            with given(network, control):
                with making:
                    streams = [network.stream(mptcp) for mptcp in (True, False)[:1 + beside_tcp]]
                    network.wait_for_subflows()
                wait_for(f"{control} for both", lambda: has(network, control), 20)
                (first, second), tcp = network.rates(SECONDS, beside_tcp)
                print(f"{control}: {first:.2f}, {second:.2f}, TCP {tcp:.2f} Mbit/s")
                return Rates(first, second, tcp)
        finally:
            for stream in streams:
                stream.stop()
            if noise:
                noise.kill()
                noise.wait()
            network.end()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = list(pool.map(one, controls * runs))
    tell(capsys, f"{runs} runs of {SECONDS} s each, {_AT_ONCE} at once; {watch.told()['stolenPercent']:.1f} % of the processors' "
         "time stolen")
    return {control: found[number::len(controls)] for number, control in enumerate(controls)}


def mean(found: Mapping[str, Sequence[Rates]], control: str, what: Callable[[Rates], float]) -> float:
    """Of all runs."""
    return statistics.fmean(map(what, found[control]))


def text(rates: Sequence[Rates], what: Callable[[Rates], float], digits: int = 2) -> str:
    """The mean with its 95 % interval, as far as there are several runs."""
    return interval([what(one) for one in rates], digits)


@pytest.mark.long
def test_two_subflows_take_no_more_than_a_tcp_of_its_link(capsys, runs):
    found = measured(capsys, disjoint=False, beside_tcp=True, runs=runs)
    for control, rates in found.items():
        tell(capsys, f"{control} beside a TCP: {text(rates, lambda one: one.both)} and {text(rates, lambda one: one.tcp)} "
             f"Mbit/s, {text(rates, lambda one: one.share)} of it")
    for control in HARMLESS:
        both, tcp = mean(found, control, lambda one: one.both), mean(found, control, lambda one: one.tcp)
        assert both <= 1.1 * tcp, control
        assert both + tcp > 0.9 * (PAYLOAD_MBPS - NOISE_MBPS), control
    assert mean(found, "reno", lambda one: one.both) > 1.1 * mean(found, "reno", lambda one: one.tcp), \
        "otherwise the test shows nothing"


@pytest.mark.long
def test_two_disjoint_paths_are_used_in_full(capsys, runs):
    found = measured(capsys, disjoint=True, beside_tcp=False, runs=runs)
    for control, rates in found.items():
        tell(capsys, f"{control} on two paths: {text(rates, lambda one: one.first)} and {text(rates, lambda one: one.second)}, "
             f"together {text(rates, lambda one: one.both)} Mbit/s of {2 * PAYLOAD_MBPS:.2f}")
    for control in COUPLED:
        assert mean(found, control, lambda one: one.both) >= 0.95 * 2 * PAYLOAD_MBPS, control


@pytest.mark.long
def test_a_path_with_a_tcp_is_left_to_it(capsys, runs):
    found = measured(capsys, disjoint=True, beside_tcp=True, runs=runs)
    for control, rates in found.items():
        tell(capsys, f"{control}, a TCP on its first path: {text(rates, lambda one: one.first)} and "
             f"{text(rates, lambda one: one.second)}, TCP {text(rates, lambda one: one.tcp)} Mbit/s")
    for control in MOVING:
        tcp = mean(found, control, lambda one: one.tcp)
        # Two flows are there. The other path is not full: the connection waits for what the congested one has lost.
        assert mean(found, control, lambda one: one.first) < 0.5 * tcp, control
        assert tcp > mean(found, "reno", lambda one: one.tcp), control
