# SPDX-License-Identifier: Apache-2.0
"""The agent's side of the REST interface, against a server on loopback; the command ``mptcp-agent``; the watchdog."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from fake_controller import TOKEN, FakeController, connection
from mptcpagent import __main__ as command
from mptcpagent import compiling, pacing
from mptcpagent.controller import Controller, Interrupted, News, Refused
from mptcpagent.errors import AgentError, Unusable
from mptcpagent.watchdog import Watchdog
from mptcplab.login import write_private
from mptcplab.processes import wait_for
from mptcplab.settings import ISOLATED

ENDS = ("10.0.0.1:38130", "10.0.0.2:5201", 9.5, "active")


@pytest.fixture
def fake():
    with FakeController() as running:
        yield running


@pytest.fixture
def token(tmp_path):
    file = tmp_path / "token"
    write_private(file, TOKEN + "\n")
    return file


def test_a_report_and_its_answer(fake, token):
    fake.answer([connection([ENDS])])
    answer = Controller(fake.url, "10.0.0.1", token).report({"connections": []}, 2.0)
    assert answer["connections"][0]["subflows"][0]["expectedMbps"] == 9.5
    assert fake.paths == ["/onos/v1/mptcp/agents/report/10.0.0.1"]
    assert fake.reports == [{"connections": [], "waitMillis": 2000}]


def test_the_answer_waits_for_news(fake, token):
    controller = Controller(fake.url, "10.0.0.1", token)
    revision = controller.report({}, 2.0)["revision"]
    news = threading.Timer(0.2, fake.answer, [[connection([ENDS])]])
    news.start()
    assert controller.report({"since": revision}, 30.0)["revision"] != revision
    news.join()


def test_a_wrong_token_is_refused_and_a_new_one_taken(fake, token):
    controller = Controller(fake.url, "10.0.0.1", token)
    token.write_text("other")
    with pytest.raises(Refused) as refused:
        controller.report({}, 1.0)
    assert str(token) in str(refused.value) and "\n" not in str(refused.value)
    token.write_text(TOKEN)
    assert controller.report({}, 1.0)["connections"] == []


@pytest.mark.parametrize("content", [None, b"", b"two words", b"\xff"])
def test_without_a_token_nothing_is_asked(fake, token, content):
    if content is None:
        token.unlink()
    else:
        token.write_bytes(content)
    with pytest.raises(Refused):
        Controller(fake.url, "10.0.0.1", token).report({}, 1.0)
    assert fake.paths == []


@pytest.mark.parametrize("status, says", [(404, "not active"), (400, "400: as the test wants"), (503, "503")])
def test_what_the_controller_refuses_is_told(fake, token, status, says):
    fake.status = status
    with pytest.raises(AgentError, match=says):
        Controller(fake.url, "10.0.0.1", token).report({}, 1.0)


@pytest.mark.parametrize("raw", [b"{", b"\xff", b"[" * 100_000, b'{"revision":1e999}', b'{"revision":NaN}', b"9" * 400,
                                 b"9" * 10_000])
def test_an_answer_that_is_not_json_is_no_more_than_a_failure(fake, token, raw):
    fake.raw = raw
    with pytest.raises(AgentError, match="not JSON"):
        Controller(fake.url, "10.0.0.1", token).report({}, 1.0)


def test_a_login_that_is_not_for_agents_says_nothing_of_the_token(fake, token):
    """Without the application ONOS's own interface answers, and asks for a user."""
    fake.status, fake.login = 401, 'Basic realm="karaf"'
    with pytest.raises(AgentError, match="not active") as failure:
        Controller(fake.url, "10.0.0.1", token).report({}, 1.0)
    assert not isinstance(failure.value, Refused), "the agent asks again soon"


def test_nobody_answers(fake, token):
    with fake:
        pass
    with pytest.raises(AgentError, match="does not answer"):
        Controller(fake.url, "10.0.0.1", token).report({}, 1.0)


@pytest.mark.parametrize("url", ["", "10.0.0.1:8181", "ftp://10.0.0.1", "http://", "http://h:99999", "http://h:0", "http://u@h"])
def test_what_is_no_address_of_a_controller(url, token):
    with pytest.raises(Unusable, match="--controller"):
        Controller(url, "10.0.0.1", token)


@pytest.mark.parametrize("arguments, says", [
    ([], "--controller is missing"),
    (["--controller", "http://h:1"], "--host is missing"),
    (["--controller", "http://h:1", "--host", "h1"], "h1 is no IP address"),
    (["--controller", "http://h:1", "--host", "10.0.0.1"], "--token-file is missing"),
    (["--backend", "magic"], "magic"),
    (["--unknown"], "--unknown"),
])
def test_wrong_usage_is_one_line(arguments, says, capsys):
    assert command.main(arguments) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1


