# SPDX-License-Identifier: Apache-2.0
"""``simulation part NAME RUNS FILE [quick]``: a part of the reproduction, as CSV; ``simulation run FILE``: a scenario of one's
own (JSON, the fields of ``simulator.scenario``), with JSON on standard output."""

import csv
import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from mptcplab import packages
from mptcplab.errors import LabError, UsageError
from simulator import parts, scenario
from simulator.running import run

_USAGE = "usage: simulation part NAME RUNS FILE [quick] | simulation run FILE"


def main(arguments: Sequence[str]) -> int:
    """UsageError or LabError, in one line, if it cannot."""
    if arguments[:1] == ["part"] and len(arguments) in (4, 5) and arguments[4:] in ([], ["quick"]):
        _part(arguments[1], arguments[2], Path(arguments[3]), bool(arguments[4:]))
    elif len(arguments) == 2 and arguments[0] == "run":
        wanted = _read(Path(arguments[1]))
        _require()
        print(json.dumps(dataclasses.asdict(run(wanted))))
    else:
        raise UsageError(_USAGE)
    return 0


def _read(file: Path) -> scenario.Scenario:
    try:
        return scenario.read(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as failure:
        raise UsageError(f"{file} cannot be read: {failure}") from None


def _part(name: str, runs: str, to: Path, quick: bool) -> None:
    if name not in parts.PARTS:
        raise UsageError(f"no part {name}: there are {', '.join(parts.PARTS)}")
    if not runs.isascii() or not runs.isdigit() or not int(runs):
        raise UsageError(f"{runs} is no number of runs")
    _require()
    rows = list(parts.PARTS[name](int(runs), quick))
    with open(to, "w", encoding="ascii", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _require() -> None:
    """Compilers, for the controls as for the simulator."""
    packages.require_ns3()
    packages.require("simulation")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except LabError as failed:
        print(f"simulation: {str(failed).removeprefix('simulation: ')}", file=sys.stderr)
        sys.exit(failed.status)
    except KeyboardInterrupt:
        sys.exit(130)
