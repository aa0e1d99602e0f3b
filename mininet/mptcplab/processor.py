# SPDX-License-Identifier: Apache-2.0
"""Processor time that the machine's host took for other guests (steal, ``proc(5)``): it moves figures more than anything else."""

from collections.abc import Callable, Sequence
from pathlib import Path

STOLEN_PERCENT = 3.0
"""What was measured while more was stolen is measured again, or marked."""

_LEAST_TICKS = 100
"""Of all processors together, in which it can be seen whether time is stolen: half a second of two."""

_STEAL = 7
_ALL = 8
"""Of the first line of /proc/stat: guests' times, behind these, are part of user's."""


def times(stat: Path = Path("/proc/stat")) -> Sequence[int]:
    """Ticks of all processors since the start of the machine, by what they were spent on."""
    return [int(ticks) for ticks in stat.read_text(encoding="ascii").split("\n", 1)[0].split()[1:_ALL + 1]]


def stolen_percent(before: Sequence[int], after: Sequence[int]) -> float:
    """The part that was stolen between two readings of `times`, per cent; 0 on a machine of its own."""
    spent = [later - earlier for earlier, later in zip(before, after)]
    return 100 * spent[_STEAL] / sum(spent) if sum(spent) > 0 and len(spent) > _STEAL else 0.0


def calm(stat: Path = Path("/proc/stat")) -> Callable[[], bool]:
    """A question for `processes.wait_for`: whether as little is stolen since its last answer as figures bear."""
    before = times(stat)

    def is_calm() -> bool:
        nonlocal before
        after = times(stat)
        if sum(after) - sum(before) < _LEAST_TICKS:
            return False
        stolen, before = stolen_percent(before, after), after
        return stolen <= STOLEN_PERCENT
    return is_calm
