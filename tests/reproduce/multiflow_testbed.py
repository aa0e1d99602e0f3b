# SPDX-License-Identifier: Apache-2.0
"""Multiflow on the testbed: Fig. 6, 8 and 10 with real transfers."""

from pathlib import Path

import plots
import runs
import testbed
from tables import Claim, Rows, markdown, mean, select, verdict

_THROUGHPUT, _SHARING, _SETUP, _FOURTH = (f"multiflow/{name}" for name in ("throughput", "sharing", "setup", "fourth"))
_LARGE, _LARGE_MB = "-100", 100
"""Ends the names of the experiments with files of 100 MB."""
_PATHS = 3
_PUBLISHED_GAIN = 4.67 / 4.06 - 1
_ONE, _SEVERAL = "shortest", "multiflow"
_WAYS = {"proactive": "the forwarder's rules, there before (as the paper's STP)", "multiflow": "Multiflow",
         "agents": "paths that a host agent has asked for before"}


def claims(folder: Path) -> list[Claim]:
    """What the transfers say of the paper's claims; nothing without them."""
    return [*_of_throughput(testbed.rows(folder, _THROUGHPUT)), *_of_large(folder), *_of_sharing(testbed.rows(folder, _SHARING)),
            *_of_setup(testbed.rows(folder, _SETUP)), *_of_fourth(testbed.rows(folder, _FOURTH))]


def section(folder: Path) -> str:
    """The tables, as far as they were measured; draws their figures."""
    parts = [(testbed.rows(folder, name), write) for name, write in (
        (_THROUGHPUT, _throughput), (_FOURTH, _fourth), (_SHARING, _sharing), (_SETUP, _setup))]
    if not any(rows for rows, _ in parts):
        return "**Fig. 6, 8, 10 with transfers** Not measured: that needs the testbed (`./lab reproduce multiflow --testbed`).\n"
    return "\n".join(write(folder, rows) for rows, write in parts if rows)


def rates(rows: Rows, **wanted: str | float) -> list[float]:
    """Mbit/s of each transfer with these values."""
    return [row["mbps"] for row in select(rows, **wanted)]


def totals(rows: Rows, **wanted: str | float) -> list[float]:
    """Mean of the peers of each run, Mbit/s."""
    found = select(rows, **wanted)
    return [mean(rates(found, run=number)) for number in dict.fromkeys(row["run"] for row in found)]


def _of_throughput(rows: Rows) -> list[Claim]:
    if not rows:
        return []

    def of(strategy: str, asked: int, megabytes: int = 10) -> list[float]:
        return rates(rows, strategy=strategy, asked=asked, megabytes=megabytes)
    one, several, small, small_one = of(_ONE, 3), of(_SEVERAL, 3), of(_SEVERAL, 3, 1), of(_ONE, 3, 1)
    many = [asked for asked in _asked(rows) if asked > 3]
    times = [[1 + change for change in runs.changes(ours, others)] for ours, others in ((small, small_one), (several, one))]
    found: list[Claim] = [
        ("Fig. 6: 10 MB get more with Multiflow than on one path", "yes", runs.against(several, one) + " Mbit/s",
         runs.is_more(several, one)),
        ("Fig. 6: 1 MB gains less (the text names 10 and 100 MB only)", "yes",
         f"{runs.text(times[0], 1)} times, 10 MB {runs.text(times[1], 1)} times", runs.is_more(times[1], times[0]))]
    found += [(f"Fig. 6: {asked:.0f} subflows over one path have no more than 3, {size} MB", "yes",
               runs.against(these, few) + " Mbit/s", runs.is_not_more(these, few))
              for size, few in ((1, small_one), (10, one)) for asked in many if (these := of(_ONE, asked, size))]
    found += [(f"Fig. 6: {asked:.0f} subflows with Multiflow have no more than 3, 10 MB", "yes",
               runs.against(of(_SEVERAL, asked), several) + " Mbit/s", runs.is_not_more(of(_SEVERAL, asked), several))
              for asked in many]
    if many:
        found.append((f"Fig. 6: {many[-1]:.0f} subflows with Multiflow have less than 3, 10 MB", "yes",
                      runs.against(of(_SEVERAL, many[-1]), several) + " Mbit/s", runs.is_more(several, of(_SEVERAL, many[-1]))))
    return found


