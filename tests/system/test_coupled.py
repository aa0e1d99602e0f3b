# SPDX-License-Identifier: Apache-2.0
"""The coupled congestion controls in real kernels, given by the agent alone: two paths of 10 Mbit/s, no controller."""

import itertools
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from conftest import tell
from mptcpagent import capabilities
from mptcpagent.windows import OURS
from mptcplab.processes import wait_for
from mptcplab.settings import ROOT
from two_paths import NOISE_MBPS, PAYLOAD_MBPS, Network, two_paths

pytestmark = pytest.mark.skipif(capabilities.release() < (6, 1), reason="6.1 is the oldest kernel that was tried")

ALONE = tuple(name for name in OURS if name != "smptcp")
COUPLED = tuple(name for name in ALONE if not name.startswith("emptcp"))
HARMLESS = ("lia", "olia", "balia", "ewtcp", "coupled")
MOVING = ("lia", "olia", "balia", "coupled")
SECONDS = 25
_UNLINKED = ("import sys; sys.path.insert(0, sys.argv.pop(1)); from mptcpagent import libbpf, __main__ as command; "
             "libbpf._LINKED = (99, 0); sys.exit(command.main(sys.argv[1:]))")
_AVAILABLE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")


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
    (["smptcp"], "smptcp goes by what a controller expects"),
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


def measured(controls: Sequence[str], disjoint: bool, beside_tcp: bool, seconds: float = SECONDS
             ) -> dict[str, tuple[list[float], float]]:
    """Payload in Mbit/s of both subflows and of a TCP on the first path, by congestion control. All run at once, each on a
    network of its own."""
    making = threading.Lock()

    def one(control: str) -> tuple[list[float], float]:
        with making:
            network = Network(disjoint)
            noise = network.noise() if beside_tcp else None
        streams = []
        try:
            with given(network, control):
                with making:
                    streams = [network.stream(mptcp) for mptcp in (True, False)[:1 + beside_tcp]]
                    network.wait_for_subflows()
                if control != "reno":
                    wait_for(f"{control} for both", lambda: has(network, control), 20)
                return network.rates(seconds, beside_tcp)
        finally:
            for stream in streams:
                stream.stop()
            if noise:
                noise.kill()
                noise.wait()
            network.end()
    with ThreadPoolExecutor(len(controls)) as pool:
        return dict(zip(controls, pool.map(one, controls)))


@pytest.mark.long
def test_two_subflows_take_no_more_than_a_tcp_of_its_link(capsys):
    found = measured([*COUPLED, "reno"], disjoint=False, beside_tcp=True)
    for control, (rates, tcp) in found.items():
        tell(capsys, f"{control} beside a TCP: {sum(rates):.2f} and {tcp:.2f} Mbit/s, {sum(rates) / tcp:.2f} of it")
    for control in HARMLESS:
        rates, tcp = found[control]
        assert sum(rates) <= 1.1 * tcp, control
        assert sum(rates) + tcp > 0.9 * (PAYLOAD_MBPS - NOISE_MBPS), control
    rates, tcp = found["reno"]
    assert sum(rates) > 1.1 * tcp, "otherwise the test shows nothing"


@pytest.mark.long
def test_two_disjoint_paths_are_used_in_full(capsys):
    found = measured([*COUPLED, "reno"], disjoint=True, beside_tcp=False)
    for control, (rates, _) in found.items():
        part = sum(rates) / PAYLOAD_MBPS / 2
        tell(capsys, f"{control} on two paths: {rates[0]:.2f} and {rates[1]:.2f} Mbit/s, {part:.3f} of both")
    for control in COUPLED:
        assert sum(found[control][0]) >= 0.95 * 2 * PAYLOAD_MBPS, control


@pytest.mark.long
def test_a_path_with_a_tcp_is_left_to_it(capsys):
    found = measured([*COUPLED, "reno"], disjoint=True, beside_tcp=True)
    for control, ((first, second), tcp) in found.items():
        tell(capsys, f"{control}, a TCP on its first path: {first:.2f} and {second:.2f}, TCP {tcp:.2f} Mbit/s")
    for control in MOVING:
        (first, second), tcp = found[control]
        # Two flows are there. The other path is not full: the connection waits for what the congested one has lost.
        assert first < 0.5 * tcp, control
        assert tcp > found["reno"][1], control
