# SPDX-License-Identifier: Apache-2.0
"""The Python code under ruff and mypy, of versions that are pinned: in a virtual environment of the project, below .lab/.

How strict they are is in ``pyproject.toml``.
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
    """Whether neither has anything to say; what they say is on standard output. LabError if they cannot be had."""
    if not packages.virtual_environment(_ENVIRONMENT, _TOOLS):
        raise LabError(f"cannot check the Python code: pip could not install {' and '.join(_TOOLS)} from PyPI; what it said is "
                       "above")
    # All of them, also behind one that fails.
    return all([_passes("ruff", ["check", "--quiet", "."]), *(_passes("mypy", what) for what in _typed())])


def _typed() -> list[list[str]]:
    """What mypy checks, run by run: the package, and what each folder's tests share. Modules of two folders may have the same
    name, so these are runs of their own."""
    shared = [[str(path) for path in sorted((ROOT / folder).glob("*.py")) if not path.name.startswith("test_")]
              for folder in _TEST_FOLDERS]
    # The interpreter of the tests, as it has what they import.
    return [["--no-error-summary", "--python-executable", sys.executable, *what] for what in (["-p", "mptcplab"], *shared)]


def _passes(tool: str, arguments: Sequence[str]) -> bool:
    begun = subprocess.run([str(_program(tool)), *arguments], cwd=ROOT, stdin=subprocess.DEVNULL)
    if begun.returncode:
        progress(f"{tool} has found something: its messages are above")
    return not begun.returncode


def _program(tool: str) -> Path:
    return _ENVIRONMENT / "bin" / tool
