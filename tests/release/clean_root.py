# SPDX-License-Identifier: Apache-2.0
"""Roots of a Debian as small as it can be, made for a test."""

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from mptcplab import packages
from mptcplab.settings import ROOT


def run(*command: object, cwd: Path = ROOT, seconds: float = 1500, **environment: str) -> str:
    """What a command prints, on both streams; it must end with status 0."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env={**os.environ, **environment}, timeout=seconds)
    assert done.returncode == 0, f"{command}\n{done.stdout}"
    return done.stdout


def debian(root: Path, suite: str, included: Sequence[str]) -> None:
    """Installs a Debian of this machine's mirror, with these packages."""
    packages.require("clean-root")
    mirrors = [line.split() for line in run("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)",
                                            "Created-By: Packages").splitlines()]
    [mirror, *_] = [address for address, name in mirrors if name == codename()]
    run("debootstrap", "--variant=minbase", *([f"--include={','.join(included)}"] if included else []), suite, root, mirror)


def codename() -> str:
    """The name of this machine's Debian or Ubuntu."""
    system = dict(re.findall(r'^(\w+)="?(.*?)"?$', Path("/etc/os-release").read_text(), re.MULTILINE))
    return system["VERSION_CODENAME"]
