"""The tree of datasets: origins and clones, filters and properties."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from time import process_time

import pytest

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from tests.ui.states import GIB, TICKS
from tests.ui.trees import screen_of, seen, typed
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_details import DatasetDetails, PropertyValue
from zconsole.model.host.host_state import Reading


async def test_from_a_clone_to_its_origin_and_back() -> None:
    """What it stands on is opened for it."""
    app = make_app(states.with_datasets())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "end")
        assert "tank/vm2" == screen_of(app).rows.key
        await pilot.press("c")
        assert ["tank/images@gold", "tank/vm2"] == (screen_of(app).rows.key or "").split("\n")
        await pilot.press("c")
        assert "tank/vm2" == screen_of(app).rows.key
        await pilot.press("c", "enter")

        assert "tank/vm2" == screen_of(app).rows.key


async def test_a_snapshot_leads_to_its_clone_and_others_say_that_they_have_none() -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "c")
        assert "it is no clone, and has none" in frame(app)
        await typed(pilot, "has:clones")
        await pilot.press("end", "up", "up", "c")

        assert "tank/vm1" == screen_of(app).rows.key


async def test_a_filter_finds_and_a_wrong_one_says_why() -> None:
    """The rows stay as they were while what is typed makes no sense."""
    app = make_app(states.with_datasets())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        await typed(pilot, "held")
        assert "@2026-11-01" in frame(app)
        assert "1 of 11 found" in frame(app)
        await typed(pilot, " older:soon")
        assert "'soon' is not a time" in frame(app).splitlines()[1]
        assert "@2026-11-01" in frame(app)
        await pilot.press("escape")

        assert 7 == screen_of(app).rows.count


@pytest.mark.parametrize("wrong", ["older:3o", "older:abc", "/[a/", "used>"])
async def test_enter_does_not_take_a_filter_with_a_wrong_word_and_nothing_is_marked_by_it(
    wrong: str,
) -> None:
    """The words before the wrong one let more through than was meant, and `*` would mark all of it."""
    app = make_app(states.with_datasets())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("D", "plus")
        await typed(pilot, f"20* {wrong}")
        await pilot.press("enter")
        await pilot.pause()
        assert screen_of(app)._box.has_focus
        assert any("character 5" in each for each in frame(app).splitlines()[2:])

        screen_of(app).rows.focus()
        await pilot.press("asterisk")
        await pilot.pause()
        assert {} == screen_of(app).marks.names
        await pilot.press("n")
        assert "the filter has a wrong word" == screen_of(app)._said[0].text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("foo:bar", "there is no column foo here: its text is looked for"),
        ("refr:5", "there is no column refr here: its text is looked for; did you mean"),
        ("used>80%", "USED is a size, such as 10G; '80%' is none"),
    ],
)
async def test_a_filter_that_finds_nothing_says_what_is_wrong_with_its_columns(words: str, told: str) -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("D")
        await typed(pilot, words)
        await pilot.press("enter")

        assert await seen(pilot, app, told)
        assert "no row matches" in frame(app)


async def test_the_line_of_a_filter_has_it_once() -> None:
    """With a message before it, with the offer of the tour, and alone."""
    app = make_app(states.with_datasets())

    async with app.run_test(size=(160, 24)) as pilot:
        await pilot.press("f3", "D")
        await typed(pilot, "tank/vm")
        await pilot.press("enter")
        screen_of(app).say("a message")

        assert 1 == frame(app).count("filter tank/vm")


async def test_the_cursor_is_on_a_match_and_not_on_the_way_to_it() -> None:
    """An action after a filter would be one of the pool's root."""
    app = make_app(states.with_datasets())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        assert "tank" == screen_of(app).rows.key
        await typed(pilot, "tank/vm2")

        assert "tank/vm2" == screen_of(app).rows.key


async def test_properties_are_read_only_where_the_cursor_rests() -> None:
    """With their sources; of a clone also what it got since its origin."""
    app = make_app(states.with_datasets())
    source = source_of(app)
    source.looks["tank/vm2"] = DatasetDetails(
        "tank/vm2", (PropertyValue("compression", "zstd", "inherited from tank"),), 5 * GIB
    )

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "down", "down", "end")

        assert await seen(pilot, app, "compression=zstd from tank")
        assert ("storage1", "tank/vm2", "tank/images@gold") == source.details_read[-1]


@pytest.mark.parametrize(
    ("source", "words", "is_told"),
    [
        ("local", "consistent: web01, db02 were frozen while it was taken", True),
        ("received", "consistent: web01, db02 were frozen while it was taken", True),
        ("inherited from tank", "org.zconsole:frozen-guests=web01,db02", False),
    ],
)
async def test_of_a_snapshot_it_says_which_guests_were_frozen_while_it_was_taken(
    source: str, words: str, *, is_told: bool
) -> None:
    """A snapshot inherits properties of its dataset, which say nothing of the moment when it was taken."""
    app = make_app(states.with_datasets())
    mark = PropertyValue("org.zconsole:frozen-guests", "web01,db02", source)
    source_of(app).looks["tank/images@gold"] = DatasetDetails("tank/images@gold", (mark,))

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "down", "down", "enter", "down")
        assert "tank/images@gold" == screen_of(app).rows.key

        assert await seen(pilot, app, words)
        assert is_told is ("consistent: " in frame(app))


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("keys", "words"), [("D", "/(a|aa)+$/"), ("D", "/(a+)+$/"), ("", "/(a|aa)+$/")])
async def test_an_expression_that_explodes_never_stops_the_screen_and_is_given_up(
    keys: str, words: str
) -> None:
    """Of CPU time, no two turns of the loop are further apart than a key press may wait."""
    names = [f"tank/{'a' * 60}b{at}" for at in range(3000)]
    pool = replace(
        states.pool_state(replace(states.tank(), name="t" + "/" + "a" * 60 + "b")),
        datasets=Reading(
            (Dataset("tank", "filesystem", 9), *(Dataset(each, "filesystem", 1) for each in names)), TICKS
        ),
    )
    app = make_app(states.host("storage1", pool))
    gaps: list[float] = []

    async def beat() -> None:
        while True:
            began = process_time()
            await asyncio.sleep(0.02)  # a beat, not a wait
            gaps.append(process_time() - began)

    gc.freeze()  # what all tests before have left is not looked through meanwhile
    async with app.run_test(size=(160, 40)) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        beating = asyncio.create_task(beat())
        await typed(pilot, words)
        is_easy = words == "/(a+)+$/"  # the engine sees through it
        expected = "filter /(a+)+$/" if is_easy else "given up: the expression takes too long"
        is_told = await seen(pilot, app, expected)
        beating.cancel()

        assert is_told
        assert 0.5 > max(gaps)
        if keys:
            await pilot.press("asterisk")
            assert not screen_of(app).marks.names


async def test_a_filter_of_many_comes_in_slices_and_keys_come_between() -> None:
    """All of it is there in the end, and marking all that is shown waits for none of it."""
    many = tuple(
        Dataset(f"tank/d{at // 1000}@auto-{at % 1000}", "snapshot", 1, createtxg=at) for at in range(15_000)
    )
    systems = (Dataset("tank", "filesystem", 9), *(Dataset(f"tank/d{at}", "filesystem") for at in range(15)))
    pool = replace(states.pool_state(states.tank()), datasets=Reading((*systems, *many), TICKS))
    app = make_app(states.host("storage1", pool))

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        await typed(pilot, "auto-*7")
        await pilot.press("asterisk")
        await pilot.pause()

        assert 1500 == len(screen_of(app).marks.names)
        assert "1500 of 15016 found" in frame(app)
