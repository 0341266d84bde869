"""The alert rules and the dashboard that come with the program, read by Prometheus's own tool."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TESTS
from tests.doubles.prometheus_server import needs_prometheus
from zconsole.cli.commands.monitoring.exporter import shipped
from zconsole.reports.prometheus.host_metrics import FAMILIES

NAMES = {f"{each.name}_total" if each.is_counter else each.name for each in FAMILIES}

OPTIONS = {  # required in Grafana's own schema, as grafana-foundation-sdk 0.0.22 checks it
    "stat": {
        "graphMode", "colorMode", "justifyMode", "textMode", "wideLayout", "showPercentChange",
        "percentChangeColorMode", "reduceOptions", "orientation",
    },
    "table": {"frameIndex", "showHeader"},
    "bargauge": {
        "displayMode", "valueMode", "namePlacement", "showUnfilled", "sizing", "minVizWidth", "minVizHeight",
        "maxVizHeight", "legend", "reduceOptions", "orientation",
    },
    "timeseries": {"legend", "tooltip"},
}  # fmt: skip


def promtool(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    needs_prometheus()
    return subprocess.run(["promtool", *words], cwd=folder, capture_output=True, text=True, check=False)


def metrics_in(expression: str) -> set[str]:
    return set(re.findall(r"\bzconsole_[a-z_]+", expression))


def test_the_rules_fire_when_they_should(tmp_path: Path) -> None:
    (tmp_path / "alert_rules.yml").write_text(shipped("rules"))
    test = TESTS / "reports/prometheus/alert_rules_test.yml"
    (tmp_path / "test.yml").write_text(test.read_text())

    checked = promtool(tmp_path, "check", "rules", "--lint-fatal", "alert_rules.yml")
    assert (0, "") == (checked.returncode, checked.stderr)
    tested = promtool(tmp_path, "test", "rules", "test.yml")
    assert 0 == tested.returncode, tested.stdout + tested.stderr


def test_every_rule_is_tested() -> None:
    rules = set(re.findall(r"alert: (\w+)", shipped("rules")))
    tested = set(
        re.findall(r"alertname: (\w+)", (TESTS / "reports/prometheus/alert_rules_test.yml").read_text())
    )
    assert rules == tested


def test_rules_and_dashboard_name_metrics_that_there_are() -> None:
    named = metrics_in(shipped("rules")) | {name for each in expressions() for name in metrics_in(each)}

    assert len(named) > 10
    assert set() == named - NAMES


def test_prometheus_understands_the_queries_of_the_dashboard(tmp_path: Path) -> None:
    lines = ["groups:", "- name: dashboard", "  rules:"]
    for number, each in enumerate(expressions()):
        filled = each.replace("$host", ".*").replace("$pool", ".*")
        lines += [f"  - record: dashboard:q{number}", f"    expr: {json.dumps(filled)}"]
    (tmp_path / "queries.yml").write_text("\n".join([*lines, ""]))

    checked = promtool(tmp_path, "check", "rules", "queries.yml")
    assert 0 == checked.returncode, checked.stderr


def test_the_dashboard_is_whole() -> None:
    panels: list[dict[str, Any]] = json.loads(shipped("dashboard"))["panels"]

    assert len(panels) == len({each["id"] for each in panels})
    places = [
        (x, y)
        for each in panels
        for x in range(each["gridPos"]["x"], each["gridPos"]["x"] + each["gridPos"]["w"])
        for y in range(each["gridPos"]["y"], each["gridPos"]["y"] + each["gridPos"]["h"])
    ]
    assert len(places) == len(set(places)), "no panel lies on another"
    assert max(x for x, _ in places) < 24
    assert {"${datasource}"} == {each["datasource"]["uid"] for each in panels}


@pytest.mark.parametrize("kind", OPTIONS)
def test_panels_have_the_options_that_the_schema_of_grafana_wants(kind: str) -> None:
    panels = [each for each in json.loads(shipped("dashboard"))["panels"] if each["type"] == kind]

    assert panels
    assert [] == [each["title"] for each in panels if not each["options"].keys() >= OPTIONS[kind]]
    assert OPTIONS.keys() == {each["type"] for each in json.loads(shipped("dashboard"))["panels"]}


def expressions() -> list[str]:
    dashboard = json.loads(shipped("dashboard"))
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
