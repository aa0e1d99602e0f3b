# SPDX-License-Identifier: Apache-2.0
"""The commands into a running demonstration, with a console that really listens and without a network behind it."""

import os
import subprocess
import threading

import pytest

from mptcplab import topology, usage
from mptcplab.errors import LabError, UsageError
from mptcplab.processes import wait_for
from mptcplab.settings import ROOT
from mptcplab.shell import actions, client, console
from mptcplab.testbed import Testbed

NAMES = {"hosts": ["h1", "h2"], "links": ["s1-s2", "s2-s5"]}


@pytest.fixture
def here(monkeypatch, tmp_path):
    """Demonstrations are looked for in a folder of the test's own."""
    monkeypatch.setattr(client.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.delenv("MPTCPLAB_HTTP_PORT", raising=False)
    return tmp_path


def listen(folder, port, *interruptible, **all_actions):
    run = folder / f"mptcplab-{port}"
    run.mkdir()
    return console.Console(run / f"{console.NAME}-{port}", all_actions, *interruptible)


def test_without_a_demonstration_it_says_how_to_start_one(here):
    with pytest.raises(UsageError, match="no demonstration runs: start one with ./lab demo"):
        client.find()


def test_one_that_was_killed_is_none(here):
    with listen(here, 8181):
        client.find()
    (here / "mptcplab-8181" / "console-8181").touch()
    with pytest.raises(UsageError, match="no demonstration runs"):
        client.find()


def test_of_several_the_port_chooses(here, monkeypatch):
    with listen(here, 8181), listen(here, 9181):
        with pytest.raises(UsageError, match="ports 8181, 9181: choose one with MPTCPLAB_HTTP_PORT=8181"):
            client.find()
        monkeypatch.setenv("MPTCPLAB_HTTP_PORT", "9181")
        assert client.find().port == 9181
        monkeypatch.setenv("MPTCPLAB_HTTP_PORT", "7")
        with pytest.raises(UsageError, match="no demonstration runs at port 7"):
            client.find()


def test_nobody_elses_socket_is_asked(here, monkeypatch):
    with listen(here, 8181):
        monkeypatch.setattr(client.os, "geteuid", lambda: os.getuid() + 1)
        with pytest.raises(UsageError, match="no demonstration runs"):
            client.find()


def test_lines_come_in_order_and_facts_last(here):
    with listen(here, 8181, say=lambda words: iter(words), names=lambda: NAMES):
        there = client.find()
        assert list(there.ask("say", words=["a", "b"])) == ["a", "b", {}]
        assert there.facts("names") == NAMES


def test_what_is_wrong_is_told_with_its_status(here):
    def usage():
        raise UsageError("no host h9")

    def failure():
        yield "begun"
        raise LabError("iperf3 did not end")
    with listen(here, 8181, usage=usage, failure=failure):
        there = client.find()
        with pytest.raises(UsageError, match="no host h9"):
            list(there.ask("usage"))
        with pytest.raises(LabError, match="iperf3 did not end") as caught:
            list(there.ask("failure"))
        assert caught.value.status == 1
        with pytest.raises(LabError, match="knows no dance"):
            list(there.ask("dance"))


def test_whoever_goes_away_gives_up(here):
    gone, begun = threading.Event(), threading.Event()

    def action(given_up):
        begun.set()
        wait_for("the other side's end", given_up, 20, every=0.01)
        gone.set()
        yield "nobody hears it"
    with listen(here, 8181, "long", long=action):
        with client.find()._connect() as connection:
            connection.sendall(b'{"action": "long", "arguments": {}}\n')
            assert begun.wait(20)
            assert not gone.is_set()
        assert gone.wait(20)


def test_a_process_is_found_by_its_number_inside(here):
    """Here inside and outside are the same."""
    with listen(here, 8181):
        there = client.find()
        assert there.process(None) == there.process(os.getpid()) == os.getpid()


@pytest.mark.parametrize("before, begun, words", [
    ([], "he", ["help"]), ([], "--v", ["--version"]), (["help"], "de", ["demo"]), (["demolish"], "", []),
    (["host"], "", NAMES["hosts"]), (["host", "h1"], "", []), (["link"], "", NAMES["links"]),
    (["link", "s1-s2"], "", ["down", "up"]),
    (["capture"], "", NAMES["links"] + NAMES["hosts"]), (["transfer"], "", NAMES["hosts"]),
    (["transfer", "--seconds", "9", "h1"], "", NAMES["hosts"]), (["transfer", "h1", "--tcp"], "", NAMES["hosts"]),
    (["transfer", "h1", "h2"], "", []), (["status"], "", []), (["demo"], "", []), (["check"], "pa", ["paths"]),
    (["test"], "g", ["gui"]),
    (["demo"], "--st", ["--stock-like", "--strategy"]), (["demo"], "--idle", []), (["demo", "--strategy"], "sh", ["shortest"]),
    (["demo", "--once", "--topology"], "fi", ["fig1", "fig2b", "firewall"]), (["demo", "--json"], "", []),
    (["compare", "--strategies"], "ec", ["ecmp"]), (["compare", "--allocators"], "s", ["smptcp"]),
    (["plan", "--allocator"], "p", ["proportional"]), (["reproduce"], "--fr", ["--fresh"]), (["bench"], "cl", ["cluster"]),
    (["completion"], "", ["bash"])])
def test_completion(here, before, begun, words):
    with listen(here, 8181, names=lambda: NAMES):
        assert [word for word in usage.complete(before, begun) if word.startswith(begun)] == words


def test_completion_is_silent_without_a_demonstration(here, monkeypatch, capsys):
    monkeypatch.setenv("COMP_LINE", "./lab host h")
    monkeypatch.setenv("COMP_POINT", "12")
    assert usage.completion() == 0
    assert capsys.readouterr().out == ""
    monkeypatch.setenv("COMP_LINE", "./lab st")
    monkeypatch.setenv("COMP_POINT", "8")
    usage.completion()
    assert capsys.readouterr().out == "status\n"


def test_of_names_with_commas_the_last_one_is_completed(monkeypatch, capsys):
    monkeypatch.setenv("COMP_LINE", "./lab compare --strategies ecmp,sh")
    monkeypatch.setenv("COMP_POINT", "99")
    usage.completion()
    assert capsys.readouterr().out == "ecmp,shortest\n"


@pytest.mark.parametrize("line, words", [
    ("./lab dem", ["demo"]), ("./lab demo --topology she", ["sheu8"]), ("./lab demo --fai", ["--fail"])])
def test_bash_completes_with_the_script_that_lab_prints(here, line, words):
    """As bash does it at the TAB key: by the command that the script has registered for ``lab``."""
    ask = f"""eval "$({ROOT}/lab completion bash)" && command=$(complete -p lab) && command=${{command#*-C }} &&
              command=${{command% lab}} && eval "set -- $command" && COMP_LINE='{line}' COMP_POINT={len(line)} bash -c "$1" """
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == words, done.stderr


class _Host:
    def __init__(self, name):
        self.name, self.pid = name, 7


class _Testbed(Testbed):
    """As much of one as is asked before anything happens."""

    def __init__(self):
        self.network, self.onos = self, None
        self.topology = topology.load("parallel")

    def hosts_and_router(self):
        return [_Host("h1"), _Host("h2")]

    def addresses(self, host):
        return ["10.0.0.9"]

    def interface(self, a, b):
        return f"{a}:{b}"

    def port(self, a, b):
        return f"to-{b}"


def test_links_in_parallel_have_names_of_their_own():
    asked = actions.Actions(_Testbed())
    links = asked.names()["links"]
    assert len(set(links)) == len(links) and any("#" in link for link in links)
    assert asked.names()["ports"][links[1]] != asked.names()["ports"][links[0]]
    assert {asked.interface(link)["interface"] for link in links} == {link.replace("-", ":") for link in links}


@pytest.mark.parametrize("wrong, says", [
    (lambda a: a.host("h9"), "no host h9: there are h1, h2$"),
    (lambda a: a.interface("s1-s99"), "no link s1-s99: there are s1-"),
    (lambda a: list(a.link("s1-s99", "down")), "no link s1-s99"),
    (lambda a: list(a.link(a.names()["links"][0], "sideways")), "sideways is neither down nor up, nor a capacity from 0.1"),
    (lambda a: list(a.link(a.names()["links"][0], "nan")), "neither down nor up"),
    (lambda a: list(a.transfer("h1", "h1", 5, False, None, bool)), "h1 cannot transfer to itself"),
    (lambda a: list(a.transfer("h1", "h2", 5, True, 2, bool)), "plain TCP has no subflows")])
def test_wrong_names_are_told_with_the_right_ones(wrong, says):
    with pytest.raises(UsageError, match=says):
        wrong(actions.Actions(_Testbed()))
