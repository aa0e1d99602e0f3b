# SPDX-License-Identifier: Apache-2.0
"""An ONOS that ends while it starts: what the user is told, and how soon."""

import time

import pytest

from mptcplab import onos, onoslog
from mptcplab.errors import EndedError, LabError
from mptcplab.login import KNOWN
from mptcplab.processes import Processes, wait_for

LOG = "apache-karaf-4.2.9/data/log/karaf.log"
# As Karaf 4.2.9 says it on Java 17, shortened.
KARAF_ON_17 = """karaf: JAVA_HOME not set; results may vary
Could not create framework: java.lang.IllegalArgumentException: Exported package names cannot be zero length.
java.lang.IllegalArgumentException: Exported package names cannot be zero length.
\tat org.apache.felix.framework.util.manifestparser.ManifestParser.parseExportHeader(ManifestParser.java:786)
"""


class Account:
    """One without privileges to give up."""

    become: tuple[str, ...] = ()
    environment = {"PATH": "/usr/bin:/bin"}

    def __init__(self, home):
        self.home = home

    def clear(self):
        pass

    def own(self, top):
        pass


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Starts a release whose script does this; ends it afterwards."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setattr(onos, "Account", lambda _: Account(home))
    monkeypatch.setattr(onos, "readable", lambda path, _: path)
    monkeypatch.setattr(onos.packages, "release_java_home", lambda: "/opt/java-11")
    processes = Processes()

    def run(script, logged=""):
        release = tmp_path / "release"
        (release / "bin").mkdir(parents=True)
        (release / "apache-karaf-4.2.9" / "etc").mkdir(parents=True)
        if logged:
            (release / LOG).parent.mkdir(parents=True)
            (release / LOG).write_text(logged)
        (release / "bin" / "onos-service").write_text(f"#!/bin/sh\n{script}\n")
        (release / "bin" / "onos-service").chmod(0o755)
        onos.Onos(tmp_path, processes, KNOWN, str(release)).start()
    yield run
    processes.stop_all()


def test_the_first_error_is_told_at_once(start, tmp_path):
    (tmp_path / "said").write_text(KARAF_ON_17)
    begun = time.monotonic()
    with pytest.raises(EndedError) as ended:
        start(f"cat {tmp_path / 'said'}; exit 1")
    assert str(ended.value) == ("ONOS ended with status 1: Could not create framework: java.lang.IllegalArgumentException: "
                                "Exported package names cannot be zero length.")
    assert time.monotonic() - begun < onos.START_SECONDS / 4


def test_an_error_that_only_the_log_has(start):
    with pytest.raises(EndedError, match=r"status 3: 2026-11-23 \| ERROR \| main \| no room$"):
        start("mkdir -p apache-karaf-4.2.9/data/log; echo starting; "
              "printf '2026-11-23 | INFO | main | begins\\n2026-11-23 | ERROR | main | no room\\n2026-11-23 | INFO | ends\\n' "
              f">{LOG}; exit 3")


def test_errors_of_an_earlier_start_are_not_told(start):
    with pytest.raises(EndedError, match="now it is broken$"):
        start(f"echo '2026-11-23 | ERROR | main | now it is broken' >>{LOG}; exit 3", "2025-01-01 | ERROR | main | long ago\n")


@pytest.mark.parametrize("script, says", [("echo bye; exit 0", "bye"), ("exit 0", "it said nothing")])
def test_without_an_error_the_last_line_is_told(start, script, says):
    with pytest.raises(EndedError, match=f"status 0: {says}$"):
        start(script)


def test_it_runs_on_the_java_for_releases(start):
    with pytest.raises(EndedError, match="status 1: on /opt/java-11$"):
        start('echo "on $JAVA_HOME"; exit 1')


def test_a_wait_goes_on_after_other_errors():
    tries = iter([LabError("not yet"), OSError("not yet"), None])

    def condition():
        failure = next(tries)
        if failure:
            raise failure
        return True
    assert wait_for("it", condition, 10)


# As ONOS 2.7.0 says it, shortened.
REFUSED = """2026-11-27T06:00:01,000 | INFO | qtp | ApplicationManager | Application org.subflow.mptcp has been installed
2026-11-27T06:00:01,200 | WARN | atomix | ApplicationManager | Unable to perform operation on application org.subflow.mptcp
org.apache.felix.resolver.reason.ReasonException: Unable to resolve root: missing requirement [root] osgi.identity; \
osgi.identity=onos-mptcp [caused by: Unable to resolve onos-mptcp/0.1.0.SNAPSHOT: missing requirement [onos-mptcp] \
osgi.identity; osgi.identity=controller [caused by: Unable to resolve controller: missing requirement [controller] \
osgi.service; (objectClass=org.subflow.mptcp.api.MptcpService)]]
\tat org.apache.felix.resolver.Candidates$MissingRequirementError.toException(Candidates.java:1341)
2026-11-27T06:00:01,300 | INFO | atomix | ApplicationManager | Application org.subflow.mptcp has been activated
"""
WHY = ("Unable to resolve controller: missing requirement [controller] osgi.service; "
       "(objectClass=org.subflow.mptcp.api.MptcpService)")


class SilentRest:
    """ONOS's REST interface, where the application is active and answers nothing."""

    def get(self, path):
        if path == "/applications":
            return {"applications": [{"name": onos.APPLICATION, "state": "ACTIVE"}]}
        if path == "/system":
            return {"version": "2.7.0"}
        raise LabError(f"{path}: 404")


@pytest.fixture
def unanswered(tmp_path, monkeypatch):
    """An ONOS whose application does not answer; and its log."""
    monkeypatch.setattr(onos, "Account", lambda _: Account(tmp_path))
    silent = onos.Onos(tmp_path, Processes(), KNOWN)
    silent.rest = SilentRest()
    log = tmp_path / "karaf" / "data" / "log" / "karaf.log"
    log.parent.mkdir(parents=True)
    log.write_text("")
    return silent, log


def test_an_application_that_onos_cannot_start_is_told_at_once_with_the_cause(unanswered):
    silent, log = unanswered
    log.write_text(REFUSED)
    begun = time.monotonic()
    with pytest.raises(EndedError) as ended:
        silent.wait_for_application(0)
    assert str(ended.value).startswith(f"ONOS 2.7.0 does not start {onos.APPLICATION}: {WHY}. ")
    assert "report this line" in str(ended.value) and "\n" not in str(ended.value)
    assert time.monotonic() - begun < 5


def test_what_another_application_or_an_earlier_one_could_not_do_is_not_told(unanswered):
    silent, log = unanswered
    log.write_text(REFUSED + REFUSED.replace(onos.APPLICATION, "org.onosproject.gui2"))
    silent._raise_if_refused(len(REFUSED))
    with pytest.raises(EndedError):
        silent._raise_if_refused(0)


@pytest.mark.parametrize("said, why", [
    ("a | WARN | Unable to perform operation on application x\njava.lang.IllegalStateException: no room\n\tat y",
     "java.lang.IllegalStateException: no room"),
    ("a | WARN | Unable to perform operation on application x\nb | INFO | c",
     "a | WARN | Unable to perform operation on application x"),
    ("a | INFO | nothing of that kind", None)])
def test_the_cause_is_what_onos_says_of_it(said, why):
    assert onoslog.refusal(said, "x") == why
