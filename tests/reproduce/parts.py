# SPDX-License-Identifier: Apache-2.0
"""Which parts of the reproduction are finished, and how long the others will take."""

import hashlib
import json
import os
import platform
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mptcplab import provenance
from mptcplab.settings import ROOT, progress

PARTS = {
    "sheu/strategies": (2, 0.002), "sheu/residuals": (2, 0.002), "sheu/variants": (1, 0.002), "sheu/example": (1, 0),
    "gomez/two-routes": (2, 0.003), "gomez/routes-and-hops": (2, 0.003), "multiflow/paths": (1, 0),
    "multiflow/packet-cost": (29, 0.025), "smptcp/shares": (1, 0), "smptcp/family": (2, 0), "smptcp/dinic": (40, 0.04),
    "emptcp/paths": (1, 0), "network/os3e": (8, 0.15), "network/cernet": (8, 0.17), "network/waxman": (12, 0.7),
    "network/fattree": (10, 0.5)}
"""Name of a part, ``paper/part`` → about how many seconds it takes: at least, and for each draw."""

ON_TESTBED = {
    "multiflow/throughput": (50, 165), "multiflow/sharing": (30, 45), "multiflow/setup": (40, 20),
    "multiflow/fourth": (30, 15), "multiflow/throughput-100": (370, 0), "multiflow/sharing-100": (350, 0),
    "smptcp/windows": (40, 550), "smptcp/delays": (30, 360), "smptcp/collisions": (40, 440),
    "sheu/iperf-10": (95, 0), "sheu/iperf-13": (95, 0), "sheu/iperf-16": (95, 0), "emptcp/requests": (33, 22),
    "emptcp/fat-tree": (33, 28)}
"""The same for what is measured with real transfers, once for each run."""

LONG = ("multiflow/throughput-100", "multiflow/sharing-100")
"""Those of them that are measured only if asked for."""

BY_PACKETS = {
    "smptcp/tables": (20, 700), "smptcp/parameters": (30, 170), "smptcp/by-delay": (20, 200), "smptcp/trajectories": (200, 0),
    "smptcp/all-collisions": (0, 16), "emptcp/by-packets": (60, 900), "emptcp/fairness": (0, 20), "emptcp/incast": (0, 25),
    "gomez/radio": (20, 1000), "sheu/buffers": (30, 250)}
"""The same for what is made by packets in ns-3, for each of several runs."""

QUICK: Mapping[str, float] = {
    "multiflow/throughput": 105, "smptcp/windows": 110, "smptcp/delays": 80, "smptcp/collisions": 100, "smptcp/tables": 45,
    "smptcp/parameters": 40, "smptcp/by-delay": 20, "emptcp/by-packets": 150, "emptcp/incast": 8,
    "gomez/radio": 60, "sheu/buffers": 40}
"""About how many seconds a run takes of each that has fewer parameters in the quick form. The others are the same in both."""

FULL = ("sheu/iperf-13", "sheu/iperf-16", "smptcp/trajectories")
"""What the quick form leaves out."""

_FILE = "parts.json"
_COUNTING = (".class", ".txt", ".json")
"""What in a jar makes a difference."""


def names(papers: Iterable[str], of: Mapping[str, tuple[float, float]] = PARTS) -> list[str]:
    """The parts of the papers; ``of``: which table of parts."""
    return [name for paper in papers for name in of if name.split("/")[0] == paper]


def usual(of: Mapping[str, tuple[float, float]], quick: bool) -> Mapping[str, tuple[float, float]]:
    """The table for the quick form or the other. What is the same with any number of runs stays that."""
    if not quick:
        return of
    return {name: (least, each) if name not in QUICK else (0, QUICK[name]) if each else (QUICK[name], 0)
            for name, (least, each) in of.items() if name not in FULL}


def fingerprint(jar: Path) -> str:
    """Names a build of the program that computes: its own classes, and those of this project that it uses."""
    digest = hashlib.sha256()
    for file in [jar, *sorted((jar.parent / "lib").glob("onos-mptcp-*.jar"))]:
        digest.update(_content(file))
    return digest.hexdigest()[:16]


def _content(file: Path) -> bytes:
    """What is in a jar, without the times at which it was made."""
    with zipfile.ZipFile(file) as archive:
        found = sorted(archive.infolist(), key=lambda one: one.filename)
        return b"".join(f"{one.filename} {one.CRC}\n".encode() for one in found if one.filename.endswith(_COUNTING))


def commit() -> str:
    """The commit that this copy is at, "with changes" if it has any; "unknown" without git."""
    try:
        told = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty= with changes", "--exclude", "*"],
                              capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return told.stdout.strip()


