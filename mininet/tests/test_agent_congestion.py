# SPDX-License-Identifier: Apache-2.0
"""A congestion control without a controller: who gets it, what is said, and what is left."""

import os
from dataclasses import replace

import pytest

from mptcpagent import __main__ as command
from mptcpagent import congestion, windows
from mptcpagent.errors import AgentError, Unusable
from test_agent_words import kernel


class World:
    """Windows, kernel and news in one."""

    before = "cubic"

    def __init__(self, *there):
        self.there, self.given, self.released = list(there), [], 0
        self.said, self.paused, self.beats, self.broken = [], [], 0, None
        self._readable, self._writable = os.pipe()
        os.set_blocking(self._readable, False)
        self.giver = congestion.Giver(self, lambda: self.there, self, self.beat, self.said.append, self.paused.append)
        self.come()

    def come(self):
        os.write(self._writable, b".")

    def fileno(self):
        return self._readable

    def news(self):
        assert os.read(self._readable, 100)
        self.come()
        return iter([memoryview(b"")] * 2)

    def beat(self):
        self.beats += 1

    def apply(self, limits, mtus):
        if self.broken:
            raise self.broken
        self.given.append(set(limits))

    def release(self):
        self.released += 1


def like(control, port=1001):
    return replace(kernel(port), control=control)


def test_subflows_with_the_control_of_the_host_get_it_and_others_keep_theirs():
    world = World(like("cubic"), like("bbr", 1002), like("lia_0123abcd", 1003))
    world.giver.step()
    world.there.append(like("cubic", 1004))
    world.giver.step()
    assert world.given == [{like("cubic").ends}, {like("cubic").ends, like("cubic", 1004).ends}]
    assert world.beats == 2 and len(world.paused) == 2


def test_a_failure_is_said_once_and_it_goes_on():
    world = World(like("cubic"))
    world.broken = AgentError("the map takes no more")
    for _ in range(3):
        world.giver.step()
    world.broken = None
    world.giver.step()
    assert (world.said, len(world.given)) == (["the map takes no more"], 1)


def test_lost_news_are_news(monkeypatch):
    world = World()

    def lost():
        raise OSError(105, "No buffer space available")
    monkeypatch.setattr(world, "news", lost)
    world.giver.step()
    assert world.given == [set()] and not world.said


def test_whatever_ends_it_gives_back():
    world = World()

    def ends():
        raise KeyboardInterrupt
    world.beat = ends
    giver = congestion.Giver(world, lambda: world.there, world, ends, world.said.append)
    with pytest.raises(KeyboardInterrupt):
        giver.run()
    assert world.released == 1


def test_what_needs_a_controller_is_refused(capsys):
    for name in windows.NEED_RATES:
        assert command.main(["congestion", name]) == 2
        assert "--controller" in capsys.readouterr().err
    for name in set(windows.OURS) - set(windows.NEED_RATES):
        congestion.require_usable(name)


def test_wrong_words_are_one_line(capsys):
    for words in ([], ["lia", "--nosuch"], ["lia", "balia"]):
        assert command.main(["congestion", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_ctrl_c_at_the_start_ends_it_without_a_word(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt
    monkeypatch.setattr(command, "_require_machine", interrupted)
    assert command.main(["congestion", "lia"]) == 0
    assert capsys.readouterr().err == ""


def test_a_kernel_that_tells_nothing_is_one_line(monkeypatch):
    def refuses(*_):
        raise FileNotFoundError(2, "No such file or directory")
    monkeypatch.setattr(congestion, "Family", refuses)
    with pytest.raises(Unusable, match="MPTCP's subflows: No such file"):
        congestion.events()
