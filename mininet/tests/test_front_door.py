# SPDX-License-Identifier: Apache-2.0
"""``./lab`` answers wrong usage with status 2 and one line, before anything is built or started."""

import os
import socket
import subprocess
import sys

import pytest

from mptcplab import cli, kernel, namespace, packages, usage
from mptcplab.errors import UsageError
from mptcplab.settings import ROOT


def lab(*arguments, **environment):
    done = subprocess.run([str(ROOT / "lab"), *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=60, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def assert_refused(answer, says):
    status, out, err = answer
    assert status == 2, err
    assert out == ""
    assert err.startswith("lab: ") and err.count("\n") == 1, err
    assert says in err


def test_help_names_every_command_and_every_port():
    status, out, _ = lab("help")
    assert status == 0
    for word in ("build", "demo", "test", "onos", "plan", "simulate", "bench", "reproduce", "diamond",
                 "MPTCPLAB_HTTP_PORT", "MPTCPLAB_SSH_PORT", "MPTCPLAB_OPENFLOW_PORT"):
        assert word in out


@pytest.mark.parametrize("command", [name for name in cli._COMMANDS if name not in ("plan", "simulate")])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_command_explains_itself(command, option):
    """Planner and simulation do too, with a program that has to be built first."""
    status, out, err = lab(command, option)
    assert (status, err) == (0, "")
    assert out.startswith(f"usage: ./lab {command} ")
    assert not any(line.startswith(f"  {other} ") for line in out.splitlines() for other in cli._COMMANDS if other != command)


def test_a_machine_without_mininet_has_the_help_and_reads_options():
    """It is installed only when a command needs it."""
    script = ("import sys; sys.modules['mininet'] = None; from mptcplab import cli; "
              "cli._demo_options(['--fail', 'auto@5', '--short', '100']); sys.exit(cli.outside(['help']))")
    done = subprocess.run([sys.executable, "-s", "-c", script], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "mininet")})
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("where", ["in the folder", "in PYTHONPATH", "in the user's packages"])
def test_no_code_comes_from_the_caller(tmp_path, where):
    """The front door runs as root, in folders that may be anybody's."""
    site = f"base/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    planted = tmp_path / {"in the folder": "", "in PYTHONPATH": "path", "in the user's packages": site}[where]
    planted.mkdir(parents=True, exist_ok=True)
    evil = f"open({str(tmp_path / 'ran')!r}, 'a').write(__name__ + '\\n')\n"
    for name in ("mptcplab/__init__.py", "mptcplab/__main__.py", "json.py", "argparse.py", "os.py", "runpy.py",
                 "usercustomize.py"):
        (planted / name).parent.mkdir(exist_ok=True)
        (planted / name).write_text(evil)
    environment = {**os.environ, "PYTHONUSERBASE": str(tmp_path / "base")}
    environment.pop("PYTHONPATH", None)
    if where == "in PYTHONPATH":
        environment["PYTHONPATH"] = str(planted)
    for arguments in (["help"], ["demo", "--topology", "nowhere"]):
        done = subprocess.run([str(ROOT / "lab"), *arguments], cwd=tmp_path, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60, env=environment)
        assert "COMMAND" in done.stdout or "unknown topology nowhere" in done.stderr
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


