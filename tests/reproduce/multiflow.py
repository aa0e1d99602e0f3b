# SPDX-License-Identifier: Apache-2.0
"""Sandri et al., "On the Benefits of Using Multipath TCP and OpenFlow in Shared Bottlenecks" (Multiflow)."""

from pathlib import Path

import multiflow_testbed
import plots
from tables import ARITHMETIC, KERNELS, NOT_TESTED, Claim, Rows, all_of, claims, markdown, only, read, sign, statuses

_TESTBED = "needs transfers: --testbed; equal shares are below"
_ITEMS = {"Fig. 1": "the handshake", "Fig. 2": "the architecture", "Fig. 3": "the architecture", "Fig. 4": "",
          "Fig. 5": "a topology", "Fig. 6": _TESTBED, "Fig. 7": "a topology", "Fig. 8": _TESTBED, "Fig. 9": "",
          "Fig. 10": "needs hosts: --testbed; its figures are in the picture only"}
_PACKETS = {"plain": "no MPTCP option", "capable": "MP_CAPABLE", "join": "MP_JOIN"}


def report(folder: Path) -> str:
    """Draws the figure into ``folder`` and returns the section of the report."""
    pruning, costs = read(folder / "multiflow-pruning.csv"), read(folder / "multiflow-packet-cost.csv")
    printed, shares = read(folder / "multiflow-as-published.csv"), read(folder / "multiflow-shares.csv")
    _draw(folder, costs)
    made = {ARITHMETIC: _claims(pruning, costs, shares), KERNELS: multiflow_testbed.claims(folder)}
    return f"""\
## Multiflow: which subflow takes which path

{statuses(_ITEMS, made)}

**Fig. 4** Switches 1–{{2, 3, 4}}–5. Four subflows of one connection and the first of another, one after the other.

{markdown(["subflow", "path", "links left for its connection"],
          [[row["subflow"], row["path"], f"{row['links_left']:.0f}"] for row in pruning])}

As Algorithms 1 and 2 are printed, the first JOIN repeats the path of the MP_CAPABLE, and line 15 prunes one topology of all
connections:

{markdown(["subflow", "path"], [[row["subflow"], row["path"]] for row in printed])}

Where no disjoint path is left the paper's text starts again with the whole topology, which its algorithm does not do. Here the
setting `joinPolicy` decides.

**Fig. 6, 8** What max-min fair shares leave to each connection, on the wire. A mean of goodputs can be more than the fair share
where transfers end at different times: one after the other, three on one link of 10 Mbit/s would have 10, 5 and 3.33, so 6.1 in
the mean.

{markdown(["figure", "setting", "share, Mbit/s"],
          [[f"{row['figure']:.0f}", row["setting"], f"{row['share']:.2f}"] for row in shares])}

**Fig. 9** What a SYN costs, with the controller's own reader and parser. The paper's figure has no numbers in its text. It says
that parsing alone is measured, and explains the differences with what comes after it; so both are here.

{markdown(["SYN with", "parse, µs", "parse and find a route, µs"],
          [[_PACKETS[row["packet"]], f"{row['parse_us']:.3f} ± {row['parse_error_us']:.3f}",
            f"{row['answer_us']:.3f} ± {row['answer_error_us']:.3f}"] for row in costs])}

(Medians of the iterations; ± is the 95 % confidence interval of their mean, wide where another program ran meanwhile. *Not
apart*: two intervals overlap.)

![Fig. 9](multiflow-9.png)

{multiflow_testbed.section(folder)}
{claims(all_of(made))}
"""


def _claims(pruning: Rows, costs: Rows, shares: Rows) -> list[Claim]:
    path = {row["subflow"]: row["path"] for row in pruning}
    single = only(shares, setting="three TCP on one path")["share"]
    several = only(shares, setting="three MPTCP on three paths")["share"]
    first = [path[f"SF1.{number}"] for number in (1, 2, 3)]
    return [
        ("Fig. 4: SF1.1 takes 1-2-5", "yes", path["SF1.1"], path["SF1.1"] == "1-2-5"),
        ("Fig. 4: SF1.1, SF1.2 and SF1.3 on three paths", "yes", f"{len(set(first))} paths", len(set(first)) == 3),
        ("Fig. 4: no disjoint path for a fourth", "yes", path["SF1.4"], path["SF1.4"] == "none"),
        ("Fig. 4: SF2.1 starts from the full topology", "yes", path["SF2.1"], path["SF2.1"] == path["SF1.1"]),
        ("Fig. 8: three TCP connections on one link have 4.06 Mbit/s each", "4.06", f"{single:.2f} in fair shares", NOT_TESTED),
        ("Fig. 8: three with Multiflow have 4.67 Mbit/s each", "4.67", f"{several:.2f} in fair shares", NOT_TESTED),
        *_of_packets(costs),
    ]


def _of_packets(costs: Rows) -> list[Claim]:
    """Whether each kind of packet costs more than the one before, beyond the intervals of both."""
    kinds = list(_PACKETS)
    found: list[Claim] = []
    for column, what in (("parse", "parsing"), ("answer", "with finding a route")):
        for less, more in zip(kinds, kinds[1:]):
            micros, error = ([only(costs, packet=packet)[f"{column}_{unit}"] for packet in (less, more)]
                             for unit in ("us", "error_us"))
            found.append((f"Fig. 9: {_PACKETS[less]} < {_PACKETS[more]}, {what}", "yes",
                          f"{micros[0]:.2f} ± {error[0]:.2f} against {micros[1]:.2f} ± {error[1]:.2f} µs",
                          sign(micros[1] - micros[0], sum(error))))
    return found


def _draw(folder: Path, costs: Rows) -> None:
    plots.bars(folder / "multiflow-9.png", "Multiflow Fig. 9: cost of a SYN", "µs", list(_PACKETS.values()),
               [(label, None, [only(costs, packet=packet)[f"{column}_us"] for packet in _PACKETS],
                 [only(costs, packet=packet)[f"{column}_error_us"] for packet in _PACKETS])
                for label, column in (("parse", "parse"), ("parse and find a route", "answer"))])
