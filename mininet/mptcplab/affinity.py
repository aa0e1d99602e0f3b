# SPDX-License-Identifier: Apache-2.0
"""Which processors a process may run on."""

import contextlib
import os
from collections.abc import Iterable, Iterator, Set

from .processes import family


@contextlib.contextmanager
def kept_on(pids: Iterable[int], processors: Set[int]) -> Iterator[None]:
    """Keeps these processes, and those that they have started, on some processors while the body runs; afterwards on all that
    this process may use. What they start in the body stays there, too."""
    kept = list(pids)
    _allow(kept, processors)
    try:
        yield
    finally:
        _allow(kept, os.sched_getaffinity(0))


def _allow(pids: Iterable[int], processors: Set[int]) -> None:
    for pid in (member for leader in pids for member in family(leader)):
        # A process or thread may have ended meanwhile.
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(ProcessLookupError):
                    os.sched_setaffinity(int(thread), processors)
