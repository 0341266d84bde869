"""What there is of each family of snapshots, one character a period, and the gaps in words."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.model.datasets.dataset import Dataset
from zconsole.views.datasets.snapshot_calendar import BEFORE, MISSING, TAKEN, calendar_lines
from zconsole.views.layout.styled_text import line_width, plain

NOW = 1_795_219_200  # 2026-11-21 00:00 UTC
HOUR, DAY = 3600, 86400
CELLS = 60


def snapshots(times: Iterable[int], kind: str = "hourly") -> list[Dataset]:
    """As sanoid takes them, so many seconds ago."""
    return [
        Dataset(f"tank/a@autosnap_2026-11-20_{number:02d}:00:00_{kind}", "snapshot", creation=NOW - ago)
        for number, ago in enumerate(sorted(times, reverse=True))
    ]


def drawn(found: Iterable[Dataset], cells: int = CELLS) -> list[str]:
    return [plain(line) for line in calendar_lines(found, NOW, cells)]


def strip(lines: list[str]) -> str:
    """The periods, between the date that they begin with and `now`."""
    (found,) = (line for line in lines if is_strip(line))
    return found.removesuffix(" now")[19:]


def is_strip(line: str) -> bool:
    return line.endswith(" now") and "missing" not in line


def test_a_dataset_without_snapshots_says_so() -> None:
    assert ["It has no snapshots."] == drawn([])


def test_each_period_is_a_character_and_the_newest_is_at_the_right() -> None:
    lines = drawn(snapshots(HOUR * number + 60 for number in range(12)))

    assert TAKEN * 12 == strip(lines)
    assert any("12 snapshots" in line for line in lines)
    assert any("every 1h, no gaps" in line for line in lines)
    assert not any("LATE" in line for line in lines)


def test_what_was_not_taken_is_a_gap_with_its_times() -> None:
    ages = [HOUR * number + 60 for number in range(12) if number not in {4, 5}]
    lines = drawn(snapshots(ages))

    assert TAKEN * 6 + MISSING * 2 + TAKEN * 4 == strip(lines)
    assert "  2 missing between 2026-11-20 17:59 and 2026-11-20 20:59" in lines


def test_a_family_that_has_stopped_is_late() -> None:
    lines = drawn(snapshots(HOUR * number + 60 for number in range(5, 12)))

    assert TAKEN * 7 + MISSING * 5 == strip(lines)
    assert any("LATE, the newest is 5h01m old" in line for line in lines)
    assert any("missing between 2026-11-20 18:59 and now" in line for line in lines)


@pytest.mark.parametrize(("number", "shown"), [(2, "2"), (9, "9"), (10, "+"), (40, "+")])
def test_several_in_one_period_are_a_number(number: int, shown: str) -> None:
    ages = [HOUR * each + 60 for each in range(12) if each != 3]
    lines = drawn(snapshots([*ages, *(3 * HOUR + 60 + each for each in range(number))]))

    assert shown == strip(lines)[-4]


def test_families_stand_apart_and_the_most_frequent_comes_first() -> None:
    found = snapshots((HOUR * number for number in range(1, 9)), "hourly")
    found += snapshots((DAY * number for number in range(1, 6)), "daily")
    lines = drawn(found)

    hourly, daily = (
        next(at for at, line in enumerate(lines) if kind in line) for kind in ("hourly", "daily")
    )
    assert hourly < daily


@given(
    ages=st.lists(st.integers(0, 90 * DAY), max_size=60),
    kind=st.sampled_from(["hourly", "daily", "weekly", "monthly", "yearly", "frequently"]),
    cells=st.integers(40, 200),
)
def test_no_strip_is_wider_than_its_room_and_each_snapshot_in_it_shows(
    ages: list[int], kind: str, cells: int
) -> None:
    lines = list(calendar_lines(snapshots(ages, kind), NOW, cells))

    strips = [line for line in lines if is_strip(plain(line))]
    assert all(line_width(line) <= cells for line in strips)
    for line in strips:
        assert not set(plain(line)[19:].removesuffix(" now")) - {TAKEN, MISSING, BEFORE, "+", *"23456789"}
