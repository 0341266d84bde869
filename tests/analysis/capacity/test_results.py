"""A planning session: every field is read by itself, and what is told follows from the fields."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.captured import captured, states
from tests.ui.states import bulk, tank
from zconsole.analysis.capacity.inputs import FIELDS, USUAL, drive_text, read_inputs, seen_growth, usual_texts
from zconsole.analysis.capacity.results import answers, full_in_days, pick
from zconsole.analysis.capacity.scenario import FORMATS, exported, named, row_of
from zconsole.analysis.pool_growth.live_pool import today
from zconsole.analysis.pool_growth.outcome import ChangeOutcome
from zconsole.analysis.pool_layouts.comparison import Costs, compare
from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.loss_risk import Assumptions
from zconsole.base.errors import UsageError
from zconsole.base.quantities import TB, TIB
from zconsole.model.forecast import Trend
from zconsole.model.pools.space_samples import DatasetUse

DRIVE = parse_drive("12TB")
PLAUSIBLE = {
    "data": ("10TiB", "11 TB", "12T", "0TiB", ""),
    "growth": ("2", "15%", "15%x3", "seen", "-1", "5%x99", "x"),
    "snapshots": ("1.3", "0.5", "nan"),
    "fill": ("80%", "0", "101%"),
    "units": ("1.1", "exact", "2000"),
    "redundancy": ("2", "1.4", ""),
    "systems": ("3", "0", "two"),
    "block": ("128K", "16K", "100K"),
    "drive": ("12TB", "1.92TB:ssd", "64MiB", "4000787030016", "1PB", "12T"),
    "bays": ("8", "24", "2", "1", "1001", "x"),
    "price": ("", "250", "-3"),
    "afr": ("1.5%", "0", "100%"),
    "layouts": ("", "mirror:2 x4; raidz2:8", "raidz3:3", "stripe:3", "; ;"),
    "changes": ("", "add mirror:2; remove mirror-0", "shrink", "snapshots; dedup 2"),
}


def texts(**more: str) -> dict[str, str]:
    return {**USUAL, **more}


def test_the_fields_are_those_that_have_a_usual_value() -> None:
    assert [field.id for field in FIELDS] == list(USUAL)


@pytest.mark.parametrize(
    ("says", "field", "text"),
    [
        ("ambiguous", "data", "10,5TB"),
        ("is no factor from 1", "growth", "0.5"),
        ("'99' is not from 1 to 50", "growth", "5%x99"),
        ("no growth has been seen yet", "growth", "seen"),
        ("is not a number", "snapshots", "a"),
        ("is full at some percent", "fill", "0%"),
        ("0 systems are not", "systems", "0"),
        ("is not a block size", "block", "100K"),
        ("no kind of drive", "drive", "12TB:tape"),
        ("disks are needed", "bays", "1"),
        ("is below 0", "price", "-2"),
        ("yearly failure rate", "afr", "100%"),
        ("a raidz3 has at least 4", "layouts", "mirror:2; raidz3:3"),
        ("'shrink' is no change", "changes", "shrink"),
    ],
)
def test_a_wrong_field_is_a_sentence_and_the_last_right_text_serves(says: str, field: str, text: str) -> None:
    good = texts(growth="3", bays="12")

    inputs, wrong = read_inputs({**good, field: text}, good)

    assert [field] == list(wrong)
    assert says in wrong[field]
    assert inputs == read_inputs(good, good)[0]


def test_the_fields_begin_with_the_pool() -> None:
    found = usual_texts(today(tank()))

    assert "8.80TiB" == found["data"]
    assert "5" == found["bays"]
    held = usual_texts(today(tank()), [DatasetUse("tank", 0, 2 * TIB)])
    assert "6.80TiB" == held["data"]
    assert USUAL == usual_texts(None)


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("12TB", "12TB"),
        ("4TB", "4TB"),
        ("20TB", "20TB"),
        ("500GB", "500GB"),
        ("1TB", "1TB"),
        ("1920GB", "1.92TB"),
    ],
)
def test_a_partition_is_known_by_the_drive_that_is_sold(expected: str, text: str) -> None:
    assert expected == drive_text(parse_drive(text).device_bytes)


def test_another_size_is_told_in_bytes() -> None:
    assert "1610612736" == drive_text(1610612736)
    assert 1610612736 == parse_drive(drive_text(1610612736)).device_bytes


def test_growth_as_it_was_seen() -> None:
    assert pytest.approx(1 + 365.25 * 5 / 1000) == float(seen_growth(1e9, 10**12))
    assert 1 == seen_growth(-5.0, 10**12)
    inputs, wrong = read_inputs(texts(growth="seen"), USUAL, Trend(1e9, 0, 2e9, (), ()), 10**12)
    assert {} == wrong
    assert seen_growth(1e9, 10**12) == next(
        each.value for each in inputs.budget.factors if each.name == "growth"
    )


def test_the_budget_is_the_rule_of_the_article() -> None:
    inputs, _ = read_inputs(texts(data="1TiB"), USUAL)
    found = answers(inputs, None)

    assert 7_150_000_000_000 == found.raw_bytes
    assert round(Fraction("3.25") * TIB) == found.wanted_bytes


def test_mirrors_are_advised_while_they_hold_it() -> None:
    layouts = tuple(parse_layout(text, DRIVE) for text in ("raidz2:8", "mirror:2 x4", "raidz1:8"))
    found = compare(layouts, 131072, Assumptions(), Costs())

    assert 1 == pick(found, 10 * TB)[0]
    place, why = pick(found, 60 * TB)
    assert 0 == place
    assert "nothing serious" in why
    place, why = pick(found, 80 * TB)
    assert place is None  # a raidz1 of large disks
    assert "advised against" in why
    place, why = pick(found, 1000 * TB)
    assert place is None
    assert "raidz1:8 has most" in why


def test_what_if_of_a_live_pool() -> None:
    now = today(tank())
    inputs, wrong = read_inputs(texts(changes="add mirror:2; attach mirror-0; snapshots"), USUAL)
    found = answers(inputs, now, [DatasetUse("tank", 0, TIB)])

    assert {} == wrong
    assert ["add mirror:2", "attach mirror-0", "snapshots"] == [each.name for each in found.asked]
    assert "is no raidz" in found.asked[1].problem
    assert found.asked[0].outcome is not None
    assert found.asked[0].outcome.usable_after > now.usable_bytes
    assert "replace mirror-0" in {each.name for each in found.usual}
    assert "add mirror:2" not in {each.name for each in found.usual}
    assert () == answers(inputs, None).asked


def test_when_a_pool_is_full_after_a_change() -> None:
    found = ChangeOutcome("x", 0, 1000, 300)

    assert 50.0 == full_in_days(found, 10)
    assert full_in_days(found, -1) is None
    assert 0.0 == full_in_days(ChangeOutcome("x", 0, 1000, 900), 10)


@given(st.fixed_dictionaries({key: st.sampled_from(values) for key, values in PLAUSIBLE.items()}))
def test_any_fields_are_answered_and_exported(found: dict[str, str]) -> None:
    """Right or wrong, each field by itself; and every export has every plan."""
    for pool in (tank(), bulk()):
        inputs, wrong = read_inputs(found, USUAL)
        told = answers(inputs, today(pool))
        row = row_of("a plan", found, told)

        assert wrong.keys() <= found.keys()
        assert told.raw_bytes >= told.inputs.data_bytes
        assert row.is_enough == (row.usable_bytes >= row.wanted_bytes)
        for suffix in FORMATS:
            assert "a plan" in exported([row, row], suffix, "tank")


@given(st.dictionaries(st.sampled_from(sorted(USUAL)), st.text(max_size=12), max_size=14))
def test_no_text_at_all_breaks_a_field(found: dict[str, str]) -> None:
    inputs, wrong = read_inputs({**USUAL, **found}, USUAL)

    assert wrong.keys() <= found.keys()
    assert inputs.data_bytes > 0


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


@pytest.mark.parametrize("text", ["", "  ", "x" * 61])
def test_a_plan_has_a_name(text: str) -> None:
    with pytest.raises(UsageError):
        named(text)
    assert "five bays" == named(" five bays ")


@pytest.mark.parametrize("series", ["2.1", "2.3", "2.4"])
def test_every_captured_pool_can_be_planned_from(series: str) -> None:
    """Its own fields are right, and as many disks as it has are compared; what is unknown is refused."""
    planned = 0
    for state in states(series):
        pool = captured(series, state).pools[0].pool.value
        assert pool is not None
        try:
            now = today(pool)
        except UsageError:
            assert pool.usable_bytes is None or any(top.size_bytes is None for top in pool.vdevs), state
            continue
        texts_of_it = usual_texts(now)
        inputs, wrong = read_inputs(texts_of_it, USUAL)
        found = answers(inputs, now)

        assert {} == wrong, state
        assert all(each.outcome is not None for each in found.usual)
        assert found.taken in found.candidates
        planned += 1
    assert planned