def test_without_privileges_it_says_what_it_needs(tmp_path):
    become = [] if os.geteuid() else ["setpriv", "--bounding-set=-net_admin", "--inh-caps=-all"]
    done = subprocess.run([*become, sys.executable, *ISOLATED, "mptcpagent", "--release"], capture_output=True, text=True,
                          timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "NET_ADMIN" in done.stderr or "MPTCP" in done.stderr


def test_a_kernel_without_mptcp_is_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "_MPTCP", tmp_path / "enabled")
    assert command.main(["--release"]) == 2
    said = capsys.readouterr().err
    assert "no MPTCP" in said and said.count("\n") == 1


def test_auto_takes_the_first_backend_that_works(monkeypatch, capsys):
    def fails(*_):
        raise Unusable("not today")
    monkeypatch.setattr(command, "Pacing", fails)
    monkeypatch.setattr(command.htb, "Htb", fails)
    assert command.choose("auto", None, "eth0", None).name == "none"
    assert capsys.readouterr().err.splitlines() == ["mptcp-agent: not bpf: not today", "mptcp-agent: not htb: not today"]
    with pytest.raises(Unusable):
        command.choose("bpf", None, None, None)


def test_news_interrupt_a_wait_for_an_answer(fake, token):
    fake.answer([])
    controller = Controller(fake.url, "10.0.0.1", token)
    since = controller.report({"connections": []}, 0.0)["revision"]
    reading, writing = os.pipe()
    heard = []

    def matters():
        heard.append(os.read(reading, 1))
        if len(heard) == 1:
            os.write(writing, b"2")
        return len(heard) == 2
    try:
        os.write(writing, b"1")
        with pytest.raises(Interrupted):
            controller.report({"connections": [], "since": since}, 60.0, News([reading], matters))
        assert heard == [b"1", b"2"]
        fake.answer([connection([ENDS])])
        answer = controller.report({"connections": [], "since": since}, 60.0, News([reading], matters))
        assert answer["revision"] == since + 1
    finally:
        os.close(reading)
        os.close(writing)


def test_the_bpf_program_compiles_once(tmp_path, monkeypatch):
    code = compiling.compiled(pacing.OBJECT, tmp_path)
    assert code.startswith(b"\x7fELF")
    monkeypatch.setenv("PATH", str(tmp_path))
    (kept,) = tmp_path.iterdir()
    os.utime(kept, (0, 0))
    assert compiling.compiled(pacing.OBJECT, tmp_path) == code, "whatever its time"
    with pytest.raises(Unusable, match="clang"):
        compiling.compiled(pacing.OBJECT, None)


def test_a_changed_source_or_header_is_compiled_anew_whatever_its_time(tmp_path, monkeypatch):
    folder, cache = tmp_path / "sources", tmp_path / "cache"
    folder.mkdir()
    cache.mkdir()
    monkeypatch.setattr(compiling, "FOLDER", folder)
    monkeypatch.setattr(compiling, "compile_source", lambda source, options: source.read_bytes() + (folder / "a.h").read_bytes())

    def written(name, text):
        (folder / name).write_bytes(text)
        os.utime(folder / name, (0, 0))

    written("one.bpf.c", b"1")
    written("a.h", b"2")
    assert compiling.compiled("one", cache) == b"12"
    written("one.bpf.c", b"3")
    assert compiling.compiled("one", cache) == b"32"
    written("a.h", b"4")
    assert compiling.compiled("one", cache) == b"34"
    assert len(list(cache.iterdir())) == 3


class Marking:
    """A backend whose release leaves a mark; the first tries may fail."""

    name = "marking"

    def __init__(self, file, failures=0):
        self._file, self._failures = file, failures

    def apply(self, limits, mtus, came=frozenset()):
        raise NotImplementedError

    def release(self):
        if self._failures:
            self._failures -= 1
            raise AgentError("not yet")
        self._file.touch()


@pytest.mark.parametrize("failures", [0, 2])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_watchdog_releases_however_the_agent_ends(tmp_path, number, failures):
    agent = os.fork()
    if agent == 0:
        try:
            os.setpgid(0, 0)
            Watchdog(Marking(tmp_path / "released", failures).release, (tmp_path / "last").touch).beat()
            (tmp_path / "ready").touch()
            signal.pause()
        finally:
            os._exit(0)
    wait_for("the watchdog", lambda: (tmp_path / "ready").exists(), 20)
    assert not (tmp_path / "released").exists()
    # As a service manager does, and Ctrl-C.
    os.killpg(agent, number)
    os.waitpid(agent, 0)
    wait_for("the last thing", lambda: (tmp_path / "last").exists(), 5)
    assert (tmp_path / "released").exists()


def test_a_watchdog_that_was_killed_is_replaced(tmp_path):
    watchdog = Watchdog(Marking(tmp_path / "released").release)
    first = watchdog.pid
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    watchdog.beat()
    assert watchdog.pid != first
    os.close(watchdog._pipe)
    wait_for("released", lambda: (tmp_path / "released").exists(), 5)
    os.waitpid(watchdog.pid, 0)
