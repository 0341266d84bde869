"""Of very many snapshots the names are there at once, and the rest is read where it is looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.listings import listing_of
from tests.ui.frames import frame, make_app, source_of
from tests.ui.many_snapshots import EACH, SYSTEMS, TRIES, app_with_many_snapshots, every, host_with, listed
from tests.ui.states import NOW
from tests.ui.trees import screen_of, seen, typed
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.datasets_and_snapshot_table import Listing
from zconsole.ui.app import ZConsoleApp


@pytest.fixture
def app() -> ZConsoleApp:
    return app_with_many_snapshots()


async def test_the_names_are_there_at_once_and_the_rest_is_read_of_those_in_sight(app: ZConsoleApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        await pilot.pause()
        assert "100k snapshots" in frame(app)
        assert "52 datasets" in frame(app)
        assert "read 7s ago" in frame(app)
        await pilot.press("plus", "end")
        await pilot.pause()
        assert "tank/d49@auto-1999" == screen_of(app).rows.key

        assert await seen(pilot, app, "destroying it alone frees 1.00 GiB", TRIES)
        asked = [name for _, names in source_of(app).asked_values for name in names]
        assert "tank/d49@auto-1999" in asked
        assert "tank/d48@auto-1999" not in asked
        assert len(set(asked)) < EACH  # what was in sight, and a screenful above and below


async def test_a_filter_finds_by_name_and_what_it_must_know_is_read(app: ZConsoleApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        await typed(pilot, "/d0[12]@.*99$/")
        assert await seen(pilot, app, "40 of 100053 found, Esc", TRIES)
        await typed(pilot, " held")
        assert await seen(pilot, app, "0 of 100053 found, Esc", TRIES)
        assert {"tank/d01@auto-0099"} <= {n for _, names in source_of(app).asked_values for n in names}
        await pilot.press("escape")
        await typed(pilot, "d03@ held")

        assert await seen(pilot, app, "2 of 100053 found, Esc", TRIES)
        assert "@auto-1007" in frame(app)
        assert ("storage1", ("tank/d03",)) in source_of(app).asked_values


async def test_rows_are_sorted_by_what_is_read_for_it(app: ZConsoleApp) -> None:
    """Of what is opened; the largest first."""
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "down", "down", "enter")
        assert "tank/d00" == screen_of(app).rows.key
        await pilot.press("o", "o")
        await pilot.press("O")

        assert await seen(pilot, app, "@auto-1999", TRIES)
        await pilot.press("down")

        assert await seen(pilot, app, "destroying it alone frees 1.00 GiB", TRIES)
        assert "tank/d00@auto-1999" == screen_of(app).rows.key


async def test_from_the_clone_to_its_origin_and_back(app: ZConsoleApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "down", "c")
        assert ["tank/d01@auto-1000", "tank/copy"] == (screen_of(app).rows.key or "").split("\n")
        await pilot.press("up")
        assert "tank/d01@auto-1000" == screen_of(app).rows.key
        await pilot.press("c")

        assert "tank/copy" == screen_of(app).rows.key


async def test_marks_are_added_up_from_what_is_read_for_them(app: ZConsoleApp) -> None:
    """And stay over a new listing, without those that are gone."""
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        await typed(pilot, "d05@auto-199")
        await pilot.press("asterisk")
        assert await seen(pilot, app, "10 marked", TRIES)
        assert await seen(pilot, app, "free", TRIES)
        assert ("storage1", ("tank/d05",)) in source_of(app).asked_values
        left = [each for each in every().values() if each.name != "tank/d05@auto-1999"]
        source_of(app).replace(host_with(listing_of((*SYSTEMS, *left), as_of=NOW)))

        assert await seen(pilot, app, "9 marked", TRIES)


async def test_while_it_is_listed_what_is_known_stays_usable(app: ZConsoleApp) -> None:
    """The age of the last known state stands above it; what is opened is listed next."""
    table = replace(
        listed().table,
        datasets=tuple(
            replace(each, listed_at=0.0, snapshots=type(each.snapshots)()) if each.name > "tank/d10" else each
            for each in listed().table.datasets
        ),
    )
    source = source_of(app)
    source.replace(host_with(Listing(table, listed().systems, NOW - 3 * 3600, 39)))

    async with app.run_test(size=(120, 60)) as pilot:
        await pilot.press("D")
        await pilot.pause()
        assert "as of 3h ago, reading, 13 of 52 done" in frame(app)
        await typed(pilot, "@auto-0001")
        assert await seen(pilot, app, "11 of 22053 found", TRIES)
        await pilot.press("escape", "end", "enter")
        await pilot.pause()
        assert "its snapshots come next" in frame(app)
        assert any("tank/d49" in first for _, _, first in source.first)
        source.replace(host_with(listed()))
        await pilot.pause()

        assert "tank/d49" == screen_of(app).rows.key
        assert "100k snapshots" in frame(app)


async def test_why_the_last_known_state_is_not_there_is_said(app: ZConsoleApp) -> None:
    source_of(app).replace(host_with(replace(listed(), as_of=None, waiting=3, remark="the index is damaged")))

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        await pilot.pause()

        assert "the index is damaged; everything is read again" in frame(app)


async def test_what_can_be_done_is_offered_without_a_look_at_all_of_them(app: ZConsoleApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "down", "down", "enter", "down", "down", "a")

        assert await seen(pilot, app, "Roll back", TRIES)


async def test_of_the_last_known_state_no_space_is_told_before_it_is_read() -> None:
    """The index has names alone: nothing known is not nothing used."""
    bare = {name: Dataset(name, each.type, guid=each.guid) for name, each in listed().systems.items()}
    app = make_app(host_with(replace(listed(), systems=bare, waiting=52)))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        assert await seen(pilot, app, "100k snapshots", TRIES)

        assert "only in snapshots" not in frame(app)
        assert "0 B" not in frame(app)
