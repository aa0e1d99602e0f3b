# SPDX-License-Identifier: Apache-2.0
"""S-MPTCP on the testbed with delays: Table 8 and Fig. 9."""

from collections.abc import Mapping
from pathlib import Path

import plots
import testbed
from smptcp_shares import Shares
from tables import Claim, Rows, markdown, select

_DELAYS = "smptcp/delays"
_LABELS = {"smptcp": "S-MPTCP's window", "reno": "Reno"}
_PUBLISHED = {("smptcp", 15): (33.950, 0.018, 2.0), ("smptcp", 100): (33.950, 0.030, 3.0), ("smptcp", 500): (33.795, 0.039, 13.0),
              ("reno", 15): (33.962, 3.511, 13.8), ("reno", 100): (33.933, 3.406, 13.0), ("reno", 500): (34.131, 3.271, 24.0)}
"""Total and standard deviation in Mbit/s, and seconds; in place of Reno there is BALIA."""

_MOST_LOST = 0.1


def claims(folder: Path) -> list[Claim]:
    """What the transfers say of the paper's claims; nothing without them."""
    rows = testbed.rows(folder, _DELAYS)
    if not rows:
        return []
    found = _shares(rows)
    delays = sorted({delay for _, delay in found})
    ours, theirs = ([found[window, delay] for delay in delays] for window in ("smptcp", "reno"))
    totals = [one.total for one in ours]
    times = [one.seconds for one in ours]
    settled = [time for time in times if time is not None]
    return [("Table 8: the total with S-MPTCP does not depend on the delay", "33.8 to 34.0",
             f"{min(totals):.2f} to {max(totals):.2f}", min(totals) >= (1 - _MOST_LOST) * max(totals)),
            ("Table 8: SD with S-MPTCP below that of regular MPTCP at every delay (BALIA; here Reno)", "yes",
             ", ".join(f"{one.deviation:.2f} against {other.deviation:.2f}" for one, other in zip(ours, theirs)),
             # One run of each has no interval.
             "not apart" if all(one.deviation < other.deviation for one, other in zip(ours, theirs)) else "no"),
            ("Table 8: S-MPTCP settles later with longer delays", "2.0 to 13.0 s", ", ".join(map(_time, ours)),
             len(settled) == len(times) > 1 and settled == sorted(settled) and settled[0] < settled[-1])]


def _shares(rows: Rows) -> Mapping[tuple[str, float], Shares]:
    return {(window, delay): Shares(select(rows, window=window, delay=delay))
            for window, delay in dict.fromkeys((row["window"], row["delay"]) for row in rows)}


def _time(one: Shares) -> str:
    return "never" if one.seconds is None else f"{one.seconds:.1f} s"


def section(folder: Path) -> str:
    """The table, if it was measured; draws its figure."""
    rows = testbed.rows(folder, _DELAYS)
    if not rows:
        return ""
    table = []
    for (window, delay), one in sorted(_shares(rows).items()):
        published = _PUBLISHED.get((window, int(delay)))
        table.append([f"{_LABELS[window]}, {delay:.0f} ms", f"{one.total:.2f}", f"{one.deviation:.2f}", _time(one),
                      ", ".join(f"{value}" for value in published or ())])
    longest = max(row["delay"] for row in rows)
    plots.lines(folder / "smptcp-9.png", f"S-MPTCP Fig. 9: paths of {longest:.0f} ms", "s", "Mbit/s",
                [(f"{_LABELS[window]}, {connection:.0f}", None, style, [row["second"] for row in these],
                  [row["mbps"] for row in these])
                 for window, style in (("smptcp", "-"), ("reno", ":")) for connection in (1, 2, 3)
                 for these in [select(rows, window=window, delay=longest, connection=connection)]])
    return f"""\
**Table 8, Fig. 9 with transfers** The same with a delay of all paths, one way. A program between each client and its switch holds
frames back, in both directions: kernels may lack netem. One run of each, so there are no intervals.

{markdown(["window, delay", "total", "SD", "settled after", "published: total, SD, s (Reno: BALIA)"], table)}

![Fig. 9](smptcp-9.png)

{testbed.told(folder, _DELAYS)}

"""
