# SPDX-License-Identifier: Apache-2.0
"""When rules came into the switches, as the switches themselves report it.

Open vSwitch tells a monitor of each change of a flow table at once (``ovs-ofctl monitor``); its time stamps are the
machine's clock, to the millisecond.
"""

import re
import subprocess
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path

from .errors import LabError
from .hosts import address_and_port
from .processes import Process, end_group, run, wait_for

_STAMP = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}): ")
_CHANGE = re.compile(r" event=(ADDED|MODIFIED|DELETED) .*?tcp6?,(\S*) actions=(\S+)")
_LABEL_CHANGE = re.compile(r" event=(ADDED|MODIFIED|DELETED) \S.*?in_port=([^,\s]+),dl_dst=([0-9a-f:]{17}) actions=(\S+)")
_RULE = re.compile(r"[ ,]tcp6?,(\S*) actions=(\S+)")
_MAC = re.compile(r"dl_dst=([0-9a-f:]{17})")
_PRIORITY = re.compile(r"priority=(\d+)")
_NEVER = float("-inf")
_TO_CONTROLLER = "CONTROLLER"

Rule = tuple[str, int | str, str, str, int | str]
"""(switch, in port, source, destination, out port), ends as ``"ip:port"``."""

Changes = dict[tuple[int | str, str, str, int | str], tuple[float, bool]]
"""(in port, source, destination, out port) → (when it came or went last, whether it is there)."""

LabelChange = tuple[float, int | str, str, int | str | None]
"""(when, in port, destination MAC address, out port or None if the rule has gone)."""


class RuleWatch:
    """Watches the flow tables of switches as long as its body runs. A context manager.

    ``matching``: the rules to watch, any of these, as in ``tcp,tp_dst=80``; all rules unless given. Few rules are watched at
    little cost for the switch.
    """

    def __init__(self, folder: Path, switches: Iterable[str], matching: Sequence[str] = ()) -> None:
        self._folder = folder
        self._switches = list(switches)
        self._requests = [f"watch:!initial,{match}" for match in matching] or ["watch:!initial"]
        self._running: list[Process] = []

    def __enter__(self) -> "RuleWatch":
        self._folder.mkdir(exist_ok=True)
        try:
            for switch in self._switches:
                with open(self._log(switch), "wb") as out:
                    self._running.append(subprocess.Popen(
                        ["ovs-ofctl", "-O", "OpenFlow13", "--timestamp", "monitor", switch, *self._requests],
                        stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True))
            # The answer to the request: from then on nothing is missed.
            wait_for("Open vSwitch's flow monitors", lambda: all(self._log(s).stat().st_size for s in self._switches), 20)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running:
            end_group(process)
        self._running = []

    def installed(self, rules: Collection[Rule], since: float) -> float | None:
        """When the last of ``rules`` came into its switch, in seconds of ``time.time()``; None if none did.

        ``rules``: each (switch, in port, source, destination, out port), ends as ``"ip:port"``; ``since``: what came before
        does not count. LabError if one of them was removed and is missing, so that there is no such moment.
        """
        return max(self.times(rules, since).values(), default=None)

    def times(self, rules: Collection[Rule], since: float) -> dict[Rule, float]:
        """When each of ``rules`` came into its switch, as ``installed`` has it; without those that were there before."""
        times = {}
        for switch in {rule[0] for rule in rules}:
            changes = last_changes(self._log(switch).read_text(errors="replace"))
            for rule in (rule for rule in rules if rule[0] == switch):
                when, there = changes.get(rule[1:], (_NEVER, True))
                if not there:
                    raise LabError(f"rule {rule} has gone again")
                if when >= since:
                    times[rule] = when
        return times

    def told(self) -> int:
        """How much the switches have told so far: it grows with each change of a rule."""
        return sum(self._log(switch).stat().st_size for switch in self._switches)

    def way(self, source: str, destination: str) -> dict[str, float]:
        """The switches that have got a rule for packets between these ends (``"ip:port"``) and still have it, with the time
        (``time.time()``) at which it came."""
        found = {}
        for switch in self._switches:
            changes = last_changes(self._log(switch).read_text(errors="replace"))
            times = [when for (_, *ends, _), (when, there) in changes.items() if there and ends == [source, destination]]
            if times:
                found[switch] = max(times)
        return found

    def label_changes(self, switch: str, since: float) -> list[LabelChange]:
        """The changes of rules that match an input port and a destination MAC address and nothing else, since a time; oldest
        first."""
        return [change for change in label_changes(self._log(switch).read_text(errors="replace")) if change[0] >= since]

    def change(self, rule: Rule) -> tuple[float, bool] | None:
        """(when, whether it is there) of the last change of a rule, as ``installed`` has it; None if there was none."""
        return last_changes(self._log(rule[0]).read_text(errors="replace")).get(rule[1:])

    def _log(self, switch: str) -> Path:
        return self._folder / f"{switch}.rules"


