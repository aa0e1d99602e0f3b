# SPDX-License-Identifier: Apache-2.0
"""The experiments of ``./lab reproduce --testbed``, as far as they need no testbed."""

import csv
import socket
import struct

import pytest

from mptcpagent.pathmanager import Event, NotYet, What
from mptcpagent.errors import AgentError
from mptcpagent.subflow import parse, ports
from mptcplab.errors import LabError

pytest.importorskip("mininet")

from mptcplab.trials import bed, joinwatch, measure, opener, sheu

JOIN = bytes([30, 12, 0x10, 1]) + bytes(8)
CAPABLE = bytes([30, 4, 0x01, 1])
PORT = 5600
ENDS = parse("10.0.0.1:40000", f"10.0.0.2:{PORT}")


def segment(flags, options, version=4, protocol=socket.IPPROTO_TCP):
    options += b"\1" * (-len(options) % 4)
    tcp = struct.pack(">HHIIBBHHH", 1000, 2000, 0, 0, (20 + len(options)) // 4 << 4, flags, 0, 0, 0) + options
    return bytes([version << 4 | 5]) + bytes(8) + bytes([protocol]) + bytes(10) + tcp


@pytest.mark.parametrize("packet, found", [
    (segment(0x02, JOIN), (1000, 2000, False)),
    (segment(0x12, b"\2\4\5\xb4\1\3\3\7" + JOIN), (1000, 2000, True)),
    (segment(0x10, JOIN), None), (segment(0x02, CAPABLE), None), (segment(0x02, b""), None),
    (segment(0x02, JOIN, version=6), None), (segment(0x02, JOIN, protocol=17), None),
    (segment(0x02, bytes([30, 0, 0x10, 1])), None), (segment(0x02, JOIN)[:45], None), (b"", None)])
def test_joins_are_known_by_their_option(packet, found):
    assert joinwatch.join_of(packet) == found


class Manager:
    """Takes requests for subflows; the first ``young`` are too early, and those for a port in ``taken`` fail."""

    def __init__(self, young=0, taken=0):
        self.young, self.taken, self.opened, self.heard = young, taken, [], []

    def events(self):
        heard, self.heard = self.heard, []
        yield from heard

    def create(self, token, ends, backup):
        if self.young:
            self.young -= 1
            raise NotYet("too young")
        if self.taken:
            self.taken -= 1
            raise AgentError("the port is taken")
        self.opened.append((token, ports(ends)))


def heard(what, token=7, server=False, ends=ENDS):
    return Event(what, token, ends, server, False)


@pytest.mark.parametrize("young, taken", [(0, 0), (2, 0), (0, 3)])
def test_an_opener_opens_what_is_missing_from_ports_of_its_own(young, taken):
    manager = Manager(young, taken)
    one = opener.Opener(manager, PORT, 4)
    manager.heard = [heard(What.ESTABLISHED)]
    for _ in range(young + 1):
        one.step()
    assert [token for token, _ in manager.opened] == [7] * 3
    assert len({local for _, (local, _) in manager.opened}) == 3
    assert {remote for _, (_, remote) in manager.opened} == {PORT}


def test_an_opener_leaves_other_connections_alone():
    manager = Manager()
    one = opener.Opener(manager, PORT, 4)
    manager.heard = [heard(What.ESTABLISHED, server=True), heard(What.CREATED),
                     heard(What.ESTABLISHED, ends=parse("10.0.0.1:40000", "10.0.0.2:80"))]
    one.step()
    assert manager.opened == []


@pytest.mark.parametrize("nodes", sheu.NODES)
def test_networks_of_sheu_are_connected_and_always_the_same(nodes):
    one = sheu.waxman(nodes, seed=nodes, pairs=2)
    assert one == sheu.waxman(nodes, seed=nodes, pairs=2)
    assert len(one.switches) == nodes and len({switch for pair in one.pairs for switch in pair}) == 4
    assert all(1 <= link.forward == link.backward <= 10 for link in one.links)


def test_the_diamond_has_three_disjoint_paths_and_so_many_pairs():
    one = bed.diamond(3)
    assert len(one.links) == 6 and len(one.pairs) == 3 and len(set(one.pairs)) == 1


def test_what_was_measured_becomes_csv(tmp_path, monkeypatch):
    monkeypatch.setitem(measure.TRIALS, "none", lambda runs: [])
    monkeypatch.setitem(measure.TRIALS, "some", lambda runs: [{"run": number, "mbps": 2.5} for number in range(runs)])
    file = tmp_path / "some.csv"
    assert measure.run("some", 2, str(file), False) == 0
    assert list(csv.DictReader(file.open(encoding="ascii"))) == [{"run": "0", "mbps": "2.5"}, {"run": "1", "mbps": "2.5"}]
    monkeypatch.setitem(measure.WITH_QUICK, "fewer", lambda runs, quick: [{"run": runs, "mbps": 1.0 if quick else 2.0}])
    assert measure.run("fewer", 1, str(file), True) == 0
    assert file.read_text(encoding="ascii").split() == ["run,mbps", "1,1.0"]
    with pytest.raises(LabError, match="nothing was measured"):
        measure.run("none", 1, str(file), True)
