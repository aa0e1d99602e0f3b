# SPDX-License-Identifier: Apache-2.0
"""Checks the Python code with ruff and mypy. Their versions are pinned, in a virtual environment below .lab/.

``pyproject.toml`` configures both.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from . import packages
from .errors import LabError
from .settings import ROOT, progress

_TOOLS = ("ruff==0.12.0", "mypy==1.16.1")
_ENVIRONMENT = ROOT / ".lab" / "lint"
_TEST_FOLDERS = ("tests/system", "tests/gui", "tests/reproduce")


def run() -> bool:
    """True if neither finds anything; their messages are on standard output. LabError if they cannot be installed."""
    if not packages.virtual_environment(_ENVIRONMENT, _TOOLS):
        raise LabError(f"cannot check the Python code: pip could not install {' and '.join(_TOOLS)} from PyPI; what it said is "
                       "above")
    # A list, so that the others run also if one finds something.
    return all([_passes("ruff", ["check", "--quiet", "."]), *(_passes("mypy", what) for what in _typed())])


def _typed() -> list[list[str]]:
    """The options of each run of mypy: one for the packages, one for the helper modules of each folder of tests. Modules of two
    folders may have the same name, which mypy does not accept in one run."""
    shared = [[str(path) for path in sorted((ROOT / folder).glob("*.py")) if not path.name.startswith("test_")]
              for folder in _TEST_FOLDERS]
    # The tests' interpreter: it has pytest and the like.
    packaged = ["-p", "mptcplab", "-p", "mptcpagent", "-p", "simulator"]
    return [["--no-error-summary", "--python-executable", sys.executable, *what] for what in (packaged, *shared)]


def _passes(tool: str, arguments: Sequence[str]) -> bool:
    ran = subprocess.run([str(_program(tool)), *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    if ran.returncode:
        # In one piece, as something else may write at the same time.
        progress(f"{tool} has found something:\n{ran.stdout.rstrip()}")
    return not ran.returncode


def _program(tool: str) -> Path:
    return _ENVIRONMENT / "bin" / tool
