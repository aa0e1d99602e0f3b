# SPDX-License-Identifier: Apache-2.0
"""The agent's loop with a clock of the test's: when limits come, when they go, what is said."""

import pytest

from fake_controller import connection
from mptcpagent import subflow
from mptcpagent.agent import WAIT_SECONDS, Agent
from mptcpagent.controller import Interrupted, Refused
from mptcpagent.errors import AgentError
from mptcpagent.limits import Applied
from mptcpagent.paths import Paths
from test_agent_words import kernel

ENDS = ("10.0.0.1:38130", "10.0.0.2:5201")
ANSWER = {"revision": 18, "connections": [connection([(*ENDS, 9.5, "active")])]}


class World:
    """Clock, controller and backend in one; ``answers`` are given in turn, the last one for ever."""

    url = "http://controller"
    name = "fake"

    def __init__(self, *answers, takes=0.01):
        self.now, self.takes = 1000.0, takes
        self.answers = list(answers)
        self.reports, self.limits, self.said, self.paused = [], {}, [], []
        self.announced = {}
        self.applied = []
        self.released, self.broken, self.beats = 0, None, []
        self.waits, self.kernel = [], [kernel()]
        self.paths = paths = Paths(None, self.said.append, lambda: self.now)
        self.agent = Agent(self, self, paths, lambda: self.kernel, lambda: self.beats.append(self.now), self.said.append,
                           clock=lambda: self.now, pause=self.pause, announced=lambda: self.announced)

    def pause(self, seconds):
        self.paused.append(seconds)
        self.now += seconds

    def report(self, content, wait_seconds, news=None):
        self.reports.append(content)
        self.waits.append(wait_seconds)
        self.news = news
        self.now += self.takes
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def apply(self, limits, mtus, came=frozenset()):
        if self.broken:
            raise self.broken
        self.applied.append({subflow.texts(ends) for ends in came})
        self.limits = {subflow.texts(ends): rate for ends, rate in limits.items()}
        self.mtus = mtus
        return Applied(len(limits), 0)

    def release(self):
        self.released += 1
        self.limits = {}

    def steps(self, seconds):
        end = self.now + seconds
        while self.now < end:
            self.agent.step()
        return self


def test_limits_are_those_of_the_answer():
    world = World(ANSWER).steps(1)
    assert world.limits == {ENDS: 9.5}
    assert list(world.mtus.values()) == [1500]
    assert world.said == ["http://controller answers"]


def test_a_subflow_gets_its_limit_when_it_comes(monkeypatch):
    """Whoever has opened it, and also in the place of one with the same ends."""
    world = World(ANSWER).steps(1)
    ends, other = subflow.parse(*ENDS), subflow.parse("10.0.0.1:1", "10.0.0.2:1")
    came = [{ends, other}, {other}]
    monkeypatch.setattr(world.paths, "came", lambda: came.pop(0) if came else set())
    world.applied.clear()
    assert not world.news.matters()
    assert world.applied == [{ENDS}]
    assert not world.news.matters()
    assert world.applied == [{ENDS}], "one without a limit needs none"


def test_without_limits_nothing_is_applied_to_a_subflow_that_comes(monkeypatch):
    world = World(ANSWER, Refused("wrong token")).steps(1)
    monkeypatch.setattr(world.paths, "came", lambda: {subflow.parse(*ENDS)})
    world.applied.clear()
    world.agent.step()
    assert world.applied == []


def test_subflows_are_opened_before_the_limits_are_applied(monkeypatch):
    world = World(ANSWER)
    order = []
    monkeypatch.setattr(world.paths, "follow", lambda *_: order.append("follow"))
    monkeypatch.setattr(world, "apply", lambda *_: order.append("apply"))
    world.agent.step()
    assert order == ["follow", "apply"]


def test_the_first_report_asks_for_everything_and_later_ones_for_what_is_new():
    world = World(ANSWER).steps(1)
    assert "since" not in world.reports[0] and world.reports[1]["since"] == 18
    assert world.reports[0]["backend"] == "fake"


def test_a_controller_with_something_new_all_the_time_is_asked_five_times_a_second():
    world = World(ANSWER, takes=0.001).steps(10)
    assert 45 <= len(world.reports) <= 51


