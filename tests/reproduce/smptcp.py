# SPDX-License-Identifier: Apache-2.0
"""Liu et al., "Improve MPTCP with SDN: From the perspective of resource pooling" (S-MPTCP), Table 4, and the shares of Fig. 1."""

from pathlib import Path

import plots
import smptcp_simulated
import smptcp_testbed
import windows
from tables import (ARITHMETIC, KERNELS, OTHER_MACHINE, SIMULATOR, Claim, Row, Rows, all_of, claims, markdown, read, select,
                    statuses)

_PUBLISHED_MILLIS = {4: 0.0886, 8: 0.3721, 16: 8.2371, 32: 427.8041}
_IDEAL = 12.0
_HOSTS = "needs hosts with the paper's window control: --testbed"
_ROUTES = "needs transfers: --testbed"
_PICTURE = "the architecture, or a sketch"
_ITEMS = {"Table 1": _HOSTS, "Table 2": "", "Table 3": "known bounds", "Table 4": "",
          "Table 5": "the machine", "Table 6": _HOSTS, "Table 7": _HOSTS, "Table 8": _HOSTS, "Table 9": _ROUTES,
          "Table 10": _ROUTES, "Fig. 1": "", "Fig. 2": "two topologies", "Fig. 3": _HOSTS, "Fig. 4": _ROUTES, "Fig. 5": _PICTURE,
          "Fig. 6": _PICTURE, "Fig. 7": _PICTURE, "Fig. 8": _HOSTS,
          "Fig. 9": "a picture of runs of Table 8, where its claims are", "Fig. 10": _ROUTES, "Fig. 11": _ROUTES}
_BETA_OF_TABLE_6 = {1: 0.019, 2: 0.089, 3: 0.092}
"""β → standard deviation between connections in Mbit/s, at α = 1: a small β is fairer."""

_QUEUES = (4, 5, 7, 10, 12, 11, 9, 6, 5, 6, 9, 13)
"""A queue that grows and shrinks, in packets, round by round."""


def report(folder: Path) -> str:
    """Draws the figure into ``folder`` and returns the section of the report."""
    flows, shares = read(folder / "smptcp-dinic.csv"), read(folder / "smptcp-shares.csv")
    family = read(folder / "smptcp-family.csv")
    _draw(folder, flows)
    made = {ARITHMETIC: _claims(flows, shares, family), KERNELS: smptcp_testbed.claims(folder),
            SIMULATOR: smptcp_simulated.claims(folder)}
    return f"""\
## S-MPTCP: what exploration costs, and fair shares

{statuses(_ITEMS, made)}

**Table 4** Maximum flow between edge switches in different pods of a k-ary fat tree, hosts as vertices, capacities uniform from 0
to 10 Mbit/s; the mean over 16 pairs. Published for C++ on an Intel Core i5-6500; ours and JGraphT's `DinicMFImpl` ran on this
machine, so that only the orders of magnitude compare with the published figures. The paper does not say between which vertices.
Hosts have one link, which would be the flow. ± is the 95 % confidence interval.

{markdown(["k", "vertices", "links", "published, µs", "ours, µs", "JGraphT, µs"],
          [[f"{row['k']:.0f}", f"{row['vertices']:.0f}", f"{row['links']:.0f}", f"{1000 * _PUBLISHED_MILLIS[row['k']]:,.1f}",
            f"{row['ours_us']:,.2f} ± {row['ours_error_us']:,.2f}",
            f"{row['jgrapht_us']:,.1f} ± {row['jgrapht_error_us']:,.1f}"] for row in flows])}

![Table 4](smptcp-table-4.png)

**Fig. 1, Table 2** Three connections with two subflows each; the links 2, 5, 10 and 15 carry 36 Mbit/s together, all others 10
each. The capacities of the four are in the paper's picture only; those here are chosen, to the same sum. Expected throughput in
Mbit/s, ideally 12 for each connection.

{markdown(["links 2, 5, 10, 15", "allocator", "connection 1", "connection 2", "connection 3", "sum"],
          [[row["capacities"], f"`{row['allocator']}`", *(f"{row[f'connection_{number}']:.3f}" for number in (1, 2, 3)),
            f"{sum(row[f'connection_{number}'] for number in (1, 2, 3)):.3f}"] for row in shares])}

The same for all whole capacities of the four that add up to 36 and let every connection have 12:

{markdown(["allocator", "capacities", "12 each", "furthest from 12, Mbit/s"],
          [[f"`{row['allocator']}`", f"{row['capacities']:.0f}", f"{row['twelve_each']:.0f}", f"{row['worst_mbps']:.3f}"]
           for row in family])}

**Table 6** says that a larger β is less fair. Algorithm 5, line 6, reduces the window if the queue `cq` of this round is long
beside the queue `q` of the last one. Here is in how many of {len(_QUEUES) - 1} rounds it does so, for a queue of
{", ".join(str(packets) for packets in _QUEUES)} packets. As printed, it does so more often with a larger β. With β on the other
side it does so less often, as Table 6 wants.

{markdown(["β", "SD of Table 6, Mbit/s", "as printed, β·cq ≥ q", "cq ≥ β·q"],
          [[f"{beta}", f"{deviation:.3f}", f"{alarms(beta, 1)}", f"{alarms(1, beta)}"]
           for beta, deviation in _BETA_OF_TABLE_6.items()])}

{windows.section(folder, "smptcp")}
{smptcp_testbed.section(folder)}
{smptcp_simulated.section(folder)}
{claims(all_of(made))}
"""


def alarms(of_now: float, of_last: float) -> int:
    """In how many rounds the queue times ``of_now`` is at least that of the round before times ``of_last``."""
    return sum(of_now * now >= of_last * last for last, now in zip(_QUEUES, _QUEUES[1:]))


def _claims(flows: Rows, shares: Rows, family: Rows) -> list[Claim]:
    published = list(_PUBLISHED_MILLIS.values())
    ours = [row["ours_us"] / 1000 for row in flows]
    return [("Table 4: vertices and links", "36/48 to 9472/24576", f"{_size(flows[0])} to {_size(flows[-1])}",
             [_size(row) for row in flows] == ["36/48", "208/384", "1344/3072", "9472/24576"]),
            ("Table 4: milliseconds at k = 32", f"{published[-1]:.1f}", f"{ours[-1]:.4f}", OTHER_MACHINE),
            *(("Fig. 1: every connection gets 12 Mbit/s with `" + name + "`", "yes", f"{_worst(shares, name):.4f} off at most",
               _worst(shares, name) < 0.01) for name in dict.fromkeys(row["allocator"] for row in shares)),
            *(("Table 2: the same with `" + row["allocator"] + "` for all capacities", "yes",
               f"{row['twelve_each']:.0f} of {row['capacities']:.0f}", row["twelve_each"] == row["capacities"])
              for row in family)]


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
