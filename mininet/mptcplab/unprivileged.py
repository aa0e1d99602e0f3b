# SPDX-License-Identifier: Apache-2.0
"""An account without privileges for ONOS, inside the testbed's namespace.

ONOS installs what its users send, so it gets as little of this machine as it can do with. Its account is a number that
no user and no other process has, and nothing belongs to it but ONOS's own folder.

Such an account cannot pass through a private folder, as a home or a folder for temporary files may be. What it needs is
mounted below ``stage``, in this mount namespace alone.
"""

import os
import pwd
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from . import namespace
from .errors import LabError
from .processes import run

_ACCOUNTS = range(61184, 65520)
"""Numbers that Linux distributions give to nobody for longer than a service runs (systemd's dynamic users)."""

class Account:
    """One account with a home that it owns: ``uid``; ``home``, where the account itself sees it."""

    def __init__(self, name: str) -> None:
        """``name``: of the home, in the run's folder; an account that has been here before has the same number again."""
        kept = namespace.run_folder() / name
        if not kept.exists():
            kept.mkdir(mode=0o700)
            uid = _unused()
            os.chown(kept, uid, uid)
        self.uid = kept.stat().st_uid
        self.home = _mounted(kept, name)

    @property
    def become(self) -> tuple[str, ...]:
        """The words before a command that runs as this account. The process id stays the same.

        Who is not root any more has no capabilities, and with --no-new-privs no program that it starts gives it any.
        """
        return ("setpriv", f"--reuid={self.uid}", f"--regid={self.uid}", "--clear-groups", "--no-new-privs")

    @property
    def environment(self) -> dict[str, str]:
        """The environment of such a command: of this process's only what the command may know and needs."""
        kept = {name: value for name, value in os.environ.items()
                if name in ("PATH", "LANG", "TZ") or name.startswith(("LC_", "ONOS_", "JAVA_", "KARAF_"))}
        return dict(kept, HOME=str(self.home))

    def clear(self) -> None:
        """Removes all that is in its home."""
        for path in self.home.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()

    def own(self, top: Path) -> None:
        """Gives it a file, or a folder with everything in it; links as such."""
        for path in (top, *_below(top)):
            os.chown(path, self.uid, self.uid, follow_symlinks=False)


def readable(path: Path, name: str) -> Path:
    """The same file or folder where every account can read it: itself if that is so, else below the stage as ``name``."""
    path = path.resolve()
    if not all(above.stat().st_mode & 0o001 for above in path.parents):
        path = _mounted(path, name)
    if all(_everybody_reads(one) for one in (path, *_below(path))):
        return path
    # Built with a umask that keeps others out.
    copy = namespace.run_folder() / f"{name}-copy"
    if not copy.exists():
        shutil.copytree(path, copy, symlinks=True)
        run(["chmod", "-R", "a+rX", str(copy)], f"making {copy} readable")
    return _mounted(copy, f"{name}-copy")


def _everybody_reads(path: Path) -> bool:
    wanted = 0o005 if path.is_dir() else 0o004
    return path.is_symlink() or path.stat().st_mode & wanted == wanted


def _below(top: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(top):
        yield from (Path(folder, name) for name in (*folders, *files))


def _unused() -> int:
    """A number that no account and no process has. At random, so that testbeds that start at once get different ones."""
    taken = {entry.pw_uid for entry in pwd.getpwall()} | _running()
    free = [uid for uid in _ACCOUNTS if uid not in taken]
    if not free:
        raise LabError(f"no user id from {_ACCOUNTS[0]} to {_ACCOUNTS[-1]} is free")
    return random.choice(free)


def _running() -> set[int]:
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found.add(entry.stat().st_uid)
            except OSError:
                continue
    return found


def _mounted(path: Path, name: str) -> Path:
    """A file or folder as ``name`` below the stage."""
    stage = namespace.stage()
    if not os.path.ismount(stage):
        run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", str(stage)], f"mounting {stage}")
    place = stage / name
    if not place.exists():
        place.mkdir()
        run(["mount", "--bind", str(path), str(place)], f"mounting {path}")
    return place
