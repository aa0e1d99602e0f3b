# SPDX-License-Identifier: Apache-2.0
"""eMPTCP on the testbed: when a host asks for paths, and files in a small fat tree (Fig. 7, 8)."""

from pathlib import Path

import plots
import runs
import testbed
from tables import Claim, Rows, interval, markdown, mean, only, select

_REQUESTS, _FAT_TREE = "emptcp/requests", "emptcp/fat-tree"
_LABELS = {"emptcp": "eMPTCP, τ = mean(r)/r", "emptcp-published": "eMPTCP, τ = r/mean(r) as printed",
           "reno": "MPTCP with New Reno", "tcp": "TCP New Reno"}
_LAST_SECONDS = 3.0
_PATHS = 3


def asked_after(rows: Rows) -> list[float]:
    """Of each run the seconds from its begin until the connection has all its paths; runs in which that happens."""
    found = []
    for number in dict.fromkeys(row["run"] for row in rows):
        times = [row["second"] for row in select(rows, run=number) if row["subflows"] >= _PATHS]
        found += [min(times)] if times else []
    return found


def _first_and_most(rows: Rows) -> list[tuple[float, float]]:
    return [(these[0]["subflows"], max(row["subflows"] for row in these))
            for number in dict.fromkeys(row["run"] for row in rows) for these in [select(rows, run=number)]]


def reached(rows: Rows) -> list[float]:
    """Of each run: its rate on the wire in its last seconds, as a part of ζ."""
    parts = []
    for number in dict.fromkeys(row["run"] for row in rows):
        these = select(rows, run=number)
        late = [row for row in these if row["second"] > these[-1]["second"] - _LAST_SECONDS and row["fair"]]
        parts += [mean(row["measured"] / row["fair"] for row in late)] if late else []
    return parts


def claims(folder: Path) -> list[Claim]:
    """What the transfers say of the paper's claims; nothing without them."""
    return [*_of_requests(testbed.rows(folder, _REQUESTS)), *_of_files(testbed.rows(folder, _FAT_TREE))]


def _of_requests(rows: Rows) -> list[Claim]:
    if not rows:
        return []
    everything, little = select(rows, sends="all"), select(rows, sends="little")
    paths, few = _first_and_most(everything), _first_and_most(little)
    parts = reached(everything)
    return [("request rule: one subflow at first, all paths where ξ < λ·ζ", "yes",
             f"{paths[0][0]:.0f}, then {paths[0][1]:.0f} after {runs.text(asked_after(everything), 1)} s",
             all(first == 1 and most == _PATHS for first, most in paths)),
            ("request rule: no further one for a program that sends little", "yes",
             f"{max(most for _, most in few):.0f} at most", all(most == 1 for _, most in few)),
            ("ζ is what the connection then reaches", "yes", f"{runs.text(parts)} of ζ on the wire",
             abs(mean(parts) - 1) <= runs.CLOSE)]


def times(rows: Rows, window: str) -> list[float]:
    """The mean time of a file in each run, seconds."""
    found = select(rows, window=window)
    return [mean(row["seconds"] for row in select(found, run=number)) for number in dict.fromkeys(row["run"] for row in found)]


def goodputs(rows: Rows, window: str) -> list[float]:
    """The mean goodput of a file in each run, Mbit/s."""
    found = select(rows, window=window)
    return [mean(row["mbps"] for row in select(found, run=number)) for number in dict.fromkeys(row["run"] for row in found)]


def _of_files(rows: Rows) -> list[Claim]:
    if not rows:
        return []
    found: list[Claim] = []
    for other, shorter, more in (("reno", -0.35, 0.10), ("tcp", -0.50, 0.186)):
        for figure, what, measure, published in (("Fig. 7", "a file takes less", times, shorter),
                                                 ("Fig. 8", "goodput", goodputs, more)):
            changes = runs.changes(measure(rows, "emptcp"), measure(rows, other))
            found.append((f"{figure}: {what}, against {_LABELS[other]}", f"{100 * published:+.1f} %", runs.percent(changes),
                          interval(published, mean(changes), runs.half_width(changes)) if len(changes) > 1 else "not apart"))
    return found


def section(folder: Path) -> str:
    """The tables, as far as they were measured; draws their figure."""
    requests, files = testbed.rows(folder, _REQUESTS), testbed.rows(folder, _FAT_TREE)
    if not requests + files:
        return "**With transfers** Not measured: that needs the testbed (`./lab reproduce emptcp --testbed`).\n"
    return (_requests(folder, requests) if requests else "") + (_files(folder, files) if files else "")


def _requests(folder: Path, rows: Rows) -> str:
    first = select(rows, run=min(row["run"] for row in rows), sends="all")
    plots.lines(folder / "emptcp-requests.png", "eMPTCP: ζ, the rate, and ten times the subflows of a run", "s", "Mbit/s",
                [(label, None, style, [row["second"] for row in first], [factor * (row[column] or 0) for row in first])
                 for label, style, column, factor in (("ζ (fair)", "--", "fair", 1), ("ζ (available)", ":", "available", 1),
                                                      ("rate", "-", "measured", 1), ("subflows × 10", "-.", "subflows", 10))])
    table = []
    for sends, label in (("all", "all it can"), ("little", "4 Mbit/s")):
        these = select(rows, sends=sends)
        after = asked_after(these)
        fair, available = ([row[column] for row in these if row[column]] for column in ("fair", "available"))
        table.append([label, ", ".join(f"{most:.0f}" for _, most in _first_and_most(these)),
                      f"{runs.text(after, 1)} s" if after else "never", f"{max(fair):.1f}", f"{max(available):.1f}",
                      runs.text([only(select(these, run=number)[:1], run=number)["mbps"]
                                 for number in dict.fromkeys(row["run"] for row in these)])])
    return f"""\
**The request rule with transfers** One connection on three disjoint paths of 10 Mbit/s. It begins with one subflow; its agent
tells its rate ξ, and asks for paths when ξ < λ·ζ in three samples running, with λ = 0.8. ζ is on the wire; *reached* is iperf3's
payload over its whole time. Both are in Mbit/s.

{markdown(["the program sends", "most subflows", "all paths after", "ζ (fair)", "ζ (available)", "reached"], table)}

![requests](emptcp-requests.png)

{testbed.told(folder, _REQUESTS)}

"""


def _files(folder: Path, rows: Rows) -> str:
    return f"""\
**Fig. 7 and 8 on a small fat tree** Four pairs of hosts in a 4-ary fat tree with links of 10 Mbit/s (there 128 hosts and 1
Gbit/s, simulated) send files of 2 MB one after the other, with Weibull gaps (shape 0.8, scale 0.3 s: the paper gives none), the
same for all windows. Links mark packets for eMPTCP. Agents open a subflow on each disjoint path, of which there are two; the
first carries the file alone until then.

{markdown(["window", "a file takes, s", "goodput of a file, Mbit/s"],
          [[label, runs.text(times(rows, window)), runs.text(goodputs(rows, window))] for window, label in _LABELS.items()])}

{testbed.told(folder, _FAT_TREE)}
"""