def last_changes(text: str) -> Changes:
    """(in port, source, destination, out port) → (when it came or went last, whether it is there), from a monitor's output.

    A rule whose output was changed has gone with the old output and come with the new one. Where rules differ by the destination
    MAC address or the priority only, one has gone when the last of them has: a switch that is told to modify a rule, as a stock
    ONOS tells it, modifies a plain one with the same match, too. Rules to the controller do not count: the wake rule of a
    connection matches the same packets as its rule for a path, and goes after that has come.
    """
    changes: Changes = {}
    outputs: dict[tuple[tuple[int | str, str, str], str | None, str | None], int | str] = {}
    for when, line in _stamped(text):
        change = _CHANGE.search(line)
        key = _exact(change[2]) if change else None
        if not change or not key or change[3].startswith(_TO_CONTROLLER):
            continue
        mac, priority = _MAC.search(change[2]), _PRIORITY.search(line)
        rule = (key, mac[1] if mac else None, priority[1] if priority else None)
        output = _port(change[3].split(":")[-1])
        gone = {outputs.pop(rule, output), output}
        if change[1] != "DELETED":
            outputs[rule] = output
            changes[(*key, output)] = (when, True)
        for out in gone - {out for (of, _, _), out in outputs.items() if of == key}:
            changes[(*key, out)] = (when, False)
    return changes


def label_changes(text: str) -> list[LabelChange]:
    """The changes of rules that match an input port and a destination MAC address and nothing else, from a monitor's output."""
    found: list[LabelChange] = []
    for when, line in _stamped(text):
        change = _LABEL_CHANGE.search(line)
        if change:
            output = None if change[1] == "DELETED" else _port(change[4].split(":")[-1])
            found.append((when, _port(change[2]), change[3], output))
    return found


def _stamped(text: str) -> Iterator[tuple[float, str]]:
    """The lines of a monitor's output, each with the time (``time.time()``) of the message that it belongs to."""
    when = _NEVER
    for line in text.splitlines():
        stamp = _STAMP.match(line)
        if stamp:
            when = datetime.strptime(stamp[1], "%Y-%m-%d %H:%M:%S.%f").replace(tzinfo=timezone.utc).timestamp()
        yield when, line


def present(switch: str) -> set[Rule]:
    """The exact TCP rules that are in a switch now."""
    rules: set[Rule] = set()
    for line in run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], f"reading {switch}'s rules").splitlines():
        rule = _RULE.search(line)
        key = _exact(rule[1]) if rule else None
        if rule and key:
            rules.add((switch, *key, _port(rule[2].split(":")[-1])))
    return rules


def _exact(match: str) -> tuple[int | str, str, str] | None:
    """(in port, source, destination) that a match of TCP asks for; None if it leaves one of them open."""
    fields = dict(part.split("=", 1) for part in match.split(",") if "=" in part)
    ends = [(fields.get(f"{kind}_src"), fields.get(f"{kind}_dst")) for kind in ("nw", "ipv6")]
    source, destination = next((pair for pair in ends if all(pair)), (None, None))
    if source is None or destination is None or not {"tp_src", "tp_dst", "in_port"} <= fields.keys():
        return None
    return (_port(fields["in_port"]), address_and_port(source, fields["tp_src"]),
            address_and_port(destination, fields["tp_dst"]))


def _port(text: str) -> int | str:
    return int(text.strip('"')) if text.strip('"').isdigit() else text
