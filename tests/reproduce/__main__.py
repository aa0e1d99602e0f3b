# SPDX-License-Identifier: Apache-2.0
"""``./lab reproduce [PAPER…] [--out DIR] [--draws N|--quick]``: the papers' tables and figures without a transport, beside ours.

A Java program (this folder's Maven module) computes the data with the controller's own classes and writes CSV; here they
become PNG and one Markdown file.
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import emptcp
import gomez
import multiflow
import sheu
import smptcp
from mptcplab import build, packages
from mptcplab.errors import LabError, UsageError
from mptcplab.settings import ROOT, progress

_JAR = ROOT / "tests" / "reproduce" / "target" / "onos-mptcp-reproduce.jar"
_PAPERS = {"sheu": sheu, "gomez": gomez, "multiflow": multiflow, "smptcp": smptcp, "emptcp": emptcp}
_MOST_DRAWS = 1000
_QUICK_DRAWS = 100


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"./lab reproduce: {message}; usage: ./lab reproduce [{'|'.join(_PAPERS)} …] [--out DIR] "
                         f"[--draws 1–{_MOST_DRAWS}|--quick]")


def main(arguments: Sequence[str]) -> int:
    """Reproduces the papers named, or all; prints the name of the report."""
    options = _options(arguments)
    packages.require("plots")
    build.build()
    options.out.mkdir(parents=True, exist_ok=True)
    sections = []
    for paper in options.papers:
        begun = time.monotonic()
        progress(f"{paper}: computing")
        load = os.getloadavg()[0]
        _compute(paper, options)
        sections.append(f"{_PAPERS[paper].report(options.out)}\n*Computed in {time.monotonic() - begun:.0f} s; load average "
                        f"when it began: {load:.1f} on {os.cpu_count()} cores.*\n")
    report = options.out / "reproduction.md"
    report.write_text("\n".join([_preface(options), *sections]), encoding="utf-8")
    print(report)
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = _Parser(prog="./lab reproduce", add_help=False)
    parser.add_argument("papers", nargs="*", metavar="PAPER")
    parser.add_argument("--out", type=Path, default=Path("reproduction"))
    parser.add_argument("--draws", type=_draws, default=_MOST_DRAWS)
    parser.add_argument("--quick", action="store_const", dest="draws", const=_QUICK_DRAWS)
    options = parser.parse_args(arguments)
    for paper in options.papers:
        if paper not in _PAPERS:
            parser.error(f"no paper {paper}")
    options.papers = list(dict.fromkeys(options.papers)) or list(_PAPERS)
    if options.out.exists() and not options.out.is_dir():
        parser.error(f"--out {options.out} is no folder")
    return options


def _draws(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= _MOST_DRAWS:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 1 to {_MOST_DRAWS}")
    return int(text)


def _compute(paper: str, options: argparse.Namespace) -> None:
    command = [f"{packages.java_home()}/bin/java", "-Xmx1g", "-jar", str(_JAR), paper, str(options.out), str(options.draws)]
    if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode:
        raise LabError(f"computing {paper} failed: the messages are above")


def _preface(options: argparse.Namespace) -> str:
    return f"""\
# The papers' tables and figures beside ours

Written by `./lab reproduce {' '.join(options.papers)} --draws {options.draws}`: what needs no transport, computed with the
classes that run in the controller. Each section begins with all tables and figures of its paper and their status. Nothing is
tuned to the published figures. Where a claim does not come out, or is not tested as published, that is what this says.
All seeds are fixed: the same command gives the same numbers, but for times. The data are in the CSV files beside this one.

Machine: {platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}.
"""


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except LabError as failure:
        print(f"lab: {failure}", file=sys.stderr)
        sys.exit(failure.status)
    except KeyboardInterrupt:
        sys.exit(130)
