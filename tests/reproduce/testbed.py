# SPDX-License-Identifier: Apache-2.0
"""The experiments with real transfers (``./lab reproduce --testbed``): which are missing, and what the folder has of each."""

import os
from collections.abc import Sequence
from pathlib import Path

import parts
from mptcplab import kernel, namespace, packages
from mptcplab.errors import LabError, UsageError
from mptcplab.settings import ROOT
from tables import Rows, read

RUNS = 3
"""Of each experiment."""

_FILE = "testbed.json"
_TRIALS = ROOT / "mininet" / "mptcplab" / "trials"


def require() -> None:
    """UsageError, in one line, if this machine or user cannot run the testbed."""
    kernel.require_mptcp()
    if os.geteuid():
        raise UsageError("./lab reproduce: --testbed needs root for its network namespaces: run it as root, or with sudo")


def measure(folder: Path, papers: Sequence[str], runs: int, quick: bool, fresh: bool, with_long: bool = False) -> None:
    """Measures what the folder does not have yet, one experiment after the other; ``quick``: with fewer parameters;
    ``with_long``: also those that take minutes a run."""
    packages.require("testbed", "agents")
    known = _parts(folder, runs, quick, fresh)
    usual = parts.usual(parts.ON_TESTBED, quick)
    wanted = [name for name in parts.names(papers, usual) if with_long or name not in parts.LONG]

    def measured(name: str) -> None:
        fresh_file = file(folder, name).with_suffix(".new")
        words = ["--inside", "trial", name, str(runs), str(fresh_file.resolve()), *["quick"] * quick]
        if namespace.run_inside("mptcplab", words):
            raise LabError(f"measuring {name} failed: the messages are above. Run the same command again to go on")
        fresh_file.replace(file(folder, name))
    known.complete(wanted, "on the testbed", measured)


def rows(folder: Path, name: str) -> Rows:
    """What the folder has of an experiment; nothing if it was not measured."""
    found = file(folder, name)
    return read(found) if found.is_file() else []


def told(folder: Path, name: str) -> str:
    """A line about when and where an experiment was measured."""
    known = _parts(folder, RUNS, False, False).told_of(name)
    return f"*{known}*" if known else ""


def file(folder: Path, name: str) -> Path:
    """Where the data of an experiment are."""
    return folder / f"testbed-{name.replace('/', '-')}.csv"


def _parts(folder: Path, runs: int, quick: bool, fresh: bool) -> parts.Parts:
    return parts.Parts(folder, runs, parts.fingerprint_of_trials(_TRIALS), fresh, parts.usual(parts.ON_TESTBED, quick), _FILE,
                       quick)
