# SPDX-License-Identifier: Apache-2.0
"""Gómez et al. by packets: Fig. 6, a file over 802.11b."""

from pathlib import Path

import plots
import runs
import simulated
from tables import Claim, Rows, markdown, mean, select

_RADIO = "gomez/radio"
_LABELS = {"tcp": "TCP, first route", "one": "MPTCP, one channel", "two": "MPTCP, two channels"}


def claims(folder: Path) -> list[Claim]:
    """What packets say of the paper's claims; nothing without them."""
    rows = simulated.rows(folder, _RADIO)
    if not rows:
        return []
    two_hops = select(rows, hops=2)
    two, one = gains(rows, "two"), gains(rows, "one")
    better = sum(gain > 0 for gain in two)
    return [("Fig. 6: two channels against TCP, two hops", "+50 %", runs.percent(gains(two_hops, "two")),
             runs.is_change(0.5, gains(two_hops, "two"))),
            ("Fig. 6: two channels carry more than TCP, all graphs", "yes", runs.percent(two), runs.has_sign(two)),
            ("Fig. 6: one channel carries less than TCP, two hops", "yes", runs.percent(gains(two_hops, "one")),
             runs.has_sign(gains(two_hops, "one"), -1)),
            ("Fig. 6: one channel carries less than TCP, all graphs", "yes", runs.percent(one), runs.has_sign(one, -1)),
            ("Fig. 6: few cases in which two channels carry less", "yes", f"{len(two) - better} of {len(two)}",
             better >= 0.8 * len(two))]


def gains(rows: Rows, mode: str) -> list[float]:
    """Of each graph by how much a mode carries more than TCP."""
    tcp = {row["graph"]: row["mbps"] for row in select(rows, mode="tcp")}
    return [row["mbps"] / tcp[row["graph"]] - 1 for row in select(rows, mode=mode)]


def section(folder: Path) -> str:
    """The table, if it was made; draws its figure."""
    rows = simulated.rows(folder, _RADIO)
    if not rows:
        return "**Fig. 6** Not made: that needs ns-3 (`./lab reproduce gomez --simulator`).\n"
    hops = sorted({row["hops"] for row in rows})
    table = [[f"{count:.0f}", f"{len(select(rows, hops=count, mode='tcp'))}", *(
        f"{mean(values):.2f} ({min(values):.2f} to {max(values):.2f})"
        for mode in _LABELS for values in [[row["mbps"] for row in select(rows, hops=count, mode=mode)]])] for count in hops]
    plots.lines(folder / "gomez-6.png", "Gómez Fig. 6 by packets", "hops of the first route", "Mbit/s",
                [(label, None, "-", hops, [mean(row["mbps"] for row in select(rows, hops=count, mode=mode)) for count in hops])
                 for mode, label in _LABELS.items()])
    return f"""\
**Fig. 6 by packets** A file of {rows[0]['bytes'] / 1e6:.0f} MB over 802.11b at 11 Mbit/s in ns-3, with four transmissions of a
frame at most and no losses but collisions; LIA, the first two link-disjoint routes. Mbit/s of payload: mean, least and most over
the graphs, which are drawn as for Fig. 4, as many for each number of hops.

{markdown(["hops", "graphs", *_LABELS.values()], table)}

![Fig. 6](gomez-6.png)

{simulated.told(folder, _RADIO)}
"""
