# SPDX-License-Identifier: Apache-2.0
"""Where figures come from: what somebody needs to repeat them, and to know how far to believe them."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from .processor import STOLEN_PERCENT, stolen_percent, times
from .rest import Json
from .settings import ROOT

if TYPE_CHECKING:
    from .testbed import Testbed

_VERSIONS = {"openvswitch": ("ovs-vswitchd", "--version"), "iperf3": ("iperf3", "--version")}


class Watch:
    """What happens to the machine from when it is made on."""

    def __init__(self) -> None:
        self._load, self._before = os.getloadavg()[0], times()

    def told(self) -> Json:
        """``load`` of the minute before, and ``stolenPercent`` of the processors' time since."""
        return {"load": round(self._load, 1), "stolenPercent": round(stolen_percent(self._before, times()), 1)}


def about(command: str, seed: int | None = None) -> Json:
    """``command``, ``seed`` (None where nothing is drawn), ``date``, ``commit``, ``kernel``, ``processors``, and ``versions`` of
    programs."""
    return {"command": command, "seed": seed, "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "commit": _commit(), "kernel": os.uname().release, "processors": os.cpu_count(),
            "versions": {"python": platform.python_version(), **{name: _version(words) for name, words in _VERSIONS.items()}}}


def of_testbed(testbed: Testbed, command: str, seed: int | None = None) -> Json:
    """The same of what a testbed has measured, with ONOS's version and the hosts' congestion control."""
    found = about(command, seed)
    found["versions"]["onos"] = testbed.onos.version()
    found["congestion"] = testbed.network.congestion_control
    return found


def machine(told: Json) -> str:
    """What people are told of what `Watch` tells, and a mark if much time was stolen."""
    stolen = told["stolenPercent"]
    return (f" load of the machine {told['load']:.1f} before, {stolen:.1f} % of the processors' time stolen"
            + (f"\n marked: more than {STOLEN_PERCENT:g} % was stolen; repeat it before you believe its figures"
               if stolen > STOLEN_PERCENT else ""))


def version() -> str:
    """Of this copy: that of its poms, and the commit where there is one."""
    released = re.search(r"<artifactId>onos-mptcp</artifactId>\s*<version>(.*?)</version>", (ROOT / "pom.xml").read_text())
    assert released, "pom.xml has no version"
    commit = _commit()
    return released[1] + (f" ({commit})" if commit else "")


def _said(words: Sequence[str]) -> str:
    """What a program prints; nothing if it is not there."""
    try:
        return subprocess.run(words, capture_output=True, text=True).stdout
    except OSError:
        return ""


def _commit() -> str | None:
    """None where there is no git, or the repository is not one of it."""
    return _said(["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), "describe", "--always", "--dirty"]).strip() or None


def _version(words: Sequence[str]) -> str | None:
    """The last word of the first line that a program says of itself; None if it says nothing."""
    said = _said(words).split("\n", 1)[0]
    return next((word for word in said.split() if word[0].isdigit()), None)