def _of_large(folder: Path) -> list[Claim]:
    """Files of 100 MB are sent once, so that there is no interval and no claim comes out."""
    files, peers = testbed.rows(folder, _THROUGHPUT + _LARGE), testbed.rows(folder, _SHARING + _LARGE)
    found: list[Claim] = []
    if files:
        one, several = (rates(files, strategy=strategy) for strategy in (_ONE, _SEVERAL))
        found.append(("Fig. 6: 100 MB get more with Multiflow than on one path (one run)", "yes",
                      runs.against(several, one) + " Mbit/s", runs.is_more(several, one)))
    if peers:
        tcp, ours = (totals(peers, protocol=protocol) for protocol in ("tcp", "mptcp"))
        found.append(("Fig. 8: a peer has more with Multiflow than with TCP on one path, 100 MB (one run)",
                      f"4.67 against 4.06, +{100 * _PUBLISHED_GAIN:.0f} %", runs.against(ours, tcp) + " Mbit/s",
                      runs.is_more(ours, tcp)))
        found += [(f"Fig. 8: a peer has {published} Mbit/s with {label}, 100 MB (one run)", f"{published}", runs.text(these),
                   runs.is_close(published, these))
                  for label, published, these in (("TCP", 4.06, tcp), ("Multiflow", 4.67, ours))]
    return found


def _asked(rows: Rows) -> list[int]:
    return list(dict.fromkeys(int(row["asked"]) for row in rows))


def _of_sharing(rows: Rows) -> list[Claim]:
    if not rows:
        return []
    (tcp, ours), (small_tcp, small) = ((totals(rows, protocol="tcp", megabytes=size),
                                        totals(rows, protocol="mptcp", megabytes=size)) for size in (10, 1))
    gain = mean(ours) / mean(tcp) - 1
    return [("Fig. 8: a peer has more with Multiflow than with TCP on one path, 10 MB (there 100)",
             f"4.67 against 4.06, +{100 * _PUBLISHED_GAIN:.0f} %", runs.against(ours, tcp) + " Mbit/s",
             verdict(_PUBLISHED_GAIN, gain) if runs.is_more(ours, tcp) != "not apart" else "not apart"),
            ("Fig. 8: 1 MB does not gain", "yes", runs.against(small, small_tcp) + " Mbit/s", runs.is_not_more(small, small_tcp))]


def _of_setup(rows: Rows) -> list[Claim]:
    if not rows:
        return []
    ours, before = ([row["millis"] for row in select(rows, way=way)] for way in ("multiflow", "proactive"))
    return [("Fig. 10: a JOIN takes longer with Multiflow than by routes that are there", "yes",
             runs.against(ours, before) + " ms", runs.is_more(ours, before))]


def _of_fourth(rows: Rows) -> list[Claim]:
    blocked, shared = select(rows, policy="block"), select(rows, policy="share")
    if not blocked:
        return []
    return [("conclusion: a fourth subflow is blocked, `block`", "3 subflows", runs.text([row["came"] for row in blocked], 1),
             all(row["came"] == _PATHS for row in blocked)),
            ("Section III: a fourth subflow takes one of the paths again, `share`", "yes", shared[0]["paths"],
             all(len(set(row["paths"].split())) == _PATHS < len(row["paths"].split()) for row in shared))]


