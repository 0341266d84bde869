"""Guests screen: it has the guests read while it is in front, and opens one with everything known of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import reclaims, states
from tests.ui.frames import frame, make_app, source_of
from zconsole.actions.intent import Intent
from zconsole.model.guests.guest import GuestState, GuestStatus
from zconsole.model.host.host_state import LinkState, LinkStatus, Reading
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.ui.screens.guests.guest_screens import GuestScreen, GuestsScreen
from zconsole.views.datasets.free_space_proposal import chosen


async def test_guests_are_read_while_the_screen_is_in_front_and_no_longer() -> None:
    app = make_app(states.with_guests())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("V")
        await pilot.pause()
        assert isinstance(app.screen, GuestsScreen)
        await pilot.press("escape")
        await pilot.pause()

        assert [("guests", "storage1", True), ("guests", "storage1", False)] == source_of(app).live


async def test_enter_opens_the_guest_under_the_cursor_live_until_it_is_gone() -> None:
    state = states.with_guests()
    app = make_app(state)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("V", "enter")
        await pilot.pause()
        assert isinstance(app.screen, GuestScreen)
        assert " storage1 · db02 · paused by an I/O error" == frame(app).split("\n", 1)[0]

        guests = tuple(
            replace(each, status=GuestStatus(each.name, GuestState.RUNNING, 1))
            for each in state.guests.value or ()
        )
        source_of(app).replace(replace(state, revision=1, guests=Reading(guests, states.TICKS)))
        await pilot.pause()
        assert " storage1 · db02 · running" == frame(app).split("\n", 1)[0]

        source_of(app).replace(replace(state, revision=2, guests=Reading((), states.TICKS)))
        await pilot.pause()
        assert "this guest is gone" in frame(app)


async def test_a_filter_finds_guests_by_what_their_disks_are_on() -> None:
    app = make_app(states.with_guests())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("V", "slash", *"bulk/vm", "enter")
        await pilot.pause()

        assert isinstance(app.screen, GuestsScreen)
        assert 1 == app.screen.rows.count


async def test_a_offers_what_the_state_of_the_guest_allows() -> None:
    app = make_app(states.with_guests())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("V", "a")
        await pilot.pause()

        text = frame(app)
        assert "guest db02" in text
        assert "Resume" in text
        assert "unavailable: it is paused: resume it" in text


async def test_a_guest_of_a_session_is_planned_by_its_uuid() -> None:
    """It may have the name of one of the system."""
    state = states.with_guests()
    guests = tuple(
        replace(each, definition=replace(each.definition, connection="qemu:///session"))
        for each in state.guests.value or ()
    )
    app = make_app(replace(state, guests=Reading(guests, states.TICKS)))

    asked: list[Intent] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.carry_out = lambda _host, intent: asked.append(intent)  # type: ignore[method-assign]
        await pilot.press("V", "u")
        await pilot.pause()

        (resumed,) = [each for each in guests if each.name == "db02"]
        assert [Intent("guest-resume", resumed.definition.uuid)] == asked


async def test_u_plans_to_resume_the_guest_and_d_shows_what_its_full_disk_is_on() -> None:
    app = make_app(states.with_guests())
    asked: list[Intent] = []

    async with app.run_test(size=(80, 24)) as pilot:
        app.carry_out = lambda _host, intent: asked.append(intent)  # type: ignore[method-assign]
        await pilot.press("V", "u", "D")
        await pilot.pause()

        assert [Intent("guest-resume", "db02")] == asked
        assert isinstance(app.screen, DatasetsScreen)
        assert "bulk" == app.screen.pool


@pytest.mark.parametrize("place", ["guests", "guest"])
async def test_f_plans_to_destroy_what_frees_space_for_the_paused_guest(place: str) -> None:
    """In the whole pool, since it is that which is full."""
    app = make_app(states.with_guests())
    source = source_of(app)
    source.reclaims = {"oldest": reclaims.oldest()}

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("V", *(("enter",) if place == "guest" else ()))
        await pilot.pause()
        await pilot.press("F", *"80G", "enter")
        await pilot.pause()
        assert "Enter plan destroy" in frame(app)
        await pilot.press("enter")
        await pilot.pause()

        (wish,) = [wish for _, wish in source.wishes]
        assert ("bulk", 80 * states.GIB) == (wish.dataset, wish.need_bytes)
        first, *others = chosen(reclaims.oldest())
        assert [("storage1", Intent("destroy", first, tuple(others)))] == source.prepared


async def test_a_guest_of_a_host_that_is_lost_is_told_as_it_was_with_what_is_wrong_on_top() -> None:
    state = states.with_guests()
    app = make_app(state)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("V", "enter")
        lost = replace(state, revision=1, link=LinkStatus(LinkState.DOWN, "the connection was lost"))
        source_of(app).replace(lost)
        await pilot.pause()

        assert "DOWN ✗ the connection was lost" in frame(app).split("\n", 2)[1]
