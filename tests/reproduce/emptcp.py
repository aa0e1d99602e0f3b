# SPDX-License-Identifier: Apache-2.0
"""Wang and Hamdi, "eMPTCP: Towards High Performance Multipath Data Transmission By Leveraging SDN": what arithmetic shows."""

from collections.abc import Sequence
from pathlib import Path

import emptcp_simulated
import emptcp_testbed
import windows
from tables import ARITHMETIC, KERNELS, SIMULATOR, Claim, Rows, all_of, claims, markdown, only, read, statuses

_PACKETS = "needs its network of 128 hosts: --simulator"
_ITEMS = {"Fig. 1": "the protocol stack", "Fig. 2": "", "Fig. 3": "needs hosts with the coupled algorithm",
          "Fig. 4": "the architecture", "Fig. 5": "", "Fig. 6": "a picture of two flows",
          "Fig. 7": _PACKETS, "Fig. 8": _PACKETS, "Fig. 9": _PACKETS}
_TIMES = (5.0, 50.0)
"""Round-trip times of Fig. 5 in ms: WiFi and 4G."""

_EXACT = ("max-min", "proportional")
"""The allocators that show what is possible; `smptcp` is a heuristic."""

_MARKED = (0.1, 0.25, 0.5, 0.75, 1.0)


def report(folder: Path) -> str:
    """Returns the section of the report."""
    paths, triangle = read(folder / "emptcp-paths.csv"), read(folder / "emptcp-triangle.csv")
    made = {ARITHMETIC: _claims(paths, triangle), KERNELS: emptcp_testbed.claims(folder),
            SIMULATOR: emptcp_simulated.claims(folder)}
    return f"""\
## eMPTCP: what arithmetic shows

{statuses(_ITEMS, made)}

**Fig. 2** Three links of 30 Mbit/s, and three flows with a path of one hop and one of two hops each. With a third of each link
for every subflow, as EWTCP shares them, a flow has 20 Mbit/s. Shares over both paths, of which the exact
ones show what is possible:

{markdown(["allocator", "a flow, Mbit/s"], [[f"`{row['allocator']}`", f"{row['flow_mbps']:.3f}"] for row in triangle])}

**Fig. 5** Paths of {_TIMES[0]:.0f} ms and {_TIMES[1]:.0f} ms. The weight α of the increase is {increase(_TIMES, 0):.3f} and
{increase(_TIMES, 1):.3f}, as published (20/11 and 2/11). The decrease is δ/2 with δ = f^τ, where f is the part of marked packets.
Section II has τ = r/mean(r). As f is below 1, that cuts the fast path more, against the paper's own claim; its reciprocal cuts
the slow path more:

{markdown(["f", "τ = r/mean(r): fast, slow", "τ = mean(r)/r: fast, slow"],
          [[f"{marked}", _cuts(marked, False), _cuts(marked, True)] for marked in _MARKED])}

Section III prints δ = f^τ/r with τ = 1/mean(r). That is not the same, depends on the unit of time, and does not halve the window
at f = 1, which the text says it does. Its summary sets w to the increase, where w + the increase is meant.

**The fat tree of the evaluation** Shortest paths between two servers. The paper has 16 "between any intra-pod node pairs".

{markdown(["servers", "paths"], [[row["servers"], f"{row['paths']:.0f}"] for row in paths])}

{windows.section(folder, "emptcp")}
{emptcp_testbed.section(folder)}
{emptcp_simulated.section(folder)}
{claims(all_of(made))}
"""


def increase(times: Sequence[float], path: int) -> float:
    """The weight α of the increase on a path, by the round-trip times of all paths (any unit)."""
    return len(times) / times[path] / sum(1 / time for time in times)


def cut(marked: float, times: Sequence[float], path: int, reciprocal: bool) -> float:
    """The part of its window that a path loses, δ/2, with τ = r/mean(r) or the reciprocal of that."""
    ratio = times[path] * len(times) / sum(times)
    return float(marked ** (1 / ratio if reciprocal else ratio)) / 2


def _cuts(marked: float, reciprocal: bool) -> str:
    return ", ".join(f"{100 * cut(marked, _TIMES, path, reciprocal):.0f} %" for path in (0, 1))


def _claims(paths: Rows, triangle: Rows) -> list[Claim]:
    fast, slow = (cut(0.5, _TIMES, path, False) for path in (0, 1))
    same_pod = only(paths, servers="same pod")["paths"]
    weights = increase(_TIMES, 0), increase(_TIMES, 1)
    return [
        *((f"Fig. 2: each flow can have 30 Mbit/s, `{row['allocator']}`", "30", f"{row['flow_mbps']:.3f}",
           abs(row["flow_mbps"] - 30) < 0.01) for row in triangle if row["allocator"] in _EXACT),
        ("Fig. 5: α of both paths", "1.818, 0.182", ", ".join(f"{weight:.3f}" for weight in weights),
         all(abs(weight - published / 11) < 1e-9 for weight, published in zip(weights, (20, 2)))),
        ("Fig. 5: marks cut the slow path more, τ as published, f = 0.5", "yes",
         f"{100 * fast:.0f} % fast, {100 * slow:.0f} % slow",
         slow > fast),
        ("simulation: 16 paths between servers of one pod", "16", f"{same_pod:.0f}", same_pod == 16),
    ]
