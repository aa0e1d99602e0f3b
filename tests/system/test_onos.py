# SPDX-License-Identifier: Apache-2.0
"""ONOS itself, as its users meet it: login, applications, the command line, and our application removed and put back."""

import json
import re
import subprocess
import urllib.error
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from life import TIMEOUT, deactivate, watch_rules
from mptcplab import demo
from mptcplab.build import oar
from mptcplab.errors import LabError
from mptcplab.login import of_this_run
from mptcplab.onos import APPLICATION
from mptcplab.processes import wait_for
from mptcplab.settings import HTTP_PORT, ROOT

SCRAPER = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1"
"""What a Prometheus accepts."""
EXPECTED = {f"org.onosproject.{name}" for name in ("drivers", "fwd", "hostprovider", "lldpprovider", "openflow", "openflow-base")}


def applications(testbed):
    """State by name."""
    return {one["name"]: one["state"] for one in testbed.onos.rest.get("/applications")["applications"]}


def test_whoever_does_not_log_in_is_refused(session_testbed):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with pytest.raises(urllib.error.HTTPError) as refused:
        opener.open(f"http://127.0.0.1:{HTTP_PORT}/onos/v1/devices", timeout=TIMEOUT)
    assert refused.value.code == 401


def test_the_applications_that_ours_builds_on_are_active(session_testbed):
    states = applications(session_testbed)
    assert {name for name in EXPECTED if states.get(name) == "ACTIVE"} == EXPECTED


@pytest.mark.parametrize("command, answers", [
    ("onos:links", r"state=ACTIVE"), ("onos:flows -s", r"state=ADDED|ADDED"), ("onos:hosts", r"10\.0\.0\.2"),
    ("mptcp-strategies", r"\* widest-disjoint"), ("mptcp-allocators", r"\* max-min"), ("mptcp-policies", "There is no policy"),
    ("mptcp-paths 10.0.0.1 10.0.0.2", r"widest-disjoint +\d.*s\d+ > s"), ("mptcp-events -j -n 1", r"^\["),
    ("onos:devices", r"of:0000000000000001"), ("onos:resources", "Bandwidth"), ("onos:apps -s -a", r"org\.onosproject\.fwd")])
def test_the_command_line_answers(session_testbed, command, answers):
    assert re.search(answers, session_testbed.onos.shell(command))


def test_a_command_with_bad_input_fails_with_one_line(session_testbed):
    with pytest.raises(LabError) as refused:
        session_testbed.onos.shell("mptcp-paths 10.0.0.1 203.0.113.9")
    assert str(refused.value).endswith("ONOS knows no host with address 203.0.113.9; 'hosts' lists them")
    assert len(str(refused.value).splitlines()) == 1


def test_listeners_may_take_as_long_as_a_slow_store(testbed):
    """ONOS would remove its own, too."""
    if testbed.onos.is_release:
        pytest.skip("a stock ONOS gives them two seconds")
    core = testbed.onos.rest.get("/configuration/org.onosproject.core.impl.CoreManager")["org.onosproject.core.impl.CoreManager"]
    assert core["maxEventTimeLimit"] == ("2000" if testbed.stock_like else "120000")


def test_the_api_documents_of_onos_have_ours(session_testbed):
    request = urllib.request.Request(f"http://127.0.0.1:{HTTP_PORT}/onos/v1/docs/apis/onos/v1/mptcp/swagger.json",
                                     headers={"Authorization": of_this_run().authorization})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=TIMEOUT) as answer:
        document = json.load(answer)
    assert document["swagger"] == "2.0" and "/connections/{id}" in document["paths"]


def test_prometheus_reads_the_metrics(session_testbed):
    """They need a login, and agree with what REST says of the network. The dashboard names no others."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(f"http://127.0.0.1:{HTTP_PORT}/onos/v1/mptcp/metrics", headers={"Accept": SCRAPER})
    with pytest.raises(urllib.error.HTTPError) as refused:
        opener.open(request, timeout=TIMEOUT)
    assert refused.value.code == 401
    request.add_header("Authorization", of_this_run().authorization)
    with opener.open(request, timeout=TIMEOUT) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain")
        families = {family.name: family for family in text_string_to_metric_families(answer.read().decode())}
    links = {(link["source"], link["target"]) for link in session_testbed.onos.rest.get("/mptcp/links")["links"]}
    told = {(sample.labels["source"], sample.labels["destination"])
            for sample in families["onos_mptcp_link_utilization_ratio"].samples}
    assert told == links
    assert not [name for name, family in families.items() if family.documentation.startswith("The counter")]
    samples = {sample.name for family in families.values() for sample in family.samples}
    dashboard = (ROOT / "docs/grafana-dashboard.json").read_text(encoding="utf-8")
    assert not set(re.findall(r"onos_mptcp_[a-z0-9_]+", dashboard)) - samples - {"onos_mptcp_fairness_ratio"}


@pytest.mark.long
def test_promtool_finds_nothing_wrong_with_the_metrics_and_the_alerts(testbed):
    request = urllib.request.Request(f"http://127.0.0.1:{HTTP_PORT}/onos/v1/mptcp/metrics",
                                     headers={"Authorization": of_this_run().authorization})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=TIMEOUT) as answer:
        metrics = answer.read()
    for arguments, given in ((["check", "metrics"], metrics), (["check", "rules", ROOT / "docs/prometheus-alerts.yml"], None)):
        done = subprocess.run(["promtool", *arguments], input=given, capture_output=True, timeout=TIMEOUT)
        assert done.returncode == 0, (done.stdout + done.stderr).decode()


def ours_in_onos_metrics(testbed):
    """Names of our metrics in ONOS's own metrics service."""
    return {metric["name"] for metric in testbed.onos.rest.get("/metrics")["metrics"] if metric["name"].startswith("Mptcp.")}


def test_onos_own_metrics_service_has_ours_while_the_application_is_active(testbed):
    onos = testbed.onos
    active = ours_in_onos_metrics(testbed)
    assert {"Mptcp.Counters.established.join", "Mptcp.RuleWaits.setup", "Mptcp.RuleWaits.reroute"} <= active
    assert not {name for name in active if name.startswith("Mptcp.Counters.spoofed.")}
    with testbed.without_application():
        assert ours_in_onos_metrics(testbed) == set()
    wait_for("the same metrics", lambda: ours_in_onos_metrics(testbed) >= active, TIMEOUT)
    assert onos.application_state() == "ACTIVE"


def test_our_application_is_removed_and_installed_again(testbed):
    onos = testbed.onos
    deactivate(testbed)
    onos.rest.delete(f"/applications/{APPLICATION}")
    try:
        wait_for("the application removed", lambda: APPLICATION not in applications(testbed), TIMEOUT)
        wait_for("none of its rules in a switch", lambda: not watch_rules(testbed), TIMEOUT)
    finally:
        onos.install(oar())
        demo.configure(onos, strategy="widest-disjoint")
    wait_for("its rules in all switches", lambda: watch_rules(testbed) >= len(testbed.network.topology.switches), TIMEOUT)
