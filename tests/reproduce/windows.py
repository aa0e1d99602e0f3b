# SPDX-License-Identifier: Apache-2.0
"""The papers' window controls against those of kernels: what ``./lab compare --congestion`` has measured on the testbed."""

import json
import subprocess
from pathlib import Path

from mptcplab.comparisonfigure import JSON_FILE
from mptcplab.errors import LabError
from mptcplab.intervals import interval
from mptcplab.rest import Json
from mptcplab.settings import ROOT
from tables import markdown

TOPOLOGIES = ("diamond", "fig1")
CONTROLS = ("smptcp", "emptcp", "emptcp-published", "cubic", "reno", "bbr")
TRANSFERS, SECONDS, UDP_MBPS = 3, 12, 2
FIGURES = ("goodputMbps", "rttMillis", "retransmittedPercent", "fairness")
_DIGITS = (1, 1, 2, 3)


def measure(folder: Path, runs: int) -> None:
    """Measures so many runs on each topology and writes them into the folder."""
    for name in TOPOLOGIES:
        measured = folder / f"comparison-{name}"
        command = [str(ROOT / "lab"), "compare", "--congestion", ",".join(CONTROLS), "--topology", name, "--runs", str(runs),
                   "--connections", str(TRANSFERS), "--subflows", "3", "--seconds", str(SECONDS), "--udp", str(UDP_MBPS),
                   "--out", str(measured)]
        # 1: a transfer got less than is expected of the testbed, which is a figure like others here.
        if subprocess.run(command, stdin=subprocess.DEVNULL).returncode not in (0, 1):
            raise LabError(f"measuring window controls on {name} failed: the messages are above")
        found = json.loads((measured / JSON_FILE).read_text(encoding="utf-8"))
        _file(folder, name).write_text(json.dumps(compact(found), indent=2) + "\n", encoding="utf-8")


def compact(comparison: Json) -> Json:
    """What the report keeps of a comparison: for each control the figures of all runs."""
    rows = comparison["measured"]
    return {"topology": comparison["topology"], "transfers": comparison["transfers"], "seconds": comparison["seconds"],
            "udpMbps": comparison["udpMbps"], "load": rows[-1]["load"],
            "windows": [{"name": name, **{key: [row[key] for row in rows if row["congestion"] == name] for key in FIGURES}}
                        for name in CONTROLS]}


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
