"""Fields of the planner: usual values, wrong texts, and those of a pool."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.capacity.fields import texts
from tests.ui.states import tank
from zconsole.analysis.capacity.planner_inputs import (
    FIELDS,
    USUAL,
    drive_text,
    read_inputs,
    seen_growth,
    usual_texts,
)
from zconsole.analysis.pool_growth.live_pool import today
from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.base.quantities import TIB
from zconsole.model.forecast import Trend
from zconsole.model.pools.space_samples import DatasetUse


def test_the_fields_are_those_that_have_a_usual_value() -> None:
    assert [field.id for field in FIELDS] == list(USUAL)


@pytest.mark.parametrize(
    ("says", "field", "text"),
    [
        ("ambiguous", "data", "10,5TB"),
        ("is not a factor from 1", "growth", "0.5"),
        ("'99' is not from 1 to 50", "growth", "5%x99"),
        ("no growth has been seen yet", "growth", "seen"),
        ("is not a number", "snapshots", "a"),
        ("is full at some percent", "fill", "0%"),
        ("0 systems are not", "systems", "0"),
        ("is not a block size", "block", "100K"),
        ("not a kind of drive", "drive", "12TB:tape"),
        ("disks are needed", "bays", "1"),
        ("524 bays are more than 480", "bays", "524"),
        ("is below 0", "price", "-2"),
        ("yearly failure rate", "afr", "100%"),
        ("yearly failure rate", "afr", "99"),
        ("a TiB is 1.0995 TB", "units", "99"),
        ("systems are not from 1 to 20", "systems", "99"),
        ("a raidz3 has at least 4", "layouts", "mirror:2; raidz3:3"),
        ("'shrink' is not a change", "changes", "shrink"),
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


@given(st.dictionaries(st.sampled_from(sorted(USUAL)), st.text(max_size=12), max_size=14))
def test_no_text_at_all_breaks_a_field(found: dict[str, str]) -> None:
    inputs, wrong = read_inputs({**USUAL, **found}, USUAL)

    assert wrong.keys() <= found.keys()
    assert inputs.data_bytes > 0
