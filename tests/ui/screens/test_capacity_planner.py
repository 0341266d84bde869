"""The planner of purchases: answers while it is typed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.reports.captured import captured
from tests.ui import states
from tests.ui.frames import UTF8, frame, make_app, source_of
from tests.ui.planned import TRIES, TRY_EVERY_S, give_outlook, outlook, settle
from tests.ui.purchases import LOW, SIZES, an_app
from zconsole.base.errors import HostError
from zconsole.model.forecast import Outlook
from zconsole.model.host.host_state import HostState
from zconsole.ui.screens import capacity_planner
from zconsole.ui.screens.capacity_planner import PlannerScreen
from zconsole.ui.screens.pools import PoolsScreen

CHANGES = "add mirror:2; attach mirror-0; snapshots tank/home"


@pytest.mark.parametrize("size", SIZES)
async def test_it_looks_as_it_should(size: str, golden: Callable[[str, str], None]) -> None:
    app = an_app()

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        golden(f"planner-{size}.txt", frame(app))
        for part, key in (("need", "2"), ("layouts", "3"), ("changes", "4"), ("scenarios", "5")):
            await pilot.press(key)
            await pilot.pause()
            golden(f"planner-{part}-{size}.txt", frame(app))
        screen.form.fill({"changes": CHANGES, "bays": "x", "block": "16K", "price": "250"})
        await settle(pilot)
        await pilot.press("4", "pagedown")
        await pilot.pause()
        golden(f"planner-typed-{size}.txt", frame(app))


@pytest.mark.parametrize("size", SIZES)
async def test_the_guests_of_a_full_pool_are_named(size: str, golden: Callable[[str, str], None]) -> None:
    app = make_app(states.with_guests())
    give_outlook(app)

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press("P")
        await settle(pilot)

        golden(f"planner-guests-{size}.txt", frame(app))


@pytest.mark.parametrize(
    ("name", "found"),
    [("empty", outlook(is_empty=True)), ("unread", HostError("zfs list on storage1 gave no answer"))],
)
async def test_a_pool_without_a_past_can_be_planned_for(
    name: str, found: Outlook | Exception, golden: Callable[[str, str], None]
) -> None:
    app = make_app(states.healthy())
    give_outlook(app, found)

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)

        golden(f"planner-{name}-80x24.txt", frame(app))
        assert screen.rows_kept
        assert "8.80TiB" == screen.form.texts["data"]


async def test_a_pool_that_tells_nothing_can_be_planned_for_too() -> None:
    """A suspended pool, one without sizes: the usual fields, and no what-if."""
    app = make_app(states.suspended())

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        await settle(pilot)
        await pilot.press("2")
        await pilot.pause()

        assert "data today" in frame(app)


@pytest.fixture
def real() -> HostState:
    """A host with a pool of a real OpenZFS 2.4."""
    return captured("2.4", "raidz2-healthy")


async def test_a_captured_pool_looks_as_it_should(
    real: HostState, golden: Callable[[str, str], None]
) -> None:
    """Its drives are told in bytes, since none are sold so small."""
    app = make_app(real)

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        await settle(pilot)
        await pilot.press("4")
        await pilot.pause()

        golden("planner-captured-80x24.txt", frame(app))


async def test_without_colour_the_words_say_it_all(golden: Callable[[str, str], None]) -> None:
    app = an_app(environment={**UTF8, "NO_COLOR": "1"})

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        await settle(pilot)

        golden("planner-80x24.txt", frame(app))


async def test_a_terminal_of_ascii_gets_ascii() -> None:
    app = an_app(environment={"TERM": "linux"})

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        await settle(pilot)

        assert frame(app).isascii()


async def test_answers_change_while_it_is_typed() -> None:
    app = an_app()

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        before = screen.rows_kept[0].raw_bytes
        await pilot.press("enter", "tab", "backspace", *"4")
        await settle(pilot)

        assert "4" == screen.form.texts["growth"]
        assert 2 * before == pytest.approx(screen.rows_kept[0].raw_bytes, abs=2)
        assert "x4" in frame(app)
        assert "growth: It becomes so many times as much" in frame(app)


async def test_a_wrong_field_keeps_its_text_and_the_answers_stay() -> None:
    app = an_app()

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        before = screen.rows_kept
        await pilot.press("enter", "end", *"x")
        await settle(pilot)

        assert screen.form.texts["data"].endswith("TiBx")
        assert "counts): 'TiBx' is not a unit of size" in frame(app)
        assert "data✗" in frame(app)
        assert before[0].raw_bytes == screen.rows_kept[0].raw_bytes
        await pilot.press("escape")
        assert "counts): 'TiBx' is not a unit of size" in frame(app)
        await pilot.press("enter", "end", "backspace")
        await settle(pilot)
        assert "✗" not in frame(app)


async def test_what_if_is_typed_and_told_with_its_reasons() -> None:
    app = an_app()

    async with app.run_test(size=SIZES["160x50"]) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        screen.form.begin("changes")
        await pilot.pause()
        await pilot.press(*CHANGES)
        await settle(pilot)
        await pilot.press("escape", "end")
        await pilot.pause()

        assert "▸ add mirror:2" in frame(app)
        assert "✗ attach mirror-0: mirror-0 is not a raidz" in frame(app)
        assert "held snapshots, and those with clones, stay" in frame(app)


async def test_arrows_go_from_field_to_field_and_letters_are_no_commands() -> None:
    app = an_app()

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        seen = []
        for key in ("enter", "down", "down", "down", "down", "down", "up", "up", "tab", "shift+tab"):
            await pilot.press(key)
            await pilot.pause()
            seen.append(screen.form.typed_into)
        await pilot.press("q", "x", "escape")

        ways = ["data", "units", "drive", "layouts", "changes", "changes", "layouts", "afr", "layouts", "afr"]
        assert ways == seen
        assert screen.form.texts["afr"].endswith("qx")
        assert screen.form.typed_into is None
        assert app.screen is screen
        await pilot.press("escape")
        assert isinstance(app.screen, PoolsScreen)


async def test_the_fields_follow_the_pool_until_they_are_touched() -> None:
    """What snapshots hold is known a moment later; what the user typed meanwhile stays."""
    app = make_app(states.healthy())
    reading: Future[Outlook] = Future()

    def slow(_host: str, _pool: str) -> Future[Outlook]:
        return reading

    source_of(app).outlook = slow  # type: ignore[method-assign]

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        for _ in range(100):
            await pilot.pause(0.02)
            if "8.80TiB" in frame(app):
                break
        screen = app.screen
        assert isinstance(screen, PlannerScreen)
        assert "reading its history" in frame(app)
        screen.form.fill({"bays": "12"})
        reading.set_result(outlook())
        await settle(pilot)

        assert "8.02TiB" == screen.form.texts["data"]
        assert "12" == screen.form.texts["bays"]
        await pilot.press("ctrl+r")
        await settle(pilot)
        assert "5" == screen.form.texts["bays"]


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("size", [(80, 24), (40, 10), (20, 5), (8, 3), (60, 17), (300, 90)])
async def test_every_size_of_terminal_can_be_planned_in(size: tuple[int, int]) -> None:
    app = an_app()

    async with app.run_test(size=size) as pilot:
        await pilot.press("P")
        await settle(pilot)
        await pilot.press("enter", "4", "down", "tab", "escape", "3", "4", "pagedown", "G")
        await pilot.resize_terminal(100, 30)
        await settle(pilot)

        assert all(len(line) <= 100 for line in frame(app).split("\n"))


async def test_keys_are_answered_while_it_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of bays take a while: what is typed meanwhile is seen, and the last of it counts."""
    app = an_app()
    may_end = threading.Event()
    begun: list[str] = []
    whole = capacity_planner._answer

    def slow(texts: Mapping[str, str], *known: Any) -> object:
        begun.append(texts["bays"])
        may_end.wait(30)
        return whole(texts, *known)

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        monkeypatch.setattr(capacity_planner, "_answer", slow)
        screen.form.fill({"bays": "479"})
        for _ in range(200):
            await pilot.pause(0.02)
            if begun:
                break
        screen.form.begin("bays")
        await pilot.pause()
        await pilot.press("end", "backspace", *"6")
        assert "476" == screen.form.texts["bays"]
        assert "476" in frame(app)
        assert not screen.is_settled
        may_end.set()
        await settle(pilot)

        assert ("479", "476") == (begun[0], begun[-1])


