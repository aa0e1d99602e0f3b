# SPDX-License-Identifier: Apache-2.0
"""Sheu et al. on the testbed: iperf over MPTCP on small Waxman graphs."""

from pathlib import Path

import runs
import testbed
from tables import Claim, Rows, interval, markdown, mean, select

_IPERF = tuple(f"sheu/iperf-{nodes}" for nodes in (10, 13, 16))


def claims(folder: Path) -> list[Claim]:
    """What iperf says of the paper's claims about throughput; nothing without it."""
    rows = _rows(folder)
    if not rows:
        return []
    found: list[Claim] = []
    for over, published in (("k-max", 0.08), ("shortest", 0.9)):
        gains = leads(rows, over)
        found.append((f"Fig. 3.2: iperf over MPTCP on the testbed, against {'SPF' if over == 'shortest' else over}",
                      f"+{100 * published:.0f} %", runs.percent(gains),
                      interval(published, mean(gains), runs.half_width(gains))))
    return found


def _rows(folder: Path) -> Rows:
    return [row for name in _IPERF for row in testbed.rows(folder, name)]


def leads(rows: Rows, over: str) -> list[float]:
    """By how much k-max-min carries more than another strategy: one for each request, the mean over its runs."""
    requests = dict.fromkeys((row["nodes"], row["pair"]) for row in rows)
    return [mean(row["mbps"] for row in select(rows, nodes=nodes, pair=pair, strategy="k-max-min"))
            / mean(row["mbps"] for row in select(rows, nodes=nodes, pair=pair, strategy=over)) - 1 for nodes, pair in requests]


def section(folder: Path) -> str:
    """The table, if it was measured."""
    rows = _rows(folder)
    if not rows:
        return "**iperf** Not measured: that needs the testbed (`./lab reproduce sheu --testbed`).\n"
    strategies = list(dict.fromkeys(row["strategy"] for row in rows))
    requests = list(dict.fromkeys((row["nodes"], row["pair"]) for row in rows))
    table = []
    for nodes, pair in requests:
        these = [select(rows, nodes=nodes, pair=pair, strategy=strategy) for strategy in strategies]
        table.append([f"{nodes:.0f}, {pair + 1:.0f}", *(
            f"{runs.text([row['mbps'] for row in some])} of {mean(row['most'] for row in some):.1f} "
            f"({mean(row['paths'] for row in some):.0f})" for some in these)])
    told = " ".join(line for name in _IPERF if (line := testbed.told(folder, name)))
    return f"""\
**iperf over MPTCP** The paper's own measure, on small Waxman graphs: links of 1 to 10 Mbit/s, uniform, which stand for residual
bandwidths; iperf3 over kernel MPTCP with three subflows, one pair of hosts at a time. Payload in Mbit/s, of the most that all
paths of the network carry together on the wire (ζ), and in brackets how many different paths the subflows have. Of a frame of
1514 bytes 1428 are payload. The controller does not offer `first-k-max`.

{markdown(["nodes, pair", *(f"`{strategy}`" for strategy in strategies)], table)}

{told}
"""
