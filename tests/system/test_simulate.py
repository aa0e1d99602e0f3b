# SPDX-License-Identifier: Apache-2.0
"""The simulation beside the testbed: the same connections with the same sizes on ``os3e``, live and simulated."""

import json
import random
import statistics
import subprocess

import pytest

from mptcplab.settings import ROOT
from test_demo import started

CONNECTIONS = 24
LEAST_BYTES, MOST_BYTES = 2_000_000, 12_000_000
"""Far above what a connection sends before it earns its paths, and what slow start takes: the simulation has no slow start."""
APART_SECONDS = 2.0
TOLERANCE = 0.10
TIMEOUT = 900


def arrivals(names):
    """Lines of a file of traffic between a few pairs, always the same."""
    draw = random.Random(1)
    pairs = [draw.sample(names, 2) for _ in range(4)]
    now, lines = 0.0, ["at,source,target,bytes"]
    for _ in range(CONNECTIONS):
        now += draw.expovariate(1 / APART_SECONDS)
        source, target = draw.choice(pairs)
        lines.append(f'{now:.3f},"{source}","{target}",{draw.randint(LEAST_BYTES, MOST_BYTES)}')
    return "\n".join(lines) + "\n"


def simulated(traffic, file, subflows):
    """Completion times in the order of the traffic's file, seconds."""
    done = subprocess.run([str(ROOT / "lab"), "simulate", "--topology", "os3e", "--traffic", str(traffic), "--k", str(subflows),
                           "--snapshots", "0", "--payload", "1428", "--json", str(file)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=TIMEOUT)
    assert done.returncode == 0, done.stderr
    return [one["completionSeconds"] for one in json.loads(file.read_text(encoding="utf-8"))["connections"]]


@pytest.mark.long
def test_completion_times_are_those_of_the_testbed(tmp_path):
    """Within 10 % in the mean; the scatter is printed. Links carry as much in both, and sizes are payload."""
    subflows = 3
    planned = subprocess.run([str(ROOT / "lab"), "plan", "--topology", "os3e", "--convert"], capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, timeout=TIMEOUT)
    names = [str(node["id"]) for node in json.loads(planned.stdout)["nodes"]]
    traffic, result = tmp_path / "traffic.csv", tmp_path / "live.json"
    traffic.write_text(arrivals(names), encoding="utf-8")
    process = started("demo", "--topology", "os3e", "--subflows", str(subflows), "--traffic", str(traffic), "--json", str(result),
                      folder=tmp_path)
    out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, out + err
    live = [one["completionSeconds"] for one in json.loads(result.read_text(encoding="utf-8"))["transfers"]]
    told = simulated(traffic, tmp_path / "simulated.json", subflows)
    ratios = [one / other for one, other in zip(told, live, strict=True)]
    print(f"simulated by live: mean of all {statistics.fmean(told) / statistics.fmean(live):.3f}, single ones "
          f"{min(ratios):.2f} to {max(ratios):.2f}, deviation {statistics.stdev(ratios):.2f}")
    assert statistics.fmean(told) == pytest.approx(statistics.fmean(live), rel=TOLERANCE)
