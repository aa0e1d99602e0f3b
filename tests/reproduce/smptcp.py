# SPDX-License-Identifier: Apache-2.0
"""Liu et al., "Improve MPTCP with SDN: From the perspective of resource pooling" (S-MPTCP), Table 4, and the shares of Fig. 1."""

from pathlib import Path

import plots
from tables import OTHER_MACHINE, Claim, Row, Rows, claims, markdown, read, select

_PUBLISHED_MILLIS = {4: 0.0886, 8: 0.3721, 16: 8.2371, 32: 427.8041}
_IDEAL = 12.0


def report(folder: Path) -> str:
    """Draws the figure into ``folder`` and returns the section of the report."""
    flows, shares = read(folder / "smptcp-dinic.csv"), read(folder / "smptcp-shares.csv")
    _draw(folder, flows)
    return f"""\
## S-MPTCP: what exploration costs, and fair shares

**Table 4** Maximum flow between hosts in different pods of a k-ary fat tree, hosts as vertices, capacities uniform from 0 to
10 Mbit/s; the mean over eight pairs. Published for C++ on an Intel Core i5-6500; ours and JGraphT's `DinicMFImpl` ran on this
machine, so that only the orders of magnitude compare with the published figures. Every host has one link, so that the search is
short: most of JGraphT's time at k = 32 is its set-up for each pair, not the search.

{markdown(["k", "vertices", "links", "published, µs", "ours, µs", "JGraphT, µs"],
          [[f"{row['k']:.0f}", f"{row['vertices']:.0f}", f"{row['links']:.0f}", f"{1000 * _PUBLISHED_MILLIS[row['k']]:,.1f}",
            f"{row['ours_us']:,.2f}", f"{row['jgrapht_us']:,.1f}"] for row in flows])}

![Table 4](smptcp-table-4.png)

**Fig. 1, Table 2** Three connections with two subflows each; the links 2, 5, 10 and 15 carry 36 Mbit/s together, all others 10
each. The capacities of the four are in the paper's picture only; those here are chosen, to the same sum. Expected throughput in
Mbit/s, ideally 12 for each connection.

{markdown(["links 2, 5, 10, 15", "allocator", "connection 1", "connection 2", "connection 3", "sum"],
          [[row["capacities"], f"`{row['allocator']}`", *(f"{row[f'connection_{number}']:.3f}" for number in (1, 2, 3)),
            f"{sum(row[f'connection_{number}'] for number in (1, 2, 3)):.3f}"] for row in shares])}

{claims(_claims(flows, shares))}
"""


def _claims(flows: Rows, shares: Rows) -> list[Claim]:
    published = list(_PUBLISHED_MILLIS.values())
    ours = [row["ours_us"] / 1000 for row in flows]
    return [("Table 4: vertices and links", "36/48 to 9472/24576", f"{_size(flows[0])} to {_size(flows[-1])}",
             [_size(row) for row in flows] == ["36/48", "208/384", "1344/3072", "9472/24576"]),
            ("Table 4: milliseconds at k = 32", f"{published[-1]:.1f}", f"{ours[-1]:.4f}", OTHER_MACHINE),
            *(("Fig. 1: every connection gets 12 Mbit/s with `" + name + "`", "yes", f"{_worst(shares, name):.4f} off at most",
               _worst(shares, name) < 0.01) for name in dict.fromkeys(row["allocator"] for row in shares))]


def _size(row: Row) -> str:
    return f"{row['vertices']:.0f}/{row['links']:.0f}"


def _worst(shares: Rows, allocator: str) -> float:
    return max(abs(row[f"connection_{number}"] - _IDEAL)
               for row in select(shares, allocator=allocator) for number in (1, 2, 3))


def _draw(folder: Path, flows: Rows) -> None:
    links = [row["links"] for row in flows]
    plots.lines(folder / "smptcp-table-4.png", "S-MPTCP Table 4: maximum flow in fat trees", "links", "µs",
                [("published (C++, another machine)", None, "--", links, [1000 * _PUBLISHED_MILLIS[row["k"]] for row in flows]),
                 ("JGraphT DinicMFImpl", None, "-", links, [row["jgrapht_us"] for row in flows]),
                 ("ours", None, "-", links, [row["ours_us"] for row in flows])], logarithmic=True)
