"""The command line finds screens, hosts, pools, disks and datasets by name, the best fit first."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from textual.command import CommandList
from textual.screen import Screen

from tests.ui import states
from tests.ui.frames import UTF8, make_app
from zconsole.ui.command_line.named_place import NamedPlace
from zconsole.ui.command_line.places_and_actions import MOST, best_places, likeness, places
from zconsole.ui.key_bindings_and_palette import Palette
from zconsole.ui.screens.disks import DiskScreen
from zconsole.ui.screens.pool import PoolScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen

SIZE = (80, 24)


def named(*names: str) -> Iterable[NamedPlace]:
    return [NamedPlace("dataset", name, lambda: None) for name in names]


def test_a_whole_name_comes_before_any_number_of_parts() -> None:
    many = [f"tank/{number}/vm" for number in range(MOST + 5)]

    found = best_places(named(*many, "tank", "vm"), "vm")

    assert "vm" == found[0][0].name
    assert MOST == len(found)
    assert many[: MOST - 1] == [place.name for place, _ in found[1:]]


@pytest.mark.parametrize("wanted", ["TANK/VM", "dataset tank/vm"])
def test_a_name_is_found_in_any_case_and_with_its_kind(wanted: str) -> None:
    assert ["tank/vm"] == [place.name for place, _ in best_places(named("tank/vm", "tank"), wanted)]


def test_an_empty_line_offers_nothing() -> None:
    assert [] == best_places(named("tank"), " ")


def test_a_part_is_less_than_a_beginning_and_that_less_than_a_name() -> None:
    (place,) = named("tank/vm")

    scores = [likeness(place, wanted) for wanted in ("nothing", "vm", "tank", "tank/vm")]

    assert sorted(scores) == scores
    assert 0.0 == scores[0]


async def test_every_kind_of_place_is_known_and_leads_there() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        first = app.screen
        assert isinstance(first, ConsoleScreen)
        known = list(places(app, first))

        assert {"screen", "host", "pool", "disk"} <= {each.kind for each in known}
        pool = next(each for each in known if each.kind == "pool")
        disk = next(each for each in known if each.kind == "disk")
        host = next(each for each in known if each.kind == "host")
        reached: list[type[Screen[object]]] = []
        for place in (pool, disk, host):
            place.go()
            await pilot.pause()
            reached.append(type(app.screen))

        assert [PoolScreen, DiskScreen, type(first)] == reached


async def test_enter_takes_what_is_typed_however_fast_and_names_come_before_help() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("colon", *"bulk", "enter")
        await pilot.pause()

        assert isinstance(app.screen, PoolScreen)
        assert "bulk" == app.screen.pool


async def test_enter_on_what_there_is_not_stays() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("colon", *"zzzz", "enter")
        await pilot.pause()

        assert isinstance(app.screen, Palette)


async def test_datasets_have_their_kind_and_are_found_by_it() -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("D")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ConsoleScreen)
        kinds = {each.name: each.kind for each in places(app, screen)}
        volumes = [each.name for each, _ in best_places(places(app, screen), "volume")]

    assert ["file system", "clone", "volume"] == [kinds[name] for name in ("tank", "tank/vm2", "tank/swap")]
    assert "tank/swap" in volumes


@pytest.mark.parametrize(
    "environment",
    [{"TERM": "xterm-16color", "LANG": "C.UTF-8"}, {**UTF8, "NO_COLOR": "1"}],
    ids=["16 colours", "no colours"],
)
async def test_the_line_that_enter_takes_can_be_seen_without_the_colours_of_a_theme(
    environment: dict[str, str],
) -> None:
    app = make_app(states.degraded(), environment=environment)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("colon", *"events")
        await pilot.pause()
        await pilot.press("down")
        await pilot.pause()
        strips = app.screen._compositor.render_strips(app.screen.size)
        underlined = [
            segment.text for strip in strips for segment in strip if segment.style and segment.style.underline
        ]

        option = app.screen.query_one(CommandList).highlighted
        assert option is not None
        shown = str(app.screen.query_one(CommandList).get_option_at_index(option).prompt)
    assert shown.split() == "".join(underlined).split()
