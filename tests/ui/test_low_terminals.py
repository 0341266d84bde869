"""At 40x8 and 60x15 the rows get the room, on every kind of screen, and what must be typed is seen."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.contact_sheets import LOOKS, opened
from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.ui.screens.shared.base_screen import DrawnScreen

LISTS = (
    *("pools-fleet", "pool-io", "datasets", "findings", "advice", "guests", "disks", "settings", "events"),
    *("help", "planner", "load-guests"),
)
DARK = LOOKS[0]


@pytest.mark.parametrize(("size", "least"), [((40, 8), 5), ((60, 15), 8)])
@pytest.mark.parametrize("name", LISTS)
async def test_more_than_half_of_the_lines_are_rows_unless_all_are_seen(
    name: str, size: tuple[int, int], least: int
) -> None:
    async with opened(name, DARK, size) as app:
        assert isinstance(app.screen, DrawnScreen)
        rows = app.screen.rows
        assert rows.size.height >= least or not rows.position  # all are seen


async def test_what_to_do_now_stays_above_the_steps_of_a_repair() -> None:
    async with opened("repair", DARK, (40, 8)) as app:
        assert " Now: wait for the resilver" in frame(app)


async def test_an_error_of_a_filter_is_told_in_the_line_that_is_left() -> None:
    async with opened("datasets-filter-wrong", DARK, (40, 8)) as app:
        assert "character 1: older:x" in frame(app)


@pytest.mark.parametrize(
    ("name", "typed"),
    [("plan-destroy", "storage1:tank/images@gold 7"), ("plan-attach", "ata-ST8000NM000A_ZL2FNEW1")],
)
async def test_the_text_that_confirms_a_plan_is_seen_with_the_place_to_type_it(name: str, typed: str) -> None:
    async with opened(name, DARK, (40, 8)) as app:
        assert typed in frame(app)
        assert "> _" in frame(app)
        assert "Esc  No, go back" in frame(app)


async def test_the_answer_to_an_unknown_key_of_a_host_is_seen() -> None:
    async with opened("host-key", DARK, (40, 8)) as app:
        assert "Enter or Esc no   yes Enter trust it" in frame(app)


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("disks", " ✗ FAULTED: 24 pending…        ZL2F0A91"),
        ("disks", " ▲ OFFLINE                     ZL2F0B17"),
        ("guests", " ✗ I/O error db02 "),
        ("guests", " running     db01 "),
        ("findings", "  ✗ bulk   no redundancy left"),
        ("findings", "  ▲ bulk   DEGRADED for 8h"),
        ("events", " 18 09:06 ereport io  ZL2F0A91"),
    ],
)
async def test_a_row_begins_with_what_judges_it(name: str, begins: str) -> None:
    async with opened(name, DARK, (40, 8)) as app:
        assert any(row.startswith(begins) for row in frame(app).splitlines())


@pytest.mark.parametrize("size", [(40, 8), (60, 15)])
@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("datasets", r"images +20\.0 GiB"),
        ("datasets-limits", r"images +20\.0 GiB"),
        ("datasets-mounts", r"images +yes"),
        ("datasets-ages", r"2026-10-09 11:06"),
        ("pool-identity", r"ONLINE +ZL2F0A11"),
    ],
)
async def test_what_a_view_exists_for_is_not_cut_for_the_sake_of_names(
    name: str, row: str, size: tuple[int, int]
) -> None:
    async with opened(name, DARK, size) as app:
        assert any(re.search(row, each) for each in frame(app).splitlines())


@pytest.mark.parametrize("size", [(40, 8), (80, 24), (120, 35)])
async def test_long_serial_numbers_are_whole_where_they_have_a_column(size: tuple[int, int]) -> None:
    state, serial = states.degraded(), "S6ESNX0T4001181234"
    inventory = state.inventory.value
    assert inventory is not None
    disks = tuple(replace(each, serial=f"{serial}{at:02}") for at, each in enumerate(inventory.disks))
    app = make_app(replace(state, inventory=replace(state.inventory, value=replace(inventory, disks=disks))))

    async with app.run_test(size=size) as pilot:
        await pilot.press("enter", "7", "end")
        await pilot.pause()

        assert re.search(rf" {serial}\d\d ", frame(app).replace("\n", " \n"))


@pytest.mark.parametrize(("size", "least"), [((40, 8), 6), ((60, 15), 12)])
async def test_the_command_line_shows_what_enter_would_take(size: tuple[int, int], least: int) -> None:
    async with opened("command-line", DARK, size) as app:
        typed, first, *_ = rows = frame(app).splitlines()

        assert "sc" == typed.strip()
        assert "screen pools" == first.strip()
        assert least <= sum(1 for row in rows[1:] if row.strip())
