# SPDX-License-Identifier: Apache-2.0
"""What is made by packets in ns-3 (``./lab reproduce --simulator``): which parts are missing, and what the folder has of each."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import parts
from mptcplab import packages
from mptcplab.errors import LabError, UsageError
from mptcplab.settings import ROOT
from tables import Rows, read

RUNS = 3
"""Of each part, with seeds of their own."""

_FILE = "simulator.json"
_PROGRAM = ROOT / "tests" / "simulation"
_AGENT = ROOT / "mininet" / "mptcpagent"


def require() -> None:
    """UsageError, in one line, if ns-3 does not run on this machine."""
    packages.require_ns3()


def make(folder: Path, papers: Sequence[str], runs: int, quick: bool, fresh: bool) -> None:
    """Makes what the folder does not have yet, one part after the other; ``quick``: with fewer parameters."""
    known = _parts(folder, runs, quick, fresh)
    wanted = parts.names(papers, parts.usual(parts.BY_PACKETS, quick))

    def made(name: str) -> None:
        fresh_file = file(folder, name).with_suffix(".new")
        try:
            status = _run(name, runs, quick, fresh_file)
            if status == UsageError.status:
                raise UsageError(f"making {name} by packets is not possible here: the message is above")
            if status:
                raise LabError(f"making {name} by packets failed: the messages are above. Run the same command again to go on")
            fresh_file.replace(file(folder, name))
        finally:
            fresh_file.unlink(missing_ok=True)
    known.complete(wanted, "by packets", made)


def _run(name: str, runs: int, quick: bool, to: Path) -> int:
    """Its status; the simulator writes a CSV file."""
    command = [sys.executable, "-s", str(_PROGRAM), "part", name, str(runs), str(to), *["quick"] * quick]
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "mininet")}).returncode


def rows(folder: Path, name: str) -> Rows:
    """What the folder has of a part; nothing if it was not made."""
    found = file(folder, name)
    return read(found) if found.is_file() else []


def told(folder: Path, name: str) -> str:
    """A line about when and where a part was made."""
    known = _parts(folder, RUNS, False, False).told_of(name)
    return f"*By packets (ns-3 3.44): {known}*" if known else ""


def file(folder: Path, name: str) -> Path:
    """Where the data of a part are."""
    return folder / f"simulator-{name.replace('/', '-')}.csv"


def _parts(folder: Path, runs: int, quick: bool, fresh: bool) -> parts.Parts:
    return parts.Parts(folder, runs, _fingerprint(), fresh, parts.usual(parts.BY_PACKETS, quick), _FILE, quick)


def _fingerprint() -> str:
    """Names a version of the simulator: engine, controls and scenarios."""
    digest = hashlib.sha256(packages.NS3.encode())
    for source in [*sorted((_PROGRAM / "engine").iterdir()), *sorted((_PROGRAM / "native").rglob("*.[ch]")),
                   *sorted((_PROGRAM / "simulator").glob("*.py")), *sorted(_AGENT.glob("*.[ch]"))]:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
