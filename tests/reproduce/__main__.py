# SPDX-License-Identifier: Apache-2.0
"""``./lab reproduce [PAPER…] [--out DIR] [--draws N|--quick] [--fresh] [--windows N] [--testbed [--long]] [--simulator] [--runs
N]``: the papers' tables and figures beside ours, and all strategies beside the best of any routing; without a transport but for
what ``--testbed`` and, of the window controls, ``--windows`` measure on the testbed, and ``--simulator`` makes by packets.

A Java program (this folder's Maven module) computes the data with the controller's own classes and writes CSV; here they
become PNG and one Markdown file.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import emptcp
import gomez
import multiflow
import network
import parts
import sheu
import simulated
import smptcp
import testbed
import windows
from mptcplab import build, packages
from mptcplab.errors import LabError, UsageError
from mptcplab.settings import ROOT

_JAR = ROOT / "tests" / "reproduce" / "target" / "onos-mptcp-reproduce.jar"
_PAPERS = {"sheu": sheu, "gomez": gomez, "multiflow": multiflow, "smptcp": smptcp, "emptcp": emptcp, "network": network}
_MOST_DRAWS = 1000
_QUICK_DRAWS = 100
_MOST_RUNS = 100
_USAGE = (f"./lab reproduce [{'|'.join(_PAPERS)} …] [--out DIR] [--draws 1–{_MOST_DRAWS}|--quick] [--fresh] "
          f"[--testbed [--long]] [--simulator] [--runs 1–{_MOST_RUNS}] [--windows 1–{_MOST_RUNS}]")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"./lab reproduce: {message}; usage: {_USAGE}")

    def format_help(self) -> str:
        return f"""\
usage: {_USAGE}

  --out DIR    where the report and its data go; ./reproduction unless given
  --draws N    networks for each point; {_MOST_DRAWS} unless given
  --quick      {_QUICK_DRAWS} of them, one run on the testbed and by packets instead of {testbed.RUNS}, and there fewer parameters
  --fresh      computes and measures all anew; otherwise an interrupted run goes on where it ended
  --testbed    also what needs real transfers, in network namespaces; needs root
  --simulator  also what needs large, slow or radio networks, by packets in ns-3; a night, with --quick ten minutes
  --runs N     so many runs of each experiment there, and of each part by packets, also with --quick
  --long       also the experiments that take minutes a run, once each: Multiflow's files of 100 MB, 12 minutes
  --windows N  also window controls on the testbed, N runs of each
"""


def main(arguments: Sequence[str]) -> int:
    """Reproduces the papers named, or all; prints the name of the report."""
    options = _options(arguments)
    if options.testbed:
        testbed.require()
    if options.simulator:
        simulated.require()
    packages.require("plots")
    build.build()
    options.out.mkdir(parents=True, exist_ok=True)
    known = parts.Parts(options.out, options.draws, parts.fingerprint(_JAR), options.fresh)
    known.complete(parts.names(options.papers), "computing", lambda part: _compute(part, options))
    if options.testbed:
        testbed.measure(options.out, options.papers, _times(options, testbed.RUNS), options.quick, options.fresh,
                        options.long)
    if options.simulator:
        simulated.make(options.out, options.papers, _times(options, simulated.RUNS), options.quick, options.fresh)
    if options.windows:
        windows.measure(options.out, options.windows)
    sections = [f"{_PAPERS[paper].report(options.out)}\n*{known.told(paper)}*\n" for paper in options.papers]
    report = options.out / "reproduction.md"
    report.write_text("\n".join([_preface(options), *sections]), encoding="utf-8")
    print(report)
    return 0


def _times(options: argparse.Namespace, usual: int) -> int:
    return options.runs or (1 if options.quick else usual)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = _Parser(prog="./lab reproduce")
    parser.add_argument("papers", nargs="*", metavar="PAPER")
    parser.add_argument("--out", type=Path, default=Path("reproduction"))
    drawn = parser.add_mutually_exclusive_group()
    drawn.add_argument("--draws", type=_draws)
    drawn.add_argument("--quick", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--testbed", action="store_true")
    parser.add_argument("--simulator", action="store_true")
    parser.add_argument("--runs", type=_runs, default=0)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--windows", type=_runs, default=0)
    options = parser.parse_args(arguments)
    if options.runs and not (options.testbed or options.simulator):
        parser.error("--runs is of --testbed and --simulator: add one")
    if options.long and not options.testbed:
        parser.error("--long is of --testbed: add it")
    for paper in options.papers:
        if paper not in _PAPERS:
            parser.error(f"no paper {paper}")
    options.draws = options.draws or (_QUICK_DRAWS if options.quick else _MOST_DRAWS)
    options.papers = list(dict.fromkeys(options.papers)) or list(_PAPERS)
    if options.out.exists() and not options.out.is_dir():
        parser.error(f"--out {options.out} is no folder")
    return options


def _draws(text: str) -> int:
    return _whole(text, _MOST_DRAWS)


def _runs(text: str) -> int:
    return _whole(text, _MOST_RUNS)


def _whole(text: str, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 1 to {most}")
    return int(text)


def _compute(part: str, options: argparse.Namespace) -> None:
    command = [f"{packages.java_home()}/bin/java", "-Xmx1g", "-jar", str(_JAR), part, str(options.out), str(options.draws)]
    if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode:
        raise LabError(f"computing {part} failed: the messages are above. Run the same command again to go on")


def _preface(options: argparse.Namespace) -> str:
    drawn = "--quick" if options.quick else f"--draws {options.draws}"
    return f"""\
<!-- SPDX-License-Identifier: Apache-2.0 -->
# The papers' tables and figures beside ours

Written by `./lab reproduce {' '.join(options.papers)} {drawn}`: what needs no transport, computed with the
classes that run in the controller; what `--testbed` has measured with real transfers; and what `--simulator` has made by
packets. Each section of a paper begins with
all its tables and figures and their status. Nothing is tuned to the published figures. Where a claim does not come out, or is
not tested as published, that is what this says. All seeds are fixed: the same command gives the same numbers, but for times and
transfers. The data are in the CSV files beside this one.
"""


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except LabError as failure:
        print(f"lab: {failure}", file=sys.stderr)
        sys.exit(failure.status)
    except KeyboardInterrupt:
        sys.exit(130)