def test_no_code_comes_from_the_folder_in_the_namespace_either(tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit('json of the folder')")
    command = namespace._command("json.tool", [])
    done = subprocess.run(command[command.index(sys.executable):], cwd=tmp_path, input="[1]", capture_output=True, text=True,
                          timeout=60)
    assert (done.stdout.split(), done.returncode) == (["[", "1", "]"], 0), done.stderr


def test_no_command_shows_the_help():
    assert lab()[:2] == lab("help")[:2]


def test_help_of_a_command_is_what_the_command_says():
    assert lab("help", "demo") == lab("demo", "--help")


def test_every_option_says_what_it_means():
    for name in usage.names():
        assert [action for action in usage.command(name)._actions if not action.help] == [], name


def test_the_version_is_that_of_the_poms():
    status, out, _ = lab("--version")
    assert status == 0
    assert f"<version>{out.split()[1]}</version>" in (ROOT / "pom.xml").read_text()


@pytest.mark.parametrize("arguments, says", [
    (["fly"], "unknown command fly"),
    (["dmeo"], "did you mean demo?"),
    (["demo", "--stratgy", "ecmp"], "no option --stratgy; did you mean --strategy?"),
    (["demo", "--strategy", "shortes"], "did you mean shortest?"),
    (["demo", "--topology", "fattre4"], "did you mean fattree4?"),
    (["compare", "--alocators", "smptcp"], "did you mean --allocators?"),
    (["test", "sytem"], "did you mean system?"),
    (["check", "path"], "did you mean paths?"),
    (["completion", "fish"], "fish is none of bash"),
    (["help", "me"], "unknown command me"),
    (["host"], "HOST"),
    (["bench", "maxflow-fattree32", "--runs", "3"], "--runs does not go with these benchmarks"),
    (["bench", "spread", "--full"], "--full does not go with spread"),
    (["bench", "--plot", "/nowhere/at/all.png"], "--plot /nowhere/at/all.png"),
    (["demo", "--topology", "nowhere"], "unknown topology nowhere"),
    (["demo", "--seconds", "0"], "--seconds"),
    (["demo", "--seconds", "ten"], "ten is no whole number"),
    (["demo", "--subflows", "0"], "--subflows"),
    (["demo", "--subflows", "10"], "from 1 to 9"),
    (["demo", "--connections", "101"], "--connections"),
    (["demo", "--udp", "-1"], "--udp"),
    (["demo", "--udp", "nan"], "--udp"),
    (["demo", "--short", "0"], "0 is no whole number from 1 to 1000; give connections per second, as in --short 100"),
    (["demo", "--short", "x"], "x is no whole number"),
    (["demo", "--short", "10,udp"], "udp is no protocol; leave it out for MPTCP, or give tcp, as in --short 100,tcp"),
    (["demo", "--strategy", "fastest"], "shortest"),
    (["demo", "--allocator", "mine"], "max-min"),
    (["demo", "--json", "/nowhere/at/all.json"], "/nowhere/at/all.json"),
    (["demo", "--onos", "/nowhere"], "no unpacked ONOS release"),
    (["demo", "--onos", "/opt/onos", "--stock-like"], "not allowed with argument --onos"),
    (["demo", "--stock-like", "--nodes", "3"], "--stock-like goes with one node"),
    (["demo", "--fail", "s1-s9@5"], "no link s1-s9; its links are s1-s2"),
    (["demo", "--fail", "s1-s5@5"], "no link s1-s5"),
    (["demo", "--fail", "auto"], "LINK@SECOND"),
    (["demo", "--fail", "auto@never"], "LINK@SECOND"),
    (["demo", "--fail", "auto@14"], "SECOND from 1 to 13"),
    (["demo", "--fail", "auto@nan"], "SECOND from 1 to 13"),
    (["demo", "--fail", ""], "LINK@SECOND"),
    (["demo", "--frobnicate"], "--frobnicate"),
    (["demo", "stray"], "stray"),
    (["demo", "--login", "mine"], "demo"),
    (["onos", "--login", "mine"], "demo"),
    (["test", "everything"], "everything"),
    (["test", "stock"], "stock and --onos HOME go together"),
    (["test", "stock", "--onos", ""], "stock and --onos HOME go together"),
    (["test", "system", "--onos", "/opt/onos"], "stock and --onos HOME go together"),
    (["test", "stock", "--onos", "/nowhere"], "no unpacked ONOS release"),
    (["test", "long", "--runs", "2"], "--runs goes with congestion"),
    (["test", "congestion", "--runs", "0"], "0 is no whole number from 1 to 100"),
    (["build", "now"], "now"),
    (["bench", "load", "max-min-1000"], "load runs alone"),
    (["onos", "--verbose"], "--verbose"),
])
def test_wrong_usage(arguments, says):
    assert_refused(lab(*arguments), says)


@pytest.mark.parametrize("capacity", [0, None])
def test_capacity_of_nothing(tmp_path, capacity):
    path = tmp_path / "mine.json"
    path.write_text('{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b"%s}]}'
                    % ("" if capacity is None else f', "capacityMbps": {capacity}'))
    assert_refused(lab("demo", "--topology", str(path)), "(a – b) has")


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1"])
def test_a_port_that_is_none(port):
    assert_refused(lab("demo", "--once", MPTCPLAB_HTTP_PORT=port), f"MPTCPLAB_HTTP_PORT={port} is not a port")


def test_a_port_in_use():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert_refused(lab("demo", "--once", MPTCPLAB_HTTP_PORT=port), f"port {port} on 127.0.0.1 is in use")


def test_who_is_not_root_and_cannot_be_is_told(monkeypatch):
    monkeypatch.setattr(kernel.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(kernel.shutil, "which", lambda _: None)
    with pytest.raises(UsageError, match="needs root"):
        kernel.become_root(["lab", "demo"])


def test_who_may_use_sudo_goes_on_with_it(monkeypatch):
    called = []
    monkeypatch.setattr(kernel.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(kernel.shutil, "which", lambda _: "/usr/bin/sudo")
    monkeypatch.setattr(kernel.sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(kernel.os, "execv", lambda path, arguments: called.append((path, arguments)))
    monkeypatch.setenv("MPTCPLAB_HTTP_PORT", "9181")
    kernel.become_root(["lab", "demo"])
    assert called == [("/usr/bin/sudo", ["/usr/bin/sudo", "env", *called[0][1][2:-2], "lab", "demo"])]
    assert "MPTCPLAB_HTTP_PORT=9181" in called[0][1]


def test_a_machine_without_open_vswitch_and_apt_is_told(monkeypatch):
    monkeypatch.setattr(packages.shutil, "which", lambda *_, **__: None)
    with pytest.raises(UsageError, match="openvswitch-switch.*by hand"):
        packages.require("testbed")


def test_a_kernel_without_mptcp_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(kernel, "_MPTCP", tmp_path / "enabled")
    with pytest.raises(UsageError, match="has no MPTCP"):
        kernel.require_mptcp()
