# SPDX-License-Identifier: Apache-2.0
"""Failed tests are named, from the results of Maven and of pytest."""

import os

import pytest

from mptcplab import results
from mptcplab.errors import LabError

MAVENS = """<testsuite><testcase name="adds" classname="org.example.SumTest">
<failure message="expected: 3&#10;but was: 4"/></testcase>
<testcase name="ends" classname="org.example.SumTest"/></testsuite>"""
PYTESTS = """<testsuites><testsuite>
<testcase classname="tests.system.test_x" name="test_a"><failure message="{}">trace</failure></testcase>
<testcase classname="tests.system.test_x" name="test_b"><error message="failed on setup: no ONOS">trace</error></testcase>
<testcase classname="tests.system.test_x" name="test_c"><skipped message="no kernel"/></testcase></testsuite></testsuites>"""


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "ROOT", tmp_path)
    monkeypatch.setattr(results, "FOLDER", tmp_path / ".lab" / "results")
    results.begin()
    return tmp_path


def test_each_failure_is_a_line(repository):
    results.file("tests-system").write_text(PYTESTS.format("assert 1 == 2"))
    assert results.failures() == ["tests.system.test_x test_a: assert 1 == 2",
                                  "tests.system.test_x test_b: failed on setup: no ONOS"]


def test_of_a_long_message_only_the_beginning_is_told(repository):
    results.file("tests-system").write_text(PYTESTS.format("x" * 10_000))
    assert len(results.failures()[0]) < 300


def test_of_a_trace_the_end_is_told(repository):
    trace = "AssertionError: Traceback (most recent call last):&#10; x&#10;Bad: y"
    results.file("tests-system").write_text(PYTESTS.format(trace))
    assert results.failures()[0] == "tests.system.test_x test_a: Bad: y"


def test_mavens_results_count_if_they_are_of_this_run(repository):
    report = repository / "app" / "core" / "target" / "surefire-reports" / "TEST-org.example.SumTest.xml"
    report.parent.mkdir(parents=True)
    report.write_text(MAVENS)
    os.utime(report, (1000, 1000))
    assert results.failures(since=1000) == ["org.example.SumTest adds: expected: 3"]
    assert not results.failures(since=1001)


def test_two_runs_of_the_same_tests_leave_two_files(repository):
    results.file("tests-system").write_text("<testsuites/>")
    assert results.file("tests-system").name == "tests-system-2.xml"


def test_a_file_that_was_cut_off_is_told(repository):
    results.file("tests-system").write_text("<testsuites>")
    assert results.failures()[0].startswith("tests-system.xml: cut off")


def test_what_was_there_before_is_forgotten(repository):
    results.file("tests-system").write_text(PYTESTS.format("old"))
    results.begin()
    assert not results.failures()


def test_results_that_are_another_users_are_told(repository, monkeypatch):
    def denied(_):
        raise PermissionError("[Errno 13] Permission denied: 'tests-system.xml'")
    monkeypatch.setattr(results.shutil, "rmtree", denied)
    with pytest.raises(LabError, match="another user's: sudo rm -r .*results"):
        results.begin()


def test_what_root_writes_for_a_user_is_the_users_folder(repository, monkeypatch):
    given = []
    monkeypatch.setenv("SUDO_UID", "1000")
    monkeypatch.setenv("SUDO_GID", "100")
    monkeypatch.setattr(results.os, "chown", lambda path, user, group: given.append((path, user, group)))
    results.begin()
    assert given == [(results.FOLDER, 1000, 100), (results.FOLDER.parent, 1000, 100)]