def test_limits_stay_for_ten_seconds_without_an_answer_and_then_go():
    world = World(ANSWER, AgentError("silence"))
    world.agent.step()
    world.steps(9.5)
    assert world.limits == {ENDS: 9.5}
    world.steps(1)
    assert world.limits == {}
    assert world.said[1:] == ["no limits, the connections run on: silence"]


def test_it_comes_back_and_says_so_once():
    world = World(ANSWER, *[AgentError("silence")] * 12, ANSWER).steps(120)
    assert world.limits == {ENDS: 9.5}
    assert [line.split()[0] for line in world.said] == ["http://controller", "no", "http://controller"]


def test_limits_that_segments_announce_hold_while_the_controller_does_not_answer():
    world = World(ANSWER, AgentError("silence"))
    world.agent.step()
    world.announced = {subflow.parse(*ENDS): 4.5}
    world.steps(9.5)
    assert world.limits == {ENDS: 9.5}
    world.steps(10)
    assert world.limits == {ENDS: 4.5}
    world.announced = {}
    world.steps(10)
    assert world.limits == {}
    assert world.said[1:] == ["limits as segments announce them: silence", "no limits, the connections run on: silence"]


def test_it_asks_a_silent_controller_less_and_less_often_and_for_everything():
    world = World(ANSWER, AgentError("silence")).steps(100)
    assert max(world.paused) == 5.0
    assert len(world.reports) < 40
    assert "since" not in world.reports[-1]


@pytest.mark.parametrize("answer", [{}, None, [], {"revision": "x", "connections": []}, {"revision": 1, "connections": [{}]}])
def test_an_answer_that_is_none_counts_as_silence(answer):
    world = World(ANSWER, answer).steps(12)
    assert world.limits == {}
    assert len(world.said) == 2


def test_a_refused_token_takes_the_limits_away_and_is_said_once():
    world = World(ANSWER, Refused("wrong token"))
    world.agent.step()
    world.agent.step()
    assert world.limits == {}
    world.steps(300)
    assert world.said[1:] == ["wrong token"]
    assert len(world.reports) < 15


def test_a_backend_that_fails_leaves_no_limits():
    world = World(ANSWER)
    world.broken = AgentError("no such class")
    world.steps(1)
    assert (world.limits, world.said[-1]) == ({}, "no limits: no such class") or "no limits: no such class" in world.said


def test_what_an_agent_before_has_left_is_taken_away_first():
    world = World(ANSWER).steps(0.1)
    assert world.released == 1


def test_after_a_standstill_limits_are_set_anew():
    """The watchdog has taken them away meanwhile."""
    world = World(ANSWER).steps(1)
    world.now += 60
    before = world.released
    world.agent.step()
    assert world.released == before + 1 and world.limits == {ENDS: 9.5}


def test_the_watchdog_is_told_that_it_lives():
    world = World(ANSWER, takes=2.0).steps(60)
    assert max(b - a for a, b in zip(world.beats, world.beats[1:])) < 5


def test_a_kernel_that_does_not_answer_counts_as_silence():
    world = World(ANSWER)

    def fails():
        raise OSError(105, "No buffer space available")
    world.agent._read = fails
    world.steps(12)
    assert world.said == ["no limits, the connections run on: [Errno 105] No buffer space available"]


def test_the_end_of_a_limited_connection_is_told_at_once():
    world = World(ANSWER).steps(1)
    token = world.kernel[0].token
    world.paths._closed = {token + 1}
    assert not world.news.matters(), "one without limits ends"
    world.paths._closed = {token}
    assert world.news.matters()
    world.answers = [Interrupted("news"), ANSWER]
    reports = len(world.reports)
    world.agent.step()
    world.agent.step()
    assert not world.reports[-1]["connections"][0]["ended"], "it may have something to send"
    assert world.waits[-1] < 0.5
    world.kernel = []
    begun = world.now
    world.agent.step()
    assert world.reports[-1]["connections"][0]["ended"] and world.now - begun < 0.5
    assert len(world.reports) == reports + 3
    world.agent.step()
    assert world.waits[-1] == WAIT_SECONDS
    assert world.said == ["http://controller answers"]


def test_a_closed_connection_that_stays_is_not_watched_for_ever():
    world = World(ANSWER).steps(1)
    world.paths._closed = {world.kernel[0].token}
    assert world.news.matters()
    world.steps(4)
    assert world.waits[-1] == WAIT_SECONDS
