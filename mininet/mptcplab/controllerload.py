# SPDX-License-Identifier: Apache-2.0
"""``./lab bench controller``: what connections cost a real ONOS with our application, beside a farm of switches that do not
forward."""

import argparse
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from . import controllertable, farm, files, flamegraph, provenance
from .controllertable import Figures
from .errors import LabError
from .farm import Farm
from .javaprocess import COMPILERS, JavaProcess, grown
from .onos import APPLICATION, STOCK_JAVA, Onos, Place
from .processes import wait_for
from .rest import Json
from .settings import progress
from .testbed import Controller

MOST_RATE, MOST_ALIVE = 20_000, 50_000
_HEAP = "4g"
_BYTES_PER_SECOND = 12_500
"""Of each subflow: 100 kbit/s."""
_WARM_SECONDS, _SHORT_SECONDS, _STEADY_SECONDS = 20, 20, 20
_SHORT_MILLIS = 50
"""How long a short connection lives: it ends before it is probed."""
_AFTER_SECONDS = 4
"""In which the controller ends what it has begun."""
_SETTLE_SECONDS = 15
"""In which the controller learns what new connections demand."""
_MOST_CANDIDATES = 16_000
"""The application remembers a few more."""
_OPEN_SECONDS, _RULES_SECONDS = 60, 120
_FAILURES = 3
_REPAIR_SECONDS = 30
_NEVER = {"manageAfterMillis": 3_600_000, "manageAfterBytes": 1_000_000_000}
_ALWAYS = {"manageAfterMillis": 0, "mostConnections": 100_000, "mostConnectionsPerHost": 100_000}


def run(options: argparse.Namespace) -> int:
    """Inside the namespace: measures, prints the table, and writes JSON to ``options.json``. Returns the exit status."""
    watch = provenance.Watch()
    with Controller(place=Place(heap=_HEAP, java=STOCK_JAVA)) as controller:
        log = controller.folder / "farm.out"
        with Farm(options.switches, options.subflows, _BYTES_PER_SECOND, options.confirm, log) as switches:
            bench = Bench(controller, switches, options)
            figures = bench.measure()
        figures["run"] = {**provenance.about(f"./lab bench controller --switches {options.switches} --rate {options.rate} "
                                             f"--alive {options.alive} --subflows {options.subflows} "
                                             f"--confirm {options.confirm:g}", 1),
                          "onos": controller.onos.version(), **watch.told()}
    print(controllertable.text(figures), flush=True)
    if options.json:
        files.write(Path(options.json), json.dumps(controllertable.entries(figures), indent=2) + "\n")
    if options.plot:
        files.write(Path(options.plot), flamegraph.svg(f"Connections that begin: {figures['run']['command']}", bench.stacks))
    return 0


def join(onos: Onos, switches: Farm) -> Json:
    """Waits until ONOS sees all that a farm has, and the application gets copies of segments; returns what there is."""
    begun = time.monotonic()
    first = switches.state()
    patience = 60 + first["switches"] / 4
    wait_for(f"{first['switches']} switches of the farm in ONOS",
             lambda: switches.state()["mastered"] == first["switches"], patience)
    wait_for(f"{first['links']} links of the farm in ONOS", lambda: links(onos) == 2 * first["links"], patience, every=1)

    def all_hosts() -> bool:
        switches.ask("hosts")
        return len(onos.rest.get("/hosts")["hosts"]) == first["hosts"]
    wait_for(f"{first['hosts']} hosts of the farm in ONOS", all_hosts, patience, every=2)
    wait_for(f"copies of segments at {first['hosts']} ports", lambda: switches.state()["copying"] == first["hosts"], patience)
    wait_for("as many switches that copy for the application",
             lambda: onos.counters()["switches.copying"] == first["switches"], patience)
    return {**{key: first[key] for key in ("switches", "links", "hosts")}, "seconds": round(time.monotonic() - begun, 1)}


def links(onos: Onos) -> int:
    """How many ONOS knows, each direction counted."""
    return len(onos.rest.get("/links")["links"])


