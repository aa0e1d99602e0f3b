# SPDX-License-Identifier: Apache-2.0
"""The login of a run: made anew, kept for its owner alone, and the only one that a new ONOS takes."""

import netrc
import os
import stat
import subprocess

import pytest

from mptcplab import login, unprivileged
from mptcplab.errors import LabError
from mptcplab.settings import ROOT

INSTANCE = ROOT / "onos/assembly/src/main/bin/onos-instance"
USERS = ROOT / "onos/assembly/src/main/etc/users.properties"


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def passwords(users):
    """User → password of a users.properties; groups are no users."""
    entries = [line.split(" = ", 1) for line in users.splitlines() if line and not line.startswith(("#", "_g_"))]
    return {name: value.split(",")[0] for name, value in entries}


@pytest.fixture
def run_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MPTCPLAB_RUN_FOLDER", str(tmp_path))
    return tmp_path


def test_a_run_has_one_login_that_no_other_run_has(run_folder, tmp_path_factory, monkeypatch):
    made = login.of_this_run()
    assert login.of_this_run() == made == login.read(run_folder / login.FILE)
    monkeypatch.setenv("MPTCPLAB_RUN_FOLDER", str(tmp_path_factory.mktemp("another")))
    other = login.of_this_run()
    assert len({made.page, other.page, login.KNOWN.page}) == len({made.shell, other.shell, login.KNOWN.shell}) == 3
    assert len(made.page) >= 20


def test_its_file_is_its_owners_alone_and_one_for_curl(run_folder):
    before = os.umask(0)
    try:
        made = login.of_this_run()
    finally:
        os.umask(before)
    file = run_folder / login.FILE
    assert mode(file) == 0o600
    assert netrc.netrc(str(file)).authenticators("127.0.0.1")[2] in (made.page, made.shell)
    assert file.read_text().splitlines()[0] == f"machine 127.0.0.1 login onos password {made.page}"


def test_the_known_login_only_if_asked_for(run_folder):
    made = login.of_this_run(known=True)
    assert (made.page, made.shell) == ("rocks", "karaf")
    assert "user onos, password rocks" in login.told() and "(password karaf)" in login.told()


def test_what_is_printed_lets_somebody_in(run_folder):
    made = login.of_this_run()
    assert f"(user onos, password {made.page})" in login.told() and str(run_folder / login.FILE) in login.told()


def test_it_does_not_show_by_accident(run_folder):
    made = login.of_this_run()
    assert made.page not in f"{made} {made!r}"


def test_a_file_that_is_there_is_not_written_over(tmp_path):
    (tmp_path / "there").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        login.write_private(tmp_path / "there", "x")
    (tmp_path / "half").write_text("machine 127.0.0.1 login onos password x\n")
    with pytest.raises(LabError, match="is no login"):
        login.read(tmp_path / "half")


def test_karafs_users_are_these_two(run_folder):
    made = login.of_this_run()
    assert passwords(made.users) == {"onos": made.page, "karaf": made.shell}
    group = next(line for line in made.users.splitlines() if line.startswith("_g_"))
    assert group in USERS.read_text().splitlines()


def test_the_assembly_alone_lets_nobody_in():
    assert passwords(USERS.read_text()) == {}


@pytest.fixture
def prepare(tmp_path):
    """Makes a directory with onos-instance, from an installation without ONOS; returns its users.properties and the messages."""
    home = tmp_path / "home"
    for folder in ("apps/one", "config", "karaf/etc", "bin"):
        (home / folder).mkdir(parents=True)
    (home / "VERSION").write_text("1")
    for name in ("org.ops4j.pax.web.cfg", "org.apache.karaf.shell.cfg"):
        (home / "karaf/etc" / name).write_text("")
    (home / "karaf/etc/users.properties").write_bytes(USERS.read_bytes())
    (home / "bin/onos-instance").write_bytes(INSTANCE.read_bytes())
    (tmp_path / "java").write_text("#!/bin/sh\necho ' java.specification.version = 17'\n")
    (tmp_path / "java").chmod(0o755)

    def run(name, **environment):
        done = subprocess.run(["bash", str(home / "bin/onos-instance"), "--prepare", str(tmp_path / name)], capture_output=True,
                              text=True, timeout=60, env={**os.environ, "ONOS_JAVA": str(tmp_path / "java"), **environment})
        assert done.returncode == 0, done.stderr
        return tmp_path / name / "karaf/etc/users.properties", done.stdout + done.stderr
    return run


def test_a_directory_of_onos_instance_has_a_login_of_its_own(prepare):
    (one, said), (other, _) = prepare("one"), prepare("other")
    first, second = passwords(one.read_text()), passwords(other.read_text())
    assert set(first) == set(second) == {"onos", "karaf"}
    assert len({first["onos"], second["onos"], "rocks", "karaf"}) == 4 and len(first["onos"]) >= 20
    assert mode(one) == 0o600 and mode(one.parent) == 0o700
    assert str(one) in said and first["onos"] not in said


def test_or_the_users_that_it_is_given(prepare, tmp_path):
    login.write_private(tmp_path / "users", login.KNOWN.users)
    users, _ = prepare("one", ONOS_USERS=str(tmp_path / "users"))
    assert users.read_text() == login.KNOWN.users and mode(users) == 0o600


def test_an_account_is_nobodys():
    uid = unprivileged._unused()
    assert uid in range(61184, 65520) and uid not in unprivileged._running()


def test_what_everybody_reads_stays_where_it_is():
    assert str(unprivileged.readable(unprivileged.Path("/usr/bin/env"), "env")) == os.path.realpath("/usr/bin/env")


@pytest.mark.parametrize("closed", ["folder", "folder/file"])
def test_what_an_account_cannot_read_is_found(tmp_path, closed):
    (tmp_path / "folder").mkdir(mode=0o755)
    (tmp_path / "folder/file").touch(0o644)
    assert all(map(unprivileged._everybody_reads, unprivileged._below(tmp_path)))
    (tmp_path / closed).chmod(0o700 if closed == "folder" else 0o600)
    assert not all(map(unprivileged._everybody_reads, unprivileged._below(tmp_path)))
