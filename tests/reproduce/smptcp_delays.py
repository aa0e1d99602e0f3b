# SPDX-License-Identifier: Apache-2.0
"""S-MPTCP on the testbed with delays: Table 8 and Fig. 9."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import plots
import runs
import testbed
from smptcp_published import DELAYED, LABELS, cell
from smptcp_shares import Shares, all_after, by_run
from tables import Claim, Rows, markdown, mean, select

_DELAYS = "smptcp/delays"
_MOST_LOST = 0.1


def claims(folder: Path) -> list[Claim]:
    """What the transfers say of the paper's claims; nothing without them."""
    rows = testbed.rows(folder, _DELAYS)
    if not rows:
        return []
    found = _shares(rows)
    delays = sorted({delay for _, delay in found})
    ours, theirs = ([found[window, delay] for delay in delays] for window in ("smptcp", "balia"))
    totals = [mean(one.total for one in some) for some in ours]
    deviations = [[[one.deviation for one in some] for some in of] for of in (ours, theirs)]
    times = [[one.seconds for one in some if one.seconds is not None] for some in ours]
    means = [mean(some) for some in times if some]
    return [("Table 8: the total with S-MPTCP does not depend on the delay", "33.8 to 34.0",
             f"{min(totals):.2f} to {max(totals):.2f}", min(totals) >= (1 - _MOST_LOST) * max(totals)),
            ("Table 8: SD with S-MPTCP below that with BALIA at every delay", "yes",
             ", ".join(runs.against(one, other) for one, other in zip(*deviations)),
             _all([runs.is_more(other, one) for one, other in zip(*deviations)])),
            ("Table 8: S-MPTCP settles later with longer delays", "2.0 to 13.0 s", ", ".join(map(all_after, ours)),
             all(times) and len(times) > 1 and means == sorted(means) and means[0] < means[-1])]


def _all(answers: Sequence[str]) -> str:
    return "no" if "no" in answers else "not apart" if "not apart" in answers else "yes"


def _shares(rows: Rows) -> Mapping[tuple[str, float], list[Shares]]:
    return {(window, delay): by_run(select(rows, window=window, delay=delay))
            for window, delay in dict.fromkeys((row["window"], row["delay"]) for row in rows)}


def section(folder: Path) -> str:
    """The table, if it was measured; draws its figure."""
    rows = testbed.rows(folder, _DELAYS)
    if not rows:
        return ""
    table = [[LABELS[window], f"{delay:.0f}", runs.text([one.total for one in some]),
              runs.text([one.deviation for one in some], 3), all_after(some), cell(DELAYED.get((window, int(delay))))]
             for (window, delay), some in sorted(_shares(rows).items())]
    longest, first = max(row["delay"] for row in rows), min(row["run"] for row in rows)
    plots.lines(folder / "smptcp-9.png", f"S-MPTCP Fig. 9: paths of {longest:.0f} ms", "s", "Mbit/s",
                [(f"{LABELS[window]}, {connection:.0f}", None, style, [row["second"] for row in these],
                  [row["mbps"] for row in these])
                 for window, style in (("smptcp", "-"), ("balia", ":")) for connection in (1, 2, 3)
                 for these in [select(rows, run=first, window=window, delay=longest, connection=connection)]])
    return f"""\
**Table 8, Fig. 9 with transfers** The same with a delay of all paths, one way. A program between each client and its switch holds
frames back, in both directions: kernels may lack netem.

{markdown(["window", "delay, ms", "total", "SD", "settled after", "published: total, SD, s"], table)}

![Fig. 9](smptcp-9.png)

{testbed.told(folder, _DELAYS)}

"""
