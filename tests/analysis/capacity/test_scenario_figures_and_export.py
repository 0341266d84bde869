"""Planning scenarios as Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.analysis.capacity.fields import texts
from tests.ui.states import tank
from zconsole.analysis.capacity.compute_planner_results import answers
from zconsole.analysis.capacity.planner_inputs import USUAL, read_inputs
from zconsole.analysis.capacity.scenario_figures_and_export import exported, row_of
from zconsole.analysis.pool_growth.live_pool import today
from zconsole.base.errors import UsageError


def test_exports_can_be_read_again() -> None:
    inputs, _ = read_inputs(texts(price="250", changes="add mirror:2"), USUAL)
    row = row_of('five | "bays", 2', texts(price="250"), answers(inputs, today(tank())))

    document = json.loads(exported([row], ".json", "tank"))
    (line,) = csv.DictReader(io.StringIO(exported([row], ".CSV", "tank")))
    table = exported([row], ".md", "tank on nas1")
    assert row.name == document["scenarios"][0]["name"] == line["name"]
    assert row.usable_bytes == document["scenarios"][0]["usable_bytes"] == int(line["usable_bytes"])
    assert "250" == line["input_price"]
    assert "five \\| " in table
    assert {2} == {
        row.replace("\\|", "").count(" | ") + 1 for row in table.split("\n") if row.startswith("| L")
    }
    with pytest.raises(UsageError, match="is no format"):
        exported([row], ".xls", "tank")
