# SPDX-License-Identifier: Apache-2.0
"""What ``./lab bench controller`` has measured, as a table for people and as entries of the contract's JSON."""

from typing import Any

from . import provenance
from .rest import Json

Figures = dict[str, Any]
"""Name of a measurement → what it found, as ``controllerload.Bench`` has it."""

SHORT_MILLIS, ALIVE_MICROS, REPAIR_MILLIS, CANDIDATE_BYTES, MANAGED_BYTES = 0.1, 10.0, 500.0, 1000.0, 10_000.0
"""Aims: the application's own part of a short connection; processor time of a living one in a second (10,000 take a tenth of a
core); a failed link; heap of a connection without paths, and of one with."""

_MOST_THREADS, _MOST_METHODS = 8, 10
_OWNERS = (("application", "application"), ("southbound", "embedded southbound"), ("onos", "ONOS"),
           ("other", "Java and libraries alone"))


def text(figures: Figures) -> str:
    """The table, and where the time went."""
    lines = [f" {words:<66}{value:>12}".rstrip() for words, value in _rows(figures)]
    for title, part in (("short connections", figures["short"]), ("connections that begin", figures["managed"]["opened"]),
                        ("connections alive", figures["managed"]["steady"])):
        lines += [f" {title}: where {part['processorSeconds']:.1f} s of processor time went, {part['compilerSeconds']:.1f} of "
                  "them in Java's compilers", *_profile(part)]
    told = figures["run"]
    return "\n".join(["", *lines, "", provenance.machine(told), ""])


def _rows(figures: Figures) -> list[tuple[str, str]]:
    short, candidates, managed = figures["short"], figures["candidates"], figures["managed"]
    seen, steady = figures["switches"], managed["steady"]
    rows = [(f"{seen['switches']} switches, {seen['links']} links, {seen['hosts']} hosts", ""),
            ("  ONOS sees them and copies come after, s", f"{seen['seconds']:.1f}"),
            ("  ONOS takes without connections, % of a core, compilers apart", f"{100 * figures['idle']['part']:.1f}"),
            (f"{short['count']} short connections of {figures['subflows']} subflows, {short['perSecond']:.0f} a second", ""),
            ("  ONOS takes for each, ms", f"{short['millisEach']:.3f}"),
            (f"  of that the application's own code, ms (aim {SHORT_MILLIS:g})", f"{short['oursMillisEach']:.3f}"),
            ("  packet-ins, of these dropped as ONOS did not read them", f"{short['packets']}, {short['droppedPackets']}"),
            ("  part of their segments that switches copied", f"{short['seen']:.3f}"),
            (f"{candidates['count']} connections without paths", ""),
            (f"  heap of each, bytes (aim {CANDIDATE_BYTES:.0f})", f"{candidates['bytesEach']:.0f}"),
            ("  of that objects of the application's classes alone", f"{candidates['ourBytesEach']:.0f}"),
            (f"{managed['count']} connections that get paths, {managed['managed']} of them active", ""),
            ("  ONOS takes for each, ms", f"{managed['opened']['millisEach']:.3f}"),
            ("  of that the application's own code, ms", f"{managed['opened']['oursMillisEach']:.3f}"),
            ("  subflows, and those with rules for both directions", f"{managed['subflows']}, {managed['ruled']}"),
            ("  SYN to rules for both directions, median and 99 %, ms", _pair(managed["setups"])),
            (f"  heap of each with ONOS's rules, bytes (aim {MANAGED_BYTES:.0f})", f"{managed['bytesEach']:.0f}"),
            ("  of that objects of the application's classes alone", f"{managed['ourBytesEach']:.0f}"),
            ("  rules in all switches", f"{managed['rules']}"),
            (f"  ONOS takes for each while it lives, µs a second (aim {ALIVE_MICROS:g})", f"{1e6 * steady['partEach']:.1f}"),
            ("  all of them, % of a core", f"{100 * steady['more'] / steady['seconds']:.1f}")]
    for number, failure in enumerate(figures["failures"], 1):
        rows += [(f"failure {number}: {failure['link']}, {failure['affected']} of {failure['directions']} directions of "
                  "subflows", ""),
                 ("  led around it, median and last, ms", f"{_cell(failure['p50Millis'])}, {_cell(failure['worstMillis'])}"),
                 ("  without a path at the end", f"{failure['affected'] - failure['repaired']}"),
                 ("  flow-mods, and the last after, ms", f"{failure['flowMods']}, {_cell(failure['lastFlowModMillis'])}")]
    return rows


def _profile(part: Json) -> list[str]:
    profile = part["profile"]
    samples = max(1, profile["samples"])
    owners = ", ".join(f"{words} {100 * profile['owners'][key] / samples:.0f} %" for key, words in _OWNERS)
    lines = [f"   whose code, of {profile['samples']} samples: {owners}; ONOS's called by the application "
             f"{100 * profile['called'] / samples:.0f} %", "   threads, s: "
             + ", ".join(f"{name} {seconds:.1f}" for name, seconds in list(part["threads"].items())[:_MOST_THREADS])]
    return [*lines, *(f"   {100 * count / samples:5.1f} %  {method}"
                      for method, count in list(profile["methods"].items())[:_MOST_METHODS])]


def _pair(quantiles: Json) -> str:
    return f"{_cell(quantiles['p50Millis'])}, {_cell(quantiles['p99Millis'])}"


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def entries(figures: Figures) -> list[Json]:
    """The contract's list: the peer is the aim, so a ratio above 1 is better than that. Each has ``run``, by which it can be
    repeated; the first one ``figures``, all that was measured."""
    short, managed, failures = figures["short"], figures["managed"], figures["failures"]
    found: list[tuple[str, str, float | None, float | None]] = [
        ("short", "ms", short["millisEach"], None), ("short-own", "ms", short["oursMillisEach"], SHORT_MILLIS),
        ("begin", "ms", managed["opened"]["millisEach"], None), ("begin-own", "ms", managed["opened"]["oursMillisEach"], None),
        ("alive", "us/s", 1e6 * managed["steady"]["partEach"], ALIVE_MICROS),
        ("setup-p50", "ms", managed["setups"]["p50Millis"], None), ("setup-p99", "ms", managed["setups"]["p99Millis"], None),
        ("repair-first", "ms", failures[0]["worstMillis"], REPAIR_MILLIS),
        ("repair-last", "ms", failures[-1]["worstMillis"], REPAIR_MILLIS),
        ("heap-candidate", "B", figures["candidates"]["bytesEach"], CANDIDATE_BYTES),
        ("heap-managed", "B", managed["bytesEach"], MANAGED_BYTES)]
    listed: list[Json] = [{"name": f"controller-{name}", "unit": unit, "ours": _rounded(ours), "peer": "aim" if aim else None,
               "peerScore": aim, "ratio": _rounded(aim / ours) if aim and ours else None, "run": figures["run"]}
              for name, unit, ours, aim in found]
    listed[0]["figures"] = {name: value for name, value in figures.items() if name != "run"}
    return listed


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")
