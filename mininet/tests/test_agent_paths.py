# SPDX-License-Identifier: Apache-2.0
"""What the agent does about an answer's subflows and the kernel's events; no kernel is asked."""

import errno
from types import SimpleNamespace

import pytest

from mptcpagent import subflow
from mptcpagent.errors import AgentError
from mptcpagent.pathmanager import Event, NotYet, What
from mptcpagent.paths import Paths

FIRST = subflow.parse("10.0.0.1:40000", "10.0.0.2:5201")
MORE = subflow.parse("10.0.0.1:61000", "10.0.0.2:5201")
TOKEN = 0x01020304


class Manager:
    """Remembers what it is told; ``events`` come once."""

    def __init__(self):
        self.done, self.happened, self.broken, self.lost = [], [], None, False

    def take(self):
        self.done.append("take")

    def release(self):
        self.done.append("release")

    def events(self):
        events, self.happened = self.happened, []
        yield from events
        if self.lost:
            self.lost = False
            raise OSError(errno.ENOBUFS, "No buffer space available")

    def create(self, token, ends, backup):
        self.done.append(("create", token, ends, backup))
        if self.broken:
            raise self.broken

    def announce(self, token, address):
        self.done.append(("announce", token, address))

    def destroy(self, token, ends):
        self.done.append(("destroy", token, ends))

    def set_backup(self, token, ends, backup):
        self.done.append(("backup", token, ends, backup))


class Host:
    def __init__(self):
        self.now, self.said, self.manager = 100.0, [], Manager()
        self.paths = Paths(self.manager, self.said.append, lambda: self.now)
        self.paths.follow(answer(), [], self.now)
        self.done()

    def begin(self, server=False):
        self.manager.happened = [Event(What.CREATED, TOKEN, FIRST, server, False)]
        return self

    def joined(self):
        self.manager.happened.append(Event(What.SUB_ESTABLISHED, TOKEN, MORE, False, False))
        return self

    def done(self):
        """What was done since the last time, but for taking the path manager."""
        done = [one for one in self.manager.done if one != "take"]
        self.manager.done.clear()
        return done

    def follow(self, *present, read_at=None, **wishes):
        self.paths.follow(answer(connection(**wishes)), [FIRST, *present], self.now if read_at is None else read_at)
        return self.done()


def test_subflows_that_come_are_told_once_whoever_has_opened_them():
    assert Host().begin(server=True).joined().paths.came() == {MORE}
    host = Host().begin().joined()
    assert (host.paths.came(), host.paths.came()) == ({MORE}, set())


def named(ends):
    local, remote = subflow.texts(ends)
    return {"local": local, "remote": remote}


def connection(add=(), drop=(), backup=()):
    return {"id": "33a99110", "first": named(FIRST), "add": [named(one) for one in add], "drop": [named(one) for one in drop],
            "backups": [named(one) for one in backup], "subflows": []}


def answer(*connections, manager="user"):
    return {"revision": 1, "pathManager": manager, "connections": list(connections)}


def test_what_is_to_be_added_is_created_once():
    host = Host().begin()
    assert host.follow(add=[MORE]) == [("create", TOKEN, MORE, False)]
    assert host.follow(add=[MORE]) == []
    host.now += 3
    assert host.follow(MORE, add=[MORE]) == []


def tries(host, seconds):
    """How often a subflow that does not come is tried meanwhile, with two answers a second."""
    found = 0
    for _ in range(2 * seconds):
        host.now += 0.5
        found += len(host.follow(add=[MORE]))
    return found


def test_what_has_not_come_or_was_reset_is_tried_ever_more_seldom():
    host = Host().begin()
    assert host.follow(add=[MORE]) == [("create", TOKEN, MORE, False)]
    assert tries(host, 2) == 1, "soon, as a first attempt may get lost"
    assert tries(host, 4) == 1
    assert tries(host, 600) <= 13, "a host that refuses it is not asked all the time"