def _throughput(folder: Path, rows: Rows) -> str:
    cells = [(strategy, megabytes, label) for strategy, label in ((_ONE, "one path"), (_SEVERAL, "Multiflow"))
             for megabytes in (1, 10)]
    table = [[f"{asked}", *(runs.text(rates(rows, strategy=strategy, asked=asked, megabytes=megabytes))
                            for strategy, megabytes, _ in cells),
              f"{mean(row['subflows'] for row in select(rows, asked=asked, strategy=_SEVERAL, megabytes=10)):.0f}"]
             for asked in _asked(rows)]
    plots.bars(folder / "multiflow-6.png", "Multiflow Fig. 6: a file beside 7 Mbit/s of UDP on one path", "Mbit/s",
               [f"{asked} subflows" for asked in _asked(rows)],
               [(f"{megabytes} MB, {label}", None,
                 [mean(found) if (found := rates(rows, strategy=strategy, asked=asked, megabytes=megabytes)) else 0.0
                  for asked in _asked(rows)], None) for strategy, megabytes, label in cells])
    return f"""\
**Fig. 6 with transfers** One MPTCP connection sends a file over so many subflows. There are three paths with links of 10 Mbit/s,
one of them with 7 Mbit/s of UDP. All subflows take that path, or Multiflow spreads them over all three. Payload in Mbit/s. A
kernel's own path manager opens nine subflows at most, so a program opens them, between one pair of addresses. Hosts run Reno
over each subflow; the paper does not name its congestion control.

{markdown(["subflows", *(f"{megabytes} MB, {label}" for _, megabytes, label in cells), "subflows that came"], table)}

{_large_files(folder)}

![Fig. 6](multiflow-6.png)

{testbed.told(folder, _THROUGHPUT)}
"""


def _large_files(folder: Path) -> str:
    rows = testbed.rows(folder, _THROUGHPUT + _LARGE)
    if not rows:
        return "Files of 100 MB take five minutes on one path, and were not sent (`--testbed --long`)."
    one, several = (runs.text(rates(rows, strategy=strategy)) for strategy in (_ONE, _SEVERAL))
    return (f"A file of 100 MB over three subflows, once: {one} Mbit/s on one path, {several} with Multiflow. "
            f"{testbed.told(folder, _THROUGHPUT + _LARGE)}")


def _fourth(folder: Path, rows: Rows) -> str:
    table = []
    for policy in dict.fromkeys(row["policy"] for row in rows):
        these = select(rows, policy=policy)
        table.append([f"`{policy}`", "; ".join(dict.fromkeys(row["paths"] for row in these)),
                      runs.text([row["came"] for row in these], 1), runs.text([row["mbps"] for row in these])])
    return f"""\
**The fourth subflow with transfers** The paper's text puts it on a shortest path again, on the whole topology, and its
conclusion blocks it. The JOIN policy `share` gives it the path that has least in common with the others; `block` drops it. A
file of 10 MB, no UDP.

{markdown(["JOIN policy", "paths of the subflows", "subflows that came", "Mbit/s"], table)}

{testbed.told(folder, _FOURTH)}
"""


def _sharing(folder: Path, small: Rows) -> str:
    rows = small + testbed.rows(folder, _SHARING + _LARGE)
    labels = {"tcp": "TCP, one path", "mptcp": "MPTCP with Multiflow"}
    sizes = sorted({row["megabytes"] for row in rows})
    found = {(protocol, size): totals(rows, protocol=protocol, megabytes=size) for protocol in labels for size in sizes}
    plots.bars(folder / "multiflow-8.png", "Multiflow Fig. 8: three peers at once, mean of a peer", "Mbit/s",
               [f"{size:.0f} MB" for size in sizes],
               [(label, None, [mean(found[protocol, size]) for size in sizes], None) for protocol, label in labels.items()])
    return f"""\
**Fig. 8 with transfers** Three peers send a file each at once. Payload of a peer in Mbit/s, the mean of the three.{_once(rows)}

{markdown(["", *labels.values()], [[f"{size:.0f} MB", *(runs.text(found[protocol, size]) for protocol in labels)]
                                   for size in sizes])}

![Fig. 8](multiflow-8.png)

{" ".join(filter(None, (testbed.told(folder, name) for name in (_SHARING, _SHARING + _LARGE))))}
"""


def _once(rows: Rows) -> str:
    return " 100 MB were sent once." if select(rows, megabytes=_LARGE_MB) else ""


def _setup(folder: Path, rows: Rows) -> str:
    found = {way: sorted(row["millis"] for row in select(rows, way=way)) for way in _WAYS}
    return f"""\
**Fig. 10 with transfers** From a SYN with MP_JOIN to its SYN/ACK, at the client, on links that are else idle. The figures of the
paper are in its picture only.

{markdown(["JOINs go by", "mean, ms", "median, ms", "JOINs"],
          [[label, runs.text(found[way]), f"{found[way][len(found[way]) // 2]:.2f}", f"{len(found[way])}"]
           for way, label in _WAYS.items() if found[way]])}

{testbed.told(folder, _SETUP)}
"""