async def test_the_first_key_typed_replaces_a_field_and_a_number_of_bays_that_nobody_has_is_refused() -> None:
    app = an_app()

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        screen.form.begin("bays")
        await pilot.pause()
        await pilot.press(*"24")
        await settle(pilot)
        assert "24" == screen.form.texts["bays"]

        await pilot.press("enter")
        before = screen.rows_kept[0]
        for leave in ("enter", "tab", "escape", "down"):
            screen.form.begin("bays")
            await pilot.pause()
            for key in "524":
                await pilot.press(key)
                await settle(pilot)  # 5 and 52 are worked out on the way, and are not what counts
            assert "bays (24 counts): 524 bays are more than 480" in frame(app)
            await pilot.press(leave)
            await settle(pilot)
            assert before == replace(screen.rows_kept[0], texts=before.texts)
            assert "bays (24 counts): 524" in frame(app) or leave in {"tab", "down"}
            screen.form.fill({"bays": "24"})
            await settle(pilot)


async def test_a_value_that_was_left_is_the_one_that_a_refused_one_falls_back_to() -> None:
    app = an_app()

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        screen.form.begin("bays")
        await pilot.pause()
        await pilot.press(*"12", "tab", "shift+tab", *"999")  # left before it was worked out
        await settle(pilot)

        assert "bays (12 counts): 999 bays are more than 480" in frame(app)