def fingerprint_of_trials(folder: Path) -> str:
    """Names a version of the experiments: their sources."""
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class Parts:
    """The parts that a folder has, kept in a file there after each: an interrupted run goes on where it ended.

    A part counts if it was computed by the same classes, with the same number of draws if it draws anything, and with the same
    parameters: ``quick``: with fewer, if it has a quick form. ``of``: which table of parts; ``file``: in which they are kept.
    """

    def __init__(self, folder: Path, draws: int, code: str, fresh: bool = False,
                 of: Mapping[str, tuple[float, float]] = PARTS, file: str = _FILE, quick: bool = False) -> None:
        self._file, self._of = folder / file, of
        self._draws, self._code, self._quick = draws, code, quick
        try:
            kept: Any = {} if fresh else json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            kept = {}
        self._known: dict[str, dict[str, Any]] = kept if isinstance(kept, dict) else {}
        self._pace = 1.0

    def is_finished(self, name: str) -> bool:
        """Whether the folder has a part."""
        found = self._known.get(name, {})
        # What draws nothing is the same with any number of draws.
        as_many = found.get("draws") == self._draws or bool(found) and not self._of[name][1]
        return as_many and found.get("code") == self._code and found.get("quick", False) == self._is_quick(name)

    def complete(self, wanted: Sequence[str], how: str, make: Callable[[str], None]) -> None:
        """Makes those that the folder does not have yet, one after the other. ``how``: in a word or two, as in "computing"."""
        missing = [name for name in wanted if not self.is_finished(name)]
        if len(missing) < len(wanted):
            progress(f"{len(wanted) - len(missing)} of {len(wanted)} parts are in {self._file.parent} already (--fresh makes "
                     "all)")
        for number, name in enumerate(missing, 1):
            progress(f"{name}: {how}, {number} of {len(missing)}; about {span(self.seconds_left(missing[number - 1:]))} left")
            begun, watch = time.monotonic(), provenance.Watch()
            make(name)
            self.finish(name, time.monotonic() - begun, **watch.told())

    def finish(self, name: str, seconds: float, load: float, stolenPercent: float | None = None) -> None:
        """Notes that a part has been made: how long it took, the load average when it began, and how much of the processors' time
        was stolen meanwhile."""
        self._known[name] = {
            "draws": self._draws, **({"quick": True} if self._is_quick(name) else {}), "code": self._code, "commit": commit(),
            "seconds": round(seconds, 1), "load": round(load, 1),
            "stolenPercent": stolenPercent,
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Linux {platform.release().partition('-')[0]}"}
        self._file.write_text(json.dumps(self._known, indent=2) + "\n", encoding="utf-8")
        done = [one for one in self._known if one in self._of and self.is_finished(one)]
        self._pace = sum(self._known[one]["seconds"] for one in done) / max(1.0, sum(self._usual(one) for one in done))

    def seconds_left(self, remaining: Sequence[str]) -> float:
        """About how long these will take, by the pace of those that are finished."""
        return self._pace * sum(self._usual(name) for name in remaining)

    def told(self, paper: str) -> str:
        """In words when and where a paper's parts were computed."""
        return f"Computed in {self._when([self._known[name] for name in names([paper], self._of)])}"

    def told_of(self, name: str) -> str:
        """The same of one part that is measured, with the number of runs; nothing if the folder does not have it."""
        found = self._known.get(name)
        if not found:
            return ""
        times = f"{found['draws']} run{'s' * (found['draws'] > 1)}" + " of the quick form" * found.get("quick", False)
        return f"{times} in {self._when([found])}" if self._of[name][1] else f"Measured in {self._when([found])}"

    def _when(self, mine: Sequence[Mapping[str, Any]]) -> str:
        commits, machines = ({one[what] for one in mine} for what in ("commit", "machine"))
        loads, stolen = ([one[what] for one in mine if one.get(what) is not None] for what in ("load", "stolenPercent"))
        return (f"{sum(one['seconds'] for one in mine):.0f} s at commit {', '.join(sorted(commits))} on "
                f"{', '.join(sorted(machines))}" + (f"; load average up to {max(loads):.1f}" if loads else "")
                + (f"; at most {max(stolen):.1f} % of the processors' time stolen" if stolen else "") + ".")

    def _is_quick(self, name: str) -> bool:
        return self._quick and name in QUICK

    def _usual(self, name: str) -> float:
        least, each = self._of[name]
        return least + each * self._draws


def span(seconds: float) -> str:
    """About how long, in words."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
