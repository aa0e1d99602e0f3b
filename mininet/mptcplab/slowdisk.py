# SPDX-License-Identifier: Apache-2.0
"""A disk that is slow for one program, when a test wants it; see ``slowdisk.c``."""

from pathlib import Path

from .processes import run
from .unprivileged import Account

_SOURCE = Path(__file__).with_name("slowdisk.c")


class SlowDisk:
    """For a program of this account. ``words``: those before its command."""

    def __init__(self, account: Account) -> None:
        library, self._millis = account.home / "slowdisk.so", account.home / "slowdisk"
        run(["clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(library), str(_SOURCE)], "compiling slowdisk.c")
        library.chmod(0o755)
        self.words = ("env", f"LD_PRELOAD={library}", f"SLOWDISK_FILE={self._millis}")

    def wait(self, millis: int) -> None:
        """Lets each write wait so long, or not at all if 0."""
        if not millis:
            self._millis.unlink(missing_ok=True)
            return
        new = self._millis.with_suffix(".new")
        new.write_text(str(millis), encoding="ascii")
        new.chmod(0o644)
        new.replace(self._millis)
