# SPDX-License-Identifier: Apache-2.0
"""A cluster of three ONOS nodes under random faults, again and again, while transfers come and go.

Nodes and the storage node are killed, paused and parted, their clocks step, and the storage node's disk is slow. After each
healing one leader decides, no connection is lost, and nothing is installed or booked twice. Where a log asks for an operator,
`faults.Operator` does as it says, and the history tells. ``mptcplab.clusterhistory`` checks the history, which stays in
``.lab/results``. Its seed is told: ``--seed`` repeats the faults. They come for ``--fault-minutes``.
"""

import random
import time
from collections.abc import Iterator

import pytest

import nodes
from faults import MOST_STEP_SECONDS, Faults, History, Operator, Transfers, settle, watching
from mptcplab import clusterhistory, demo, results, topology
from mptcplab.netcfg import device_id
from mptcplab.settings import progress
from mptcplab.testbed import Testbed

pytestmark = pytest.mark.long

_SETTLED_SECONDS = 60 + MOST_STEP_SECONDS
"""Until all is right after a healing: ONOS's intent store waits until a clock that was ahead has been caught up with."""

_FAULTS = 4


@pytest.fixture
def testbed() -> Iterator[Testbed]:
    made = Testbed(topology.load("diamond"), nodes=3)
    nodes.cluster_of(made).disturbable()
    with made as running:
        demo.configure(running.onos, strategy="widest-disjoint")
        yield running


def test_whatever_happens_nothing_is_lost_or_done_twice(testbed: Testbed, pytestconfig: pytest.Config) -> None:
    seed = pytestconfig.getoption("--seed") or random.randrange(1, 1 << 31)
    results.FOLDER.mkdir(parents=True, exist_ok=True)
    file = results.FOLDER / f"cluster-faults-{seed}.jsonl"
    progress(f"seed {seed}, history in {file}")
    chance, history = random.Random(seed), History(file)
    cluster = nodes.cluster_of(testbed)
    transfers, faults = Transfers(testbed, history), Faults(cluster, chance, history)
    operator = Operator(cluster, history)
    end = time.monotonic() + 60 * pytestconfig.getoption("--fault-minutes")
    rounds, wrong = 0, list[str]()
    try:
        with watching(cluster, history):
            assert transfers.begin()
            while time.monotonic() < end and not wrong:
                rounds += 1
                wrong = one_round(testbed, chance, history, operator, transfers, faults)
            transfers.end_all()
    finally:
        transfers.stop()
    wrong = clusterhistory.problems(history.events)
    progress(f"{rounds} rounds, {told(history)}")
    assert not wrong, "\n".join(wrong)
    nodes.wait_until_nothing_is_left(testbed)


def one_round(testbed: Testbed, chance: random.Random, history: History, operator: Operator, transfers: Transfers,
              faults: Faults) -> list[str]:
    """From a state at rest through some faults to the next one; returns what is wrong with either."""
    cluster = nodes.cluster_of(testbed)
    cluster.spread_mastership([device_id(switch) for switch in testbed.network.topology.switches])
    extra = transfers.begin()
    assert extra, "a transfer does not begin in a cluster at rest"
    wrong = settle(testbed, history, operator, transfers.ports(), nodes.most(_SETTLED_SECONDS), all_known=True)
    if wrong:
        return wrong
    with transfers.churn(random.Random(chance.random())):
        for _ in range(chance.randint(1, _FAULTS)):
            faults.happen()
            time.sleep(chance.uniform(0, 8))  # how long a fault lasts
            if chance.random() < 0.5:
                faults.undo_one()
        faults.heal()
    healed = time.monotonic()
    wrong = settle(testbed, history, operator, transfers.ports(), nodes.most(_SETTLED_SECONDS))
    progress(f"{', '.join(e['what'] for e in last_faults(history))}: {'wrong' if wrong else 'right'} "
             f"{time.monotonic() - healed:.1f} s after the healing")
    transfers.end(extra)
    return wrong


def last_faults(history: History) -> list[clusterhistory.Event]:
    """Those since the state at rest before the last one."""
    settled = [index for index, event in enumerate(history.events) if event["kind"] == "settled"]
    return [event for event in history.events[settled[-2]:] if event["kind"] == "fault"]


def told(history: History) -> str:
    """How often what happened."""
    kinds: dict[str, int] = {}
    for event in history.events:
        name = event["what"].split()[0] if event["kind"] == "fault" else event["kind"]
        kinds[name] = kinds.get(name, 0) + 1
    stalls = [event["stall"] for event in history.events if event["kind"] == "ended" and event["stall"] is not None]
    return f"{kinds}; longest stall {max(stalls, default=0):.1f} s"