class Bench:
    """The measurements, one after the other."""

    def __init__(self, controller: Controller, switches: Farm, options: argparse.Namespace) -> None:
        self._onos = controller.onos
        self._java = JavaProcess(controller.onos.pid())
        self._farm = switches
        self._options = options
        self._recording = controller.onos.folder / "bench.jfr"
        self.stacks: dict[str, int] = {}
        """Of the connections that begin, with `measure`."""

    def measure(self) -> Figures:
        """All of it."""
        figures: Figures = {"switches": join(self._onos, self._farm), "subflows": self._options.subflows}
        rate = self._options.rate
        progress("warms up")
        self._farm.ask(f"short {rate * _WARM_SECONDS} {rate} {_SHORT_MILLIS}", _WARM_SECONDS + 60)
        progress("without connections")
        figures["idle"] = self._idle()
        progress(f"short connections, {self._options.rate} a second")
        figures["short"] = self._short(figures["idle"])
        progress("connections without paths")
        figures["candidates"] = self._candidates()
        progress(f"{self._options.alive} connections with paths")
        figures["managed"] = self._managed(figures["idle"])
        figures["failures"] = [self._failure() for _ in range(_FAILURES)]
        return figures

    def _idle(self) -> Json:
        self._pass(_AFTER_SECONDS)
        with self._measured(0) as found:
            self._pass(_STEADY_SECONDS)
        return {**found, "part": found["more"] / found["seconds"], "ownPart": self._own_seconds(found) / found["seconds"]}

    def _short(self, idle: Json) -> Json:
        rate = self._options.rate
        before = self._farm.state()
        with self._measured(idle["part"]) as found:
            begun = time.monotonic()
            self._farm.ask(f"short {rate * _SHORT_SECONDS} {rate} {_SHORT_MILLIS}", _SHORT_SECONDS + 60)
            lasted = time.monotonic() - begun
            self._pass(_AFTER_SECONDS)
        after = self._farm.state()
        count = rate * _SHORT_SECONDS
        return {"count": count, "perSecond": round(count / lasted, 1), "seen": self._seen(before, after),
                **{key: after[key] - before[key] for key in ("packets", "droppedPackets")},
                "worstLagMillis": after["worstLagMillis"], **self._each(found, count, idle)}

    @staticmethod
    def _seen(before: Json, after: Json) -> float:
        """The part of all segments with SYN or FIN that switches have copied."""
        unseen, seen = (after[key] - before[key] for key in ("unseen", "copied"))
        return round(seen / max(1, seen + unseen), 4)

    def _candidates(self) -> Json:
        """Heap of connections that are only remembered."""
        count = min(self._options.alive, _MOST_CANDIDATES)
        self._onos.configure(**_NEVER)
        before = self._java.live_bytes(APPLICATION)
        self._open(count)
        self._pass(_AFTER_SECONDS)
        heap = self._heap(before, count)
        self._close()
        return {"count": count, **heap}

    def _heap(self, before: tuple[int, int], count: int) -> Json:
        """What each of so many connections has on the heap, and how much of it is objects of the application's classes."""
        each, ours = ((now - earlier) / count for now, earlier in zip(self._java.live_bytes(APPLICATION), before))
        return {"bytesEach": each, "ourBytesEach": ours}

    def _managed(self, idle: Json) -> Json:
        alive = self._options.alive
        self._onos.configure(**_ALWAYS)
        before = self._java.live_bytes(APPLICATION)
        self._farm.ask("setups")
        with self._measured(idle["part"], keeps_stacks=True) as opening:
            self._open(alive)
            state = self._wait_for_rules()
            # What the controller does at leisure, as moves to better paths, belongs to those that live.
        figures = {"opened": self._each(opening, alive, idle), "setups": self._farm.ask("setups"), "subflows": state["subflows"],
                   "ruled": state["ruled"], "rules": state["rules"]}
        self._pass(_SETTLE_SECONDS)
        figures.update(self._heap(before, alive))
        with self._measured(idle["part"]) as steady:
            self._pass(_STEADY_SECONDS)
        known = self._onos.rest.get("/mptcp/connections")["connections"]
        figures["managed"] = sum(1 for one in known if one["state"] == "active")
        figures["steady"] = {**steady, "partEach": steady["more"] / _STEADY_SECONDS / alive}
        return {"count": alive, **figures}

    def _wait_for_rules(self) -> Json:
        """Waits for rules for all subflows. LabError if none have come for a long time, and how many there are."""
        def settled() -> Json | None:
            state = self._farm.state()
            return state if state["ruled"] == state["subflows"] else None
        try:
            return wait_for("rules for all subflows", settled, _RULES_SECONDS, every=0.5)
        except LabError:
            state = self._farm.state()
            if state["ruled"] < state["subflows"] / 2:
                raise LabError(f"only {state['ruled']} of {state['subflows']} subflows have rules after {_RULES_SECONDS} s: a "
                               "switch hangs, or the machine is too slow for so many connections; try fewer") from None
            return state

    def _failure(self) -> Json:
        """The busiest link goes down, and comes back."""
        found = self._farm.ask(f"fail {_REPAIR_SECONDS * 1000}", _REPAIR_SECONDS + 30)
        progress(f"{found['link']} down, {found['affected']} directions of subflows on it: {found['repaired']} have other "
                 f"paths after {found['worstMillis'] or 0:.0f} ms")
        left = links(self._onos)
        self._farm.ask("restore")
        wait_for("the link in ONOS again", lambda: links(self._onos) == left + 2, 60)
        self._pass(_AFTER_SECONDS)
        return found

    def _open(self, count: int) -> None:
        rate = max(50.0, count / _OPEN_SECONDS)
        self._farm.ask(f"open {count} {rate:g}", _OPEN_SECONDS + count / rate + 60)

    def _close(self) -> None:
        alive = self._farm.state()["alive"]
        self._farm.ask(f"close {max(500, alive / 10):g}", 120)
        self._pass(_AFTER_SECONDS)

    @contextmanager
    def _measured(self, idle: float, keeps_stacks: bool = False) -> Iterator[Json]:
        """While its body runs, takes processor time and samples; they are in the object afterwards. ``more`` is what there was
        beyond the time without connections and that of Java's compilers, which end their work some minutes after a start."""
        found: Json = {}
        threads, begun, used = self._java.threads(), time.monotonic(), self._java.seconds()
        with self._java.recording(self._recording):
            yield found
            lasted, took = time.monotonic() - begun, self._java.seconds() - used
        more = grown(threads, self._java.threads())
        compilers = sum(seconds for name, seconds in more.items() if name in COMPILERS)
        found.update(seconds=lasted, processorSeconds=took, compilerSeconds=compilers,
                     more=max(0.0, took - compilers - idle * lasted), profile=farm.profile(self._recording),
                     threads={name: round(seconds, 2) for name, seconds in list(more.items())[:12]})
        if keeps_stacks:
            self.stacks = farm.stacks(self._recording)
        self._recording.unlink()

    @staticmethod
    def _own_seconds(found: Json) -> float:
        """Processor time of the application's own code, by the samples."""
        profile = found["profile"]
        part = profile["owners"]["application"] / max(1, profile["samples"])
        return float((found["processorSeconds"] - found["compilerSeconds"]) * part)

    @classmethod
    def _each(cls, found: Json, count: int, idle: Json) -> Json:
        """What each of so many connections took, milliseconds, beyond the time without any: in all, and in the application's
        code."""
        own = max(0.0, cls._own_seconds(found) - idle["ownPart"] * found["seconds"])
        return {**found, "millisEach": 1000 * found["more"] / count, "oursMillisEach": 1000 * own / count}

    @staticmethod
    def _pass(seconds: float) -> None:
        end = time.monotonic() + seconds
        wait_for("the end of a measurement", lambda: time.monotonic() >= end, seconds + 5)
