# SPDX-License-Identifier: Apache-2.0
"""Host agents on real kernels, in the network of the S-MPTCP paper's Fig. 1: with them three connections get their equal shares,
and whatever becomes of an agent or of the controller, no limit stays and the connection runs on."""

import re
import statistics
from collections.abc import Iterator

import pytest

from conftest import active, quiet, tell
from life import kernel_says
from mptcplab import demo
from mptcplab.agents import Agents
from mptcplab.errors import LabError
from mptcplab.hosts import Host
from mptcplab.processes import wait_for
from mptcplab.sampling import kernel_connections
from mptcplab.testbed import Testbed
from stream import Stream

SECONDS = 25
SHARE, TOLERANCE, MOST_DEVIATION = 12.0, 1.0, 1.0
"""Mbit/s on the wire: of each connection; their standard deviation."""

RELEASED_SECONDS = 5
"""After so long at most a killed agent has left no limit."""

PORT = 5300


def rates(testbed: Testbed) -> list[float]:
    """What each of three transfers gets on the wire in their second half, Mbit/s, from the counters of the last switches."""
    result, _ = demo.demonstrate(testbed, SECONDS, subflows=2, connections=3)
    data = [one for one in result["connections"] if one["goodputMbps"] > 0]
    return sorted(sum(s["measuredMbps"] for s in one["subflows"]) for one in data)


def told(found: list[float]) -> str:
    return f"{', '.join(f'{rate:.2f}' for rate in found)} Mbit/s, standard deviation {statistics.pstdev(found):.2f}"


@pytest.fixture(scope="module")
def agents(session_testbed: Testbed) -> Agents:
    demo.configure(session_testbed.onos, subflows=2)
    started = Agents(session_testbed)
    started.start()
    return started


@pytest.fixture(scope="module")
def stream(session_testbed: Testbed, agents: Agents) -> Iterator[Stream]:
    """A transfer from the first client that sends as much as it can, through all tests; every byte of it arrives."""
    quiet(session_testbed)
    network = session_testbed.network
    running = Stream(network.clients[0], network.servers[0], network.addresses(network.servers[0])[0], PORT)
    try:
        yield running
        running.finish()
    finally:
        running.stop()


@pytest.fixture
def limited(session_testbed: Testbed, stream: Stream, agents: Agents) -> Host:
    """The first client, whose two subflows have their limits."""
    client = session_testbed.network.clients[0]
    wait_for_limits(session_testbed, agents, client, 2, 40)
    return client


def wait_for_limits(testbed: Testbed, agents: Agents, host: Host, count: int, seconds: float) -> None:
    """Until so many subflows of the transfer have a limit. LabError says what agent, kernel and controller make of them."""
    def there() -> bool:
        found = limits(host)
        if found != count:
            subflows = [(s["src"], s["state"], s["expectedUpMbps"]) for c in active(testbed) for s in c["subflows"]]
            said = agents.output(host).read_text().splitlines()[-4:]
            raise LabError(f"{found}; the agent: {said}; the controller: {subflows}; {kernel_says(host)}")
        return True
    wait_for(f"{count} limits", there, seconds, every=0.2)


def limits(host: Host) -> int:
    """How many subflows of the transfer have a limit: a pacing rate, or a class of HTB where the kernel has no BPF."""
    shown = host.pexec(["ss", "-tniHO", "state", "established", f"( dport = :{PORT} )"])[0]
    classes = host.pexec(["tc", "class", "show", "dev", host.defaultIntf().name])[0]
    return len(re.findall(r" pacing_rate \w+/\w+", shown)) + len(re.findall(r"^class htb \w+:6\w{3} ", classes, flags=re.M))


def carried(host: Host) -> int:
    return sum(count for count, _ in kernel_connections(host, PORT))


def assert_runs(host: Host) -> None:
    """More than a megabyte goes through from now on."""
    before = carried(host)
    wait_for("the transfer runs on", lambda: carried(host) > before + 1_000_000, 20)


def lines(agents: Agents, host: Host, containing: str) -> list[str]:
    return [line for line in agents.output(host).read_text().splitlines() if containing in line]


def has_agent(testbed: Testbed) -> list[bool]:
    """Of the transfer's connection, once the controller knows it."""
    return [one["agent"] for one in active(testbed) if one["subflows"][0]["dst"].endswith(f":{PORT}")]


@pytest.mark.long
def test_without_agents_it_is_the_hosts_that_share(session_testbed, capsys):
    """What docs/agent.md compares with."""
    demo.configure(session_testbed.onos, subflows=2)
    alone = rates(session_testbed)
    tell(capsys, f"three connections without agents: {told(alone)}")
    assert len(alone) == 3


def test_three_connections_get_their_equal_shares(session_testbed, agents, capsys):
    together = rates(session_testbed)
    tell(capsys, f"three connections with agents: {told(together)}")
    assert len(together) == 3
    assert all(abs(rate - SHARE) <= TOLERANCE for rate in together), told(together)
    assert statistics.pstdev(together) < MOST_DEVIATION


def test_the_controller_knows_who_has_an_agent(session_testbed, limited, agents):
    wait_for("an agent at the connection", lambda: has_agent(session_testbed) == [True], 10)
    assert {one["host"] for one in agents.known()} == {f"10.0.0.{number}" for number in range(1, 7)}


def test_limits_go_when_the_controller_has_gone_and_come_back_with_it(session_testbed, limited, agents):
    agents.set_link(limited, up=False)
    try:
        wait_for_limits(session_testbed, agents, limited, 0, 30)
        assert_runs(limited)
    finally:
        agents.set_link(limited, up=True)
    wait_for_limits(session_testbed, agents, limited, 2, 60)
    # A link that has just gone may show as a time-out first and as a missing route later: one line for each.
    said = lines(agents, limited, "the connections run on")
    assert said and len(said) == len(set(said)), said


def test_a_killed_agent_leaves_no_limits(session_testbed, limited, agents):
    agents.kill(limited)
    wait_for_limits(session_testbed, agents, limited, 0, RELEASED_SECONDS)
    assert_runs(limited)
    wait_for("no agent at the connection", lambda: has_agent(session_testbed) == [False], 20)
    agents.start_one(limited, agents.register(limited))
    wait_for_limits(session_testbed, agents, limited, 2, 30)


def test_without_bpf_the_kernels_queues_limit(session_testbed, limited, agents):
    agents.kill(limited)
    wait_for_limits(session_testbed, agents, limited, 0, RELEASED_SECONDS)
    agents.start_one(limited, agents.register(limited), "htb")
    wait_for_limits(session_testbed, agents, limited, 2, 30)
    assert_runs(limited)
    agents.kill(limited)
    wait_for_limits(session_testbed, agents, limited, 0, RELEASED_SECONDS)
    assert_runs(limited)
    agents.start_one(limited, agents.register(limited))


def test_a_wrong_token_is_one_clear_line(session_testbed, limited, agents):
    agents.kill(limited)
    process = agents.start_one(limited, "wrong")

    def refused() -> bool:
        said = lines(agents, limited, "refuses the token")
        if len(said) != 1:
            raise LabError(str(said))
        return True
    wait_for("one line", refused, 20)
    assert process.poll() is None, "it goes on trying"
    assert limits(limited) == 0
    assert_runs(limited)
    assert refused()
