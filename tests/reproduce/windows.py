# SPDX-License-Identifier: Apache-2.0
"""The papers' window controls against those of kernels: what ``./lab bench windows`` has measured on the testbed."""

import json
import subprocess
from pathlib import Path

from mptcplab.errors import LabError
from mptcplab.intervals import FIGURES, interval
from mptcplab.rest import Json
from mptcplab.settings import ROOT
from tables import markdown

TOPOLOGIES = ("diamond", "fig1")
_DIGITS = (1, 1, 2, 3)


def measure(folder: Path, runs: int) -> None:
    """Measures so many runs on each topology and writes them into the folder."""
    for name in TOPOLOGIES:
        command = [str(ROOT / "lab"), "bench", "windows", "--topology", name, "--runs", str(runs),
                   "--json", str(_file(folder, name))]
        if subprocess.run(command, stdin=subprocess.DEVNULL).returncode:
            raise LabError(f"measuring window controls on {name} failed: the messages are above")


def section(folder: Path, own: str) -> str:
    """The tables of what is in the folder: the window controls of one paper, which begin with ``own``, and those of kernels."""
    files = [file for name in TOPOLOGIES if (file := _file(folder, name)).is_file()]
    found = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    if not found:
        return "**Window control** Not measured: that needs the testbed (`./lab reproduce --windows N`).\n"
    return f"""\
**Window control** Transfers over kernel MPTCP with this paper's window and those that kernels have, beside UDP on one link. An
agent on each host opens the same subflows with all; no rate is limited. The testbed's links have no delay of their own:
round-trip times are queues, and links mark packets before these are full. Means with their 95 % confidence intervals. These
figures change from run to run.

{chr(10).join(_table(one, own) for one in found)}"""


def _table(result: Json, own: str) -> str:
    rows = [[f"`{one['name']}`", *(interval(one[key], digits) for key, digits in zip(FIGURES, _DIGITS))]
            for one in result["windows"] if one["name"].startswith(own) or "mptcp" not in one["name"]]
    runs = len(result["windows"][0][FIGURES[0]])
    return f"""\
`{result['topology']}`, {result['transfers']} transfers of {result['seconds']} s, {result['udpMbps']:g} Mbit/s of UDP, \
{runs} runs, load average {result['load']:.0f} at the end:

{markdown(["window", "goodput, Mbit/s", "round-trip time, ms", "sent again, %", "Jain's index"], rows)}
"""


def _file(folder: Path, name: str) -> Path:
    return folder / f"windows-{name}.json"