async def opened_while_snapshots_are_read(pilot: Pilot[None]) -> None:
    """Open the planner, up to where it says that it reads what snapshots hold."""
    await pilot.press("P")
    for _ in range(TRIES):
        await pilot.pause(TRY_EVERY_S)
        if "8.80TiB" in frame(pilot.app) and "reading how much of the data" in frame(pilot.app):
            break
    assert "NEED: reading how much of the data snapshots hold ..." in frame(pilot.app)


async def test_no_need_is_told_before_the_space_of_snapshots_is_known() -> None:
    """A number that is another one a second later was never one."""
    app = make_app(states.healthy())
    reading: Future[Outlook] = Future()
    source_of(app).outlook = lambda _host, _pool: reading  # type: ignore[method-assign]

    async with app.run_test(size=LOW) as pilot:
        await opened_while_snapshots_are_read(pilot)
        await pilot.press("3")
        reading.set_result(outlook())
        screen = await settle(pilot)
        assert "NEED 8.02 TiB x" in frame(app)
        assert screen.rows_kept
        shown = frame(app).split("\n")
        assert shown[10].startswith(" ── Layouts ─"), "the part that was asked for meanwhile"


async def test_the_first_key_replaces_a_field_that_is_reached_by_tab() -> None:
    app = an_app()

    async with app.run_test(size=LOW) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        await pilot.press("enter", "tab", *"3", "shift+tab", *"9TB")
        await settle(pilot)

        assert "3" == screen.form.texts["growth"]
        assert "9TB" == screen.form.texts["data"]


async def test_what_was_typed_is_there_again_when_the_planner_is_opened_again() -> None:
    app = make_app(states.healthy())
    give_outlook(app)
    async with app.run_test(size=(120, 35)) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        screen.form.fill({"bays": "24", "growth": "3"})
        await settle(pilot)
        await pilot.press("escape", "P")
        again = await settle(pilot)

        assert again is not screen
        assert ("24", "3") == (again.form.texts["bays"], again.form.texts["growth"])

        await pilot.press("ctrl+r")
        await settle(pilot)
        await pilot.press("escape", "P")
        first = await settle(pilot)
        assert "24" != first.form.texts["bays"]


async def test_opened_again_it_waits_too_and_in_place_of_a_refused_value_counts_that_of_the_pool() -> None:
    app = make_app(states.healthy())
    app.planned["storage1", "tank"] = {"bays": "524"}
    reading: Future[Outlook] = Future()
    source_of(app).outlook = lambda _host, _pool: reading  # type: ignore[method-assign]

    async with app.run_test(size=LOW) as pilot:
        await opened_while_snapshots_are_read(pilot)
        reading.set_result(outlook())
        await settle(pilot)

        assert "NEED 8.02 TiB x" in frame(app)
        assert "bays (5 counts): 524 bays are more than 480" in frame(app)


async def test_y_copies_the_proposed_layout_and_the_need() -> None:
    app = an_app()

    async with app.run_test(size=SIZES["80x24"]) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        proposal, need = screen.copyable()
        await pilot.press("y", "enter")
        await pilot.pause()

        assert ["Proposal", "Need"] == [proposal.title, need.title]
        assert "drives of" in proposal.text
        assert need.text.startswith("NEED ")
        assert proposal.text == app.clipboard