def test_what_was_read_before_the_wait_was_over_does_not_show_that_it_is_missing():
    host = Host().begin()
    host.follow(add=[MORE])
    read_at = host.now + 1
    host.now += 3
    assert host.follow(add=[MORE], read_at=read_at) == []
    assert host.follow(add=[MORE]) == [("create", TOKEN, MORE, False)]


def test_a_success_begins_the_waits_anew():
    host = Host().begin()
    assert host.follow(add=[MORE])
    assert tries(host, 60) > 3
    for _ in range(140):
        host.now += 0.5
        assert host.follow(MORE, add=[MORE]) == []
    assert host.follow(add=[MORE]) == [("create", TOKEN, MORE, False)], "it was there, and is lost"
    assert tries(host, 2) == 1


def test_what_is_to_be_dropped_is_destroyed_while_it_is_there():
    host = Host().begin().joined()
    assert host.follow(drop=[MORE]) == []
    assert host.follow(MORE, drop=[MORE]) == [("destroy", TOKEN, MORE)]
    assert host.follow(MORE, drop=[FIRST, MORE]) == [], "the other one is as good as gone"


def test_the_last_subflow_is_never_destroyed():
    host = Host().begin().joined()
    assert host.follow(drop=[FIRST]) == []
    assert host.follow(MORE, drop=[FIRST, MORE]) == [("destroy", TOKEN, FIRST)]


def test_connections_that_others_have_opened_are_left_alone():
    host = Host().begin(server=True)
    assert host.follow(add=[MORE]) == []
    assert not host.paths.addable(TOKEN)


def test_a_connection_that_is_closed_gets_nothing():
    host = Host().begin()
    assert host.follow(add=[MORE]) and host.paths.addable(TOKEN)
    host.manager.happened = [Event(What.CLOSED, TOKEN, None, False, False)]
    host.now += 11
    assert host.follow(add=[MORE]) == []


def listed(token, ends, opened=True):
    """A subflow as the kernel lists it."""
    return SimpleNamespace(token=token, ends=ends, opened=opened)


def test_connections_that_began_unheard_are_served():
    host = Host()
    before = listed(TOKEN + 1, subflow.parse("10.0.0.1:40001", "10.0.0.2:5201"))
    host.paths.hear([before])
    host.manager.lost = True
    accepted = listed(TOKEN + 2, subflow.parse("10.0.0.1:5201", "10.0.0.2:40000"), opened=False)
    host.paths.hear([before, accepted, listed(TOKEN, FIRST)])
    assert [host.paths.addable(TOKEN + number) for number in range(3)] == [True, False, False]
    assert host.follow(add=[MORE]) == [("create", TOKEN, MORE, False)]


def test_connections_of_the_kernels_time_are_left_alone_also_after_a_loss():
    host = Host()
    host.paths.release()
    host.manager.lost = True
    host.paths.hear([listed(TOKEN, FIRST)])
    assert not host.paths.addable(TOKEN)


ELSEWHERE = subflow.parse("10.0.0.1:61001", "10.0.9.9:5201")


def test_a_subflow_goes_only_to_addresses_that_the_other_host_has_announced():
    host = Host().begin()
    assert host.follow(add=[ELSEWHERE]) == [] and host.said == []
    host.now += 2
    assert host.follow(add=[ELSEWHERE]) == []
    assert host.said == ["10.0.0.1:61001 → 10.0.9.9:5201: no subflow to an address that the other host has not announced"]
    host.manager.happened = [Event(What.ANNOUNCED, TOKEN, None, False, False, 3, ELSEWHERE[16:32])]
    assert host.follow(add=[ELSEWHERE]) == [("create", TOKEN, ELSEWHERE, False)], "at once"
    host.manager.happened = [Event(What.REMOVED, TOKEN, None, False, False, 3)]
    host.now += 64
    assert host.follow(add=[ELSEWHERE]) == []
    host.manager.happened = [Event(What.ANNOUNCED, TOKEN + 1, None, False, False, 3, ELSEWHERE[16:32])]
    host.now += 64
    assert host.follow(add=[ELSEWHERE]) == [], "another connection's other host said so"


