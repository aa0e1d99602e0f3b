# SPDX-License-Identifier: Apache-2.0
"""Sheu et al. by packets: what equal paths are worth, with receive buffers of three sizes."""

from pathlib import Path

import runs
import simulated
from tables import NOT_APART, Claim, Rows, markdown, mean, select

_BUFFERS = "sheu/buffers"
_LITTLE = 0.005
"""Of what the paths can have: no gain that a paper would tell of."""


def claims(folder: Path) -> list[Claim]:
    """What packets say of the cause that the paper gives; nothing without them."""
    rows = simulated.rows(folder, _BUFFERS)
    return [("cause: equal paths carry more than unequal ones, for less head-of-line blocking, buffer of "
             f"{buffer / 1024:.0f} KiB", "yes", _points(gaps := gains(rows, buffer)),
             runs.has_sign(gaps) if abs(mean(gaps)) > _LITTLE else NOT_APART)
            for buffer in sorted({row["buffer"] for row in rows})]


def gains(rows: Rows, buffer: float) -> list[float]:
    """By which part of all that the paths can have equal ones carry more: one for each queue and control. Nothing is drawn but
    when the connection begins, so that runs repeat each other, and more of them prove no more."""
    def share(widths: str, queue: float, control: str) -> float:
        return mean(row["share"] for row in select(rows, buffer=buffer, widths=widths, queue=queue, control=control))
    return [share("equal", *setting) - share("unequal", *setting)
            for setting in dict.fromkeys((row["queue"], row["control"]) for row in select(rows, buffer=buffer))]


def _points(values: list[float]) -> str:
    return runs.percent(values) + " of all"


def section(folder: Path) -> str:
    """The table, if it was made."""
    rows = simulated.rows(folder, _BUFFERS)
    if not rows:
        return "**Receive buffers** Not made: that needs ns-3 (`./lab reproduce sheu --simulator`).\n"
    widths = list(dict.fromkeys(row["widths"] for row in rows))
    table = [[f"{buffer / 1024:.0f}", f"{queue:.0f}", control,
              *(runs.text([row["share"] for row in select(rows, buffer=buffer, queue=queue, control=control, widths=name)])
                for name in widths)]
             for buffer, queue, control in dict.fromkeys((row["buffer"], row["queue"], row["control"]) for row in rows)]
    return f"""\
**Receive buffers, by packets** The paper puts its gain down to less head-of-line blocking on paths of similar width. Here are
three disjoint paths of 10 ms with 21 Mbit/s together: 7, 7, 7; as in its example 8, 8, 5; and 12, 7, 2. One connection in ns-3,
the scheduler takes the least round-trip time. The part of what the paths can have that it carries:

{markdown(["buffer, KiB", "queue, packets", "control", *widths], table)}

{simulated.told(folder, _BUFFERS)}
"""
