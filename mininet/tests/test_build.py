# SPDX-License-Identifier: Apache-2.0
"""When a build is needed, and which Java is taken."""

import os

import pytest

from mptcplab import build, packages
from mptcplab.errors import LabError


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with one source, one artifact, and a build that is younger than the source."""
    (tmp_path / "app" / "target").mkdir(parents=True)
    (tmp_path / "app" / "src").mkdir()
    (tmp_path / ".lab").mkdir()
    for name in ("app/src/Source.java", "app/target/onos-mptcp-1.oar", ".lab/built"):
        (tmp_path / name).touch()
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "_STAMP", tmp_path / ".lab" / "built")
    at(tmp_path / "app/src/Source.java", 1000)
    at(tmp_path / ".lab/built", 2000)
    return tmp_path


def at(path, seconds):
    os.utime(path, (seconds, seconds))


def test_nothing_to_do_when_sources_are_older(repository):
    assert not build.is_stale()


def test_a_newer_source_asks_for_a_build(repository):
    at(repository / "app/src/Source.java", 3000)
    assert build.is_stale()


def test_what_the_build_itself_wrote_does_not(repository):
    (repository / "app/target/classes").mkdir()
    (repository / "app/target/classes/Source.class").touch()
    (repository / "tests" / "system").mkdir(parents=True)
    (repository / "tests" / "system" / "test_x.py").touch()
    assert not build.is_stale()


def test_a_missing_artifact_asks_for_a_build(repository):
    (repository / "app/target/onos-mptcp-1.oar").unlink()
    assert build.is_stale()


def test_the_first_build(repository):
    (repository / ".lab/built").unlink()
    assert build.is_stale()


@pytest.mark.parametrize("said, threads", [("Could not transfer artifact", [2, 1]), ("COMPILATION ERROR", [2])])
def test_a_download_that_failed_is_tried_again_with_one_module_at_a_time(repository, monkeypatch, said, threads):
    repository.joinpath(".lab/built").unlink()
    ran = []

    def run_maven(arguments, threads=2):
        ran.append(threads)
        return 1, said
    monkeypatch.setattr(build, "_run_maven", run_maven)
    with pytest.raises(LabError):
        build.maven(["verify"])
    assert ran == threads


def java(folder, version):
    (folder / "bin").mkdir(parents=True)
    for program in ("java", "javac"):
        (folder / "bin" / program).touch()
        (folder / "bin" / program).chmod(0o755)
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return str(folder)


def test_java_17_is_found_among_several(tmp_path, monkeypatch):
    there = [java(tmp_path / "a25", "25.0.1"), java(tmp_path / "b17", "17.0.9")]
    monkeypatch.setattr(packages.glob, "glob", lambda _: there)
    monkeypatch.setenv("JAVA_HOME", java(tmp_path / "mine", "25.0.1"))
    assert packages.java_home() == str(tmp_path / "b17")
    assert packages.jdk_home() == str(tmp_path / "b17")


def test_the_users_java_17_comes_first(tmp_path, monkeypatch):
    there = [java(tmp_path / "b17", "17.0.9")]
    monkeypatch.setattr(packages.glob, "glob", lambda _: there)
    monkeypatch.setenv("JAVA_HOME", java(tmp_path / "mine", "17.0.2"))
    assert packages.java_home() == str(tmp_path / "mine")