def test_a_server_announces_its_addresses_that_the_controller_has_paths_to():
    host = Host().begin(server=True)
    used, other = (subflow.parse(f"10.0.{number}.2:5201", "10.0.0.1:40000") for number in (0, 1))
    host.paths.hear([listed(TOKEN, used, opened=False)])
    told = {"id": "33a99110", "subflows": [named(used), named(other)]}
    host.paths.follow(answer(told), [used], host.now)
    assert host.done() == [("announce", TOKEN, other[:16])]
    host.paths.follow(answer(told), [used], host.now)
    host.paths.follow(answer({**told, "subflows": [named(other)]}), [used], host.now)
    assert host.done() == []


def test_connections_that_ended_unheard_are_forgotten_at_the_next_look():
    host = Host().begin()
    other = Event(What.CREATED, TOKEN + 1, MORE, False, False)
    host.manager.happened.append(other)
    host.manager.lost = True
    host.paths.hear()
    assert host.paths.addable(TOKEN) and host.paths.addable(TOKEN + 1), "nothing was looked at"
    host.paths.hear([listed(TOKEN, FIRST)])
    assert host.paths.addable(TOKEN) and not host.paths.addable(TOKEN + 1)
    assert host.follow(add=[MORE]) == [("create", TOKEN, MORE, False)]
    host.manager.happened.append(other)
    host.paths.hear([])
    assert host.paths.addable(TOKEN + 1), "none was lost: its subflows may be on their way"


def test_a_subflow_becomes_a_backup_later_and_comes_back_at_once():
    host = Host().begin()
    host.follow(add=[MORE])
    host.manager.happened = [Event(What.SUB_ESTABLISHED, TOKEN, MORE, False, False)]
    assert host.follow(MORE, backup=[MORE]) == []
    host.now += 1
    assert host.follow(MORE) == [] and host.follow(MORE, backup=[MORE]) == []
    host.now += 2.5
    assert host.follow(MORE, backup=[MORE]) == [("backup", TOKEN, MORE, True)]
    assert host.follow(MORE, backup=[MORE]) == []
    assert host.follow(MORE) == [("backup", TOKEN, MORE, False)]


def test_a_connection_that_is_too_young_is_tried_again_at_the_next_answer():
    host = Host().begin()
    host.manager.broken = NotYet("no subflow")
    assert len(host.follow(add=[MORE])) == 1
    assert len(host.follow(add=[MORE])) == 1
    assert host.said == []


def test_a_kernel_that_refuses_is_said_once():
    host = Host().begin()
    host.manager.broken = AgentError("no subflow: Address already in use")
    host.follow(add=[MORE])
    host.now += 11
    host.follow(add=[MORE])
    assert host.said == ["10.0.0.1:61000 → 10.0.0.2:5201: no subflow: Address already in use"]


def test_the_kernel_manages_paths_where_the_controller_does_not():
    host = Host()
    host.paths.follow(answer(manager="kernel"), [], host.now)
    assert host.done() == ["release"]
    host.paths.follow({"revision": 1, "connections": []}, [], host.now)
    assert host.done() == []


@pytest.mark.parametrize("broken", [{"subflows": []}, {"first": {}}, {"first": named(FIRST)},
                                    {"first": named(FIRST), "add": [{}], "drop": [], "backups": []},
                                    {"first": named(FIRST), "add": 5, "drop": [], "backups": []},
                                    {"first": named(FIRST), "add": [], "drop": [{"local": "x", "remote": "y"}], "backups": []}])
def test_an_answer_that_is_none_does_nothing(broken):
    host = Host().begin()
    if "first" in broken:
        with pytest.raises(AgentError):
            host.paths.follow(answer(broken), [FIRST], host.now)
    else:
        host.paths.follow(answer(broken), [FIRST], host.now)
    assert host.done() == []


def test_without_a_manager_nothing_is_done():
    paths = Paths(None, print, lambda: 0.0)
    paths.hear([])
    paths.follow(answer(connection(add=[MORE])), [FIRST], 0.0)
    paths.release()
    assert paths.name == "kernel" and not paths.addable(TOKEN)
