# SPDX-License-Identifier: Apache-2.0
"""Reads the results that Maven and pytest leave as JUnit XML: which tests failed, with a line about the cause of each."""

import os
import shutil
from pathlib import Path
from xml.etree import ElementTree

from .errors import LabError
from .settings import ROOT

FOLDER = ROOT / ".lab" / "results"
"""Where pytest leaves its XML, a file for each run, until the next ``./lab test``."""

_MAVENS = "*/target/*-reports/TEST-*.xml"
_MOST_CHARACTERS = 200


def begin() -> None:
    """Forgets the results of earlier runs; Maven's are of the last build."""
    try:
        if FOLDER.exists():
            shutil.rmtree(FOLDER)
        FOLDER.mkdir(parents=True)
    except PermissionError as denied:
        raise LabError(f"cannot write test results: {denied}; they are another user's: sudo rm -r {FOLDER}") from None
    if "SUDO_UID" in os.environ:
        # The folder is the user's, not root's, who can then do without root.
        for folder in (FOLDER, FOLDER.parent):
            os.chown(folder, int(os.environ["SUDO_UID"]), int(os.environ["SUDO_GID"]))


def file(name: str) -> Path:
    """The file for a run that is called so, or like that with a number if there is one already."""
    taken = sum(1 for _ in FOLDER.glob(f"{name}*.xml"))
    return FOLDER / (f"{name}-{taken + 1}.xml" if taken else f"{name}.xml")


def failures(since: float = 0.0) -> list[str]:
    """The tests that failed, a line each: pytest's since `begin`, and Maven's that were written since then (seconds
    since 1970)."""
    mavens = [path for depth in ("", "*/") for path in ROOT.glob(depth + _MAVENS) if path.stat().st_mtime >= since]
    return [line for path in sorted(mavens) + sorted(FOLDER.glob("*.xml")) for line in failures_in(path)]


def failures_in(path: Path) -> list[str]:
    """The tests that failed according to one file, a line each; a file that was cut off has a line of its own."""
    try:
        cases = ElementTree.parse(path).iter("testcase")
    except ElementTree.ParseError as broken:
        return [f"{path.name}: cut off ({broken})"]
    return [_line(case, problem) for case in cases for kind in ("failure", "error") for problem in case.findall(kind)]


def _line(case: ElementTree.Element, problem: ElementTree.Element) -> str:
    said = (problem.get("message") or problem.text or "").strip().splitlines() or ["no message"]
    # The last line of a traceback has the exception.
    why = said[-1] if "Traceback" in said[0] else said[0]
    if len(why) > _MOST_CHARACTERS:
        why = why[:_MOST_CHARACTERS] + " …"
    return f"{case.get('classname')} {case.get('name')}: {why}"
