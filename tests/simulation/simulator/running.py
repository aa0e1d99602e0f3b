# SPDX-License-Identifier: Apache-2.0
"""Runs a scenario and reads what came out."""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from mptcplab.errors import LabError

from . import building
from .scenario import Scenario


@dataclass(frozen=True)
class Sent:
    """What came of a connection: ``started`` and ``finished`` in seconds, None if it did not end; ``subflows``: bytes that each
    has delivered; ``received``: bytes that are there in order, at each sample and at the end."""

    started: float
    finished: float | None
    subflows: tuple[int, ...]
    rtts: tuple[float, ...]
    received: tuple[int, ...]
    sample: float

    def mbps(self, since: float, until: float) -> float:
        """Payload in Mbit/s between two samples (s)."""
        return (self._at(until) - self._at(since)) * 8e-6 / (until - since)

    def rates(self) -> list[tuple[float, float]]:
        """(end of the sample in s, payload in Mbit/s) of each."""
        return [((index + 1) * self.sample, (now - before) * 8e-6 / self.sample)
                for index, (before, now) in enumerate(zip((0, *self.received), self.received))]

    def seconds(self) -> float | None:
        """How long it took; None if it did not end."""
        return None if self.finished is None else self.finished - self.started

    def _at(self, moment: float) -> int:
        return self.received[round(moment / self.sample) - 1] if moment > 0 else 0


@dataclass(frozen=True)
class Result:
    """Of a scenario: its connections in their order, and how many events the simulator had."""

    connections: tuple[Sent, ...]
    events: int
    ended: float


def run(scenario: Scenario) -> Result:
    """Runs it to its end. UsageError if this machine cannot; LabError if the simulator fails."""
    names = [one.control for one in scenario.connections]
    building.require(names)
    text = scenario.to_json(building.controls(names))
    # It ends with this process.
    done = subprocess.run([str(building.program()), str(os.getpid())], input=text, capture_output=True, text=True)
    if done.returncode:
        # ns-3 tells why in lines before the last one.
        said: Sequence[str] = [line for line in done.stderr.strip().splitlines() if not line.startswith("terminate called")]
        raise LabError(f"the simulator failed: {said[-1] if said else f'status {done.returncode}'}")
    read = json.loads(done.stdout)
    return Result(tuple(Sent(one["started"], one["finished"], tuple(one["subflows"]), tuple(one["rtts"]), tuple(one["received"]),
                             scenario.sample or read["ended"]) for one in read["connections"]), read["events"], read["ended"])
