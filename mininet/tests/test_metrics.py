# SPDX-License-Identifier: Apache-2.0
"""The metrics for Prometheus: its own parser reads the text, and documents and dashboard name metrics that there are."""

import json
import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

from mptcplab.settings import ROOT

# What the application answers in its unit test, with every kind of metric.
TEXT = ROOT / "app/controller/src/test/resources/metrics.txt"
DOCUMENT = ROOT / "docs/metrics.md"
ALERTS = ROOT / "docs/prometheus-alerts.yml"
DASHBOARD = ROOT / "docs/grafana-dashboard.json"
NAME = r"onos_mptcp_[a-z0-9_]+"


@pytest.fixture(scope="module")
def families():
    """Families by the names that documents use."""
    text = TEXT.read_text(encoding="utf-8")
    return {f"{family.name}_total" if family.type == "counter" else family.name: family
            for family in text_string_to_metric_families(text)}


@pytest.fixture(scope="module")
def dashboard():
    return json.loads(DASHBOARD.read_text(encoding="utf-8"))


def expressions(dashboard):
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]


def test_the_parser_of_prometheus_reads_every_line(families):
    lines = [line for line in TEXT.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert len(lines) == sum(len(family.samples) for family in families.values()) > 100
    for family in families.values():
        assert family.documentation and family.type in ("counter", "gauge", "histogram"), family
    assert not [line for line in lines if not line.startswith("onos_mptcp_")]


def test_names_end_in_their_units(families):
    """Prometheus' conventions: base units, ratios instead of per cents, ``_total`` for what only grows."""
    assert not [name for name in families if re.search("mbps|micros|millis|nanos|percent", name)]
    for name, family in families.items():
        assert family.type != "histogram" or name.endswith("_seconds")
        assert not (family.type == "gauge" and name.endswith("_total"))


def test_histograms_are_those_of_two_waits(families):
    for name in ("onos_mptcp_setup_seconds", "onos_mptcp_reroute_seconds"):
        values = {sample.name + sample.labels.get("le", ""): sample.value for sample in families[name].samples}
        assert values == {f"{name}_bucket0.01": 1, f"{name}_bucket0.1": 2, f"{name}_bucket+Inf": 2,
                          f"{name}_count": 2, f"{name}_sum": 0.06}


def test_a_directed_link_has_one_series_of_each_kind(families):
    for name in (name for name in families if "_link_" in name):
        assert [sample.labels for sample in families[name].samples] == [
            {"source": "of:1/2", "source_name": "s1/2", "destination": "of:2/1", "destination_name": "s2/1"}]


def test_documented_metrics_exist_and_only_counters_are_left_out(families):
    named = set(re.findall(NAME, DOCUMENT.read_text(encoding="utf-8")))
    assert len(named) > 10
    assert not named - set(families)
    counters = {name for name in families if name.endswith("_total")} | {"onos_mptcp_agents_reporting",
                                                                        "onos_mptcp_switches_copying"}
    assert not set(families) - counters - named


def test_the_dashboard_names_metrics_that_there_are(families, dashboard):
    samples = {sample.name for family in families.values() for sample in family.samples}
    named = set(re.findall(NAME, json.dumps(dashboard)))
    assert len(named) > 15
    assert not named - samples


def test_the_dashboard_asks_for_rates_of_counters_and_not_of_gauges(families, dashboard):
    for expression in expressions(dashboard):
        rates = set(re.findall(rf"rate\(({NAME})", expression))
        for name in re.findall(NAME, expression):
            grows = name.endswith(("_total", "_bucket"))
            assert (name in rates) == grows, expression


def test_alerts_name_metrics_and_labels_that_there_are(families):
    text = ALERTS.read_text(encoding="utf-8")
    samples = {sample.name for family in families.values() for sample in family.samples}
    assert set(re.findall(NAME, text)) <= samples
    labels = {label for family in families.values() for sample in family.samples for label in sample.labels}
    assert set(re.findall(r"\$labels\.(\w+)", text)) <= labels
    for expression in re.findall(r"expr: (.*)", text):
        for name in re.findall(NAME, expression):
            # A counter that grew before the start of Prometheus is no news, but for what is counted once, at the start.
            grows = name.endswith(("_total", "_bucket")) and name != "onos_mptcp_store_dropped_total"
            assert bool(re.search(rf"(rate|increase)\({name}\[", expression)) == grows, expression
    names = re.findall(r"alert: (\w+)", text)
    assert len(set(names)) == len(names) == text.count("summary:") == text.count("description:") > 9


def test_every_counter_says_what_it_counts(families):
    assert [name for name, family in families.items() if family.documentation.startswith("The counter")] == []


def test_labels_in_the_dashboard_are_those_of_the_metrics(families, dashboard):
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            name = re.search(NAME, target["expr"])[0].removesuffix("_bucket")
            labels = set(families[name].samples[0].labels)
            assert set(re.findall(r"{{(\w+)}}", target["legendFormat"])) <= labels, target


def test_the_dashboard_is_one_that_grafana_can_place(dashboard):
    assert {"title", "uid", "schemaVersion", "panels", "templating", "time"} <= set(dashboard)
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    taken = set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24, panel["title"]
        taken |= cells
        references = [target["refId"] for target in panel["targets"]]
        assert len(set(references)) == len(references) > 0
        assert all(target["datasource"]["uid"] == "${source}" for target in panel["targets"])
    assert {variable["name"] for variable in dashboard["templating"]["list"]} == {"source", "job"}
    for expression in expressions(dashboard):
        assert expression.count("(") == expression.count(")") and '{job=~"$job"}' in expression
