# SPDX-License-Identifier: Apache-2.0
"""Who can do what with ONOS: its login is this run's alone, and ONOS itself can do little with this machine."""

import base64
import contextlib
import glob
import os
import stat
import subprocess
import urllib.error
import urllib.request

import pytest

from life import TIMEOUT
from mptcplab import login, packages
from mptcplab.errors import EndedError, LabError
from mptcplab.login import KNOWN, Login
from mptcplab.namespace import run_folder
from mptcplab.onos import Onos
from mptcplab.processes import wait_for
from mptcplab.settings import HTTP_PORT

_NOT_OURS = [("onos", "rocks"), ("karaf", "karaf"), ("onos", ""), ("admin", "admin")]


@pytest.fixture(params=["/onos/v1/applications", "/onos/v1/mptcp/connections", "/onos/mptcp/"])
def address(request, session_testbed):
    """An address that answers: REST's, the application's REST's or the page's."""
    wait_for(f"{request.param} there", lambda: status(request.param, session_testbed.onos.login.authorization) == 200, TIMEOUT)
    return request.param


def status(address, authorization):
    """The HTTP status that a request gets."""
    request = urllib.request.Request(f"http://127.0.0.1:{HTTP_PORT}{address}", headers={"Authorization": authorization})
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=TIMEOUT) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


@pytest.mark.parametrize("user, password", _NOT_OURS)
def test_the_logins_that_everybody_knows_are_refused(address, user, password):
    assert status(address, "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()) == 401


def test_the_command_line_takes_this_runs_login_alone(session_testbed, monkeypatch):
    onos = session_testbed.onos
    ours = onos.login
    assert "state=" in onos.shell("onos:links")
    monkeypatch.setattr(onos, "login", Login(ours.page, KNOWN.shell))
    with pytest.raises(LabError, match="command line"):
        onos.shell("onos:links")


def test_it_is_kept_for_its_owner_alone(session_testbed):
    kept = run_folder() / login.FILE
    users = glob.glob(f"{run_folder()}/onos/**/etc/users.properties", recursive=True)
    assert len(users) == 1
    for path in (kept, *users):
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600, path
    assert stat.S_IMODE(os.stat(run_folder() / "onos").st_mode) == 0o700
    assert login.read(kept) == session_testbed.onos.login


def test_the_password_is_on_no_command_line_and_in_no_log(session_testbed, monkeypatch):
    onos = session_testbed.onos
    commands = []
    run = subprocess.run

    def noted(command, **options):
        commands.append(" ".join(command))
        return run(command, **options)
    monkeypatch.setattr(subprocess, "run", noted)
    onos.shell("onos:links")
    assert len(commands) == 1
    said = [*commands, *command_lines(), onos.log()]
    assert not any(password in one for one in said for password in (onos.login.page, onos.login.shell))


def command_lines():
    """Those of all processes in the namespace."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as cmdline:
                found.append(cmdline.read().decode(errors="replace").replace("\0", " "))
        except OSError:
            continue
    return found


def test_a_releases_copy_has_this_runs_login_and_no_privileges_either(session_testbed, tmp_path, monkeypatch):
    # This one needs no Java, and the machine may have none for a release.
    monkeypatch.setattr(packages, "release_java_home", packages.java_home)
    release = tmp_path / "release"
    etc = release / "apache-karaf-4.2.9" / "etc"
    etc.mkdir(parents=True)
    (etc / "users.properties").write_text(KNOWN.users)
    (etc / "keys.properties").write_text("karaf = key,_g_:admingroup\n")
    (release / "bin").mkdir()
    script = release / "bin" / "onos-service"
    script.write_text("#!/bin/sh\nid -u >user.new; mv user.new user; echo it is none; exit 3\n")
    script.chmod(0o755)
    ours = session_testbed.onos.login
    made = Onos(tmp_path, session_testbed.processes, ours, str(release), "release")
    # It may seem to be up, as another one answers.
    with contextlib.suppress(EndedError):
        made.start()
    home = run_folder() / "release"
    wait_for("the script's answer", (home / "user").exists, TIMEOUT)
    assert int((home / "user").read_text()) == home.stat().st_uid != 0
    copied = home / "apache-karaf-4.2.9" / "etc"
    assert (copied / "users.properties").read_text() == ours.users and not (copied / "keys.properties").read_text()
    assert stat.S_IMODE((copied / "users.properties").stat().st_mode) == 0o600
    assert (etc / "users.properties").read_text() == KNOWN.users


def test_onos_is_not_root_and_cannot_become_it(session_testbed):
    with open(f"/proc/{session_testbed.onos.pid()}/status", encoding="ascii") as told:
        of = dict(line.rstrip("\n").split(":\t", 1) for line in told)
    assert of["Name"] == "java"
    uids, gids = set(of["Uid"].split()), set(of["Gid"].split())
    assert len(uids) == len(gids) == 1 and "0" not in uids | gids and not of["Groups"].strip()
    assert {of[f"Cap{kind}"].strip("0") for kind in ("Prm", "Eff", "Amb")} == {""}
    assert of["NoNewPrivs"] == "1"
