"""Advice: from the list to the plan, and to a silence that is kept, by keys."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from textual.pilot import Pilot

from tests.analysis.build import scrubbed
from tests.ui import plans, states
from tests.ui.frames import frame, make_app, source_of
from zconsole.actions.intent import intent
from zconsole.base.notifications.silence_end import end_of_silence, minute_of
from zconsole.base.notifications.silences import Silence, load_silences
from zconsole.base.user_config_file import config_folder
from zconsole.model.host.host_state import HostState, Reading
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.plan import PlanDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TextDialog
from zconsole.ui.screens.findings.advice import AdviceScreen
from zconsole.ui.screens.findings.finding_screens import FindingScreen, FindingsScreen

TRIES = 200
SIZE = (120, 40)


async def until(pilot: Pilot[object], app: ZConsoleApp, kind: type[object]) -> None:
    """Wait for a screen."""
    for _ in range(TRIES):
        await pilot.pause()
        if isinstance(app.screen, kind):
            return
    raise AssertionError(app.screen)


async def go_to(pilot: Pilot[object], app: ZConsoleApp, finding_id: str) -> AdviceScreen:
    """The Advice screen, with the cursor on a finding."""
    await pilot.press("I")
    await until(pilot, app, AdviceScreen)
    screen = app.screen
    assert isinstance(screen, AdviceScreen)
    for _ in range(TRIES):
        if finding_id in (screen.rows.key or ""):
            return screen
        await pilot.press("down")
    raise AssertionError(frame(app))


def without_risks(state: HostState) -> HostState:
    """The host before the scan of its pools is known."""
    pools = tuple(
        replace(each, pool=Reading(replace(each.pool.value, scan=scrubbed(days_ago=1)), 0.0))
        for each in state.pools
        if each.pool.value is not None
    )
    return replace(state, pools=pools)


def key_of(app: ZConsoleApp) -> str:
    """The row under the cursor."""
    assert isinstance(app.screen, AdviceScreen)
    return app.screen.rows.key or ""


async def test_risks_come_first_then_groups_by_stake_and_below_is_the_reason_of_the_row() -> None:
    app = make_app(states.advised())

    async with app.run_test(size=SIZE) as pilot:
        await go_to(pilot, app, "sync-disabled")
        shown = frame(app)

    places = [shown.index(f"\n {group}  ") for group in ("Risks", "Settings", "Structure", "Guests")]
    assert sorted(places) == places
    assert "Enter plans: set attic sync=standard" in shown
    assert "Found sync=disabled; expected: sync=standard or always" in shown


async def test_guests_and_what_lives_on_datasets_are_read_while_it_is_shown() -> None:
    app = make_app(states.advised())

    async with app.run_test(size=SIZE) as pilot:
        await go_to(pilot, app, "sync-disabled")
        wanted = set(source_of(app).live)
        await pilot.press("escape")
        await pilot.pause()
        ended = set(source_of(app).live) - wanted

    (host,) = {each[1] for each in wanted}
    assert {("guests", host, True), ("contents", host, True)} == wanted
    assert {("guests", host, False), ("contents", host, False)} == ended


async def test_the_plan_is_one_key_away_and_the_ordinary_one() -> None:
    app = make_app(states.advised())
    source_of(app).plans[intent("scrub", "attic")] = plans.scrub()

    async with app.run_test(size=SIZE) as pilot:
        await go_to(pilot, app, "scrub-overdue")
        await pilot.press("enter")
        await until(pilot, app, PlanDialog)


@pytest.mark.parametrize("key", ["enter", "w"])
async def test_where_no_plan_does_it_enter_says_what_to_do_by_hand(key: str) -> None:
    app = make_app(states.advised())

    async with app.run_test(size=SIZE) as pilot:
        await go_to(pilot, app, "raidz-wide")
        assert "Enter what to do; no plan of this program does it" in frame(app)
        await pilot.press(key)
        await until(pilot, app, FindingScreen)
        shown = frame(app)

    places = [shown.index(f"\n {title}") for title in ("Found", "What to do", "By hand", "What that costs")]
    assert sorted(places) == places


async def test_an_untouched_cursor_is_on_the_worst_and_a_moved_one_stays_on_its_row() -> None:
    """What is read last of a host may be the worst."""
    app = make_app(without_risks(states.advised()))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("I")
        await until(pilot, app, AdviceScreen)
        first = key_of(app)
        source_of(app).replace(states.advised(), now=states.NOW, monotonic=states.TICKS + 1)
        await pilot.pause()
        worst = key_of(app)
        await pilot.press("down", "down")
        chosen = key_of(app)
        source_of(app).replace(without_risks(states.advised()), now=states.NOW, monotonic=states.TICKS + 2)
        await pilot.pause()

        assert "sync-disabled" in first
        assert "scrub-overdue" in worst
        assert chosen == key_of(app)


async def test_a_silence_is_shown_kept_and_listed_and_can_be_ended() -> None:
    app = make_app(states.advised())

    async with app.run_test(size=SIZE) as pilot:
        await go_to(pilot, app, "raidz-wide")
        await pilot.press("z")
        await until(pilot, app, MenuDialog)
        assert "this finding alone" in frame(app)
        await pilot.press("1")
        await until(pilot, app, TextDialog)
        assert "z on Alerts acknowledges one alert" in frame(app).replace("\n", " ")
        await pilot.press("enter")
        await until(pilot, app, TextDialog)
        assert "A reason is needed" in frame(app)
        await pilot.press(*"bought so", "enter")
        await until(pilot, app, TextDialog)
        await pilot.press(*"365d", "enter")
        await until(pilot, app, TextDialog)
        assert 'object = "attic raidz2-0"' in frame(app)
        assert not (config_folder() / "silences.toml").exists()
        await pilot.press(*"yes", "enter")
        await until(pilot, app, AdviceScreen)

        (kept,) = load_silences(config_folder())
        assert ("raidz-wide", "attic raidz2-0", "bought so") == (kept.finding, kept.object, kept.reason)
        assert kept == app.config.silences[-1]
        app.screen.show(app.view())
        await pilot.pause()
        assert "silenced (1)" in frame(app)

        await pilot.press("end", "z")
        await until(pilot, app, TextDialog)
        await pilot.press(*"yes", "enter")
        await until(pilot, app, AdviceScreen)
        app.screen.show(app.view())
        await pilot.pause()
        assert "silenced (1)" not in frame(app)
        assert 2 == len(load_silences(config_folder()))


async def test_a_wrong_day_is_asked_for_again_and_nothing_typed_is_lost() -> None:
    app = make_app(states.advised())

    async with app.run_test(size=SIZE) as pilot:
        await go_to(pilot, app, "raidz-wide")
        await pilot.press("z")
        await until(pilot, app, MenuDialog)
        await pilot.press("1")
        await until(pilot, app, TextDialog)
        await pilot.press(*"by design", "enter")
        await pilot.pause()
        assert "90d" in frame(app)
        await pilot.press(*"soon", "enter")
        await pilot.pause()
        assert "'soon' is no time from now" in frame(app)
        await pilot.press(*"30y", "enter")
        await pilot.pause()
        assert "more than 731d" in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "by design" in frame(app)
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press(*"12h", "enter")
        await pilot.pause()
        shown = frame(app)
        await pilot.press(*"no", "enter")
        await until(pilot, app, AdviceScreen)

    ends = end_of_silence("12h", app.states.now())
    assert f"until = {ends:%Y-%m-%dT%H:%M:00Z}" in shown
    assert f"It ends on {ends:%Y-%m-%d %H:%M} UTC" in shown
    assert 'reason = "by design"' in shown
    assert () == load_silences(config_folder())


async def test_on_the_page_in_full_enter_plans_what_that_advice_says() -> None:
    app = make_app(states.advised())
    source_of(app).plans[intent("scrub", "attic")] = plans.scrub()

    async with app.run_test(size=SIZE) as pilot:
        await go_to(pilot, app, "scrub-overdue")
        await pilot.press("w")
        await until(pilot, app, FindingScreen)
        await pilot.press("enter")
        await until(pilot, app, PlanDialog)


async def test_on_the_page_in_full_of_what_no_plan_does_enter_says_so_and_opens_no_repair() -> None:
    app = make_app(states.advised())

    async with app.run_test(size=SIZE) as pilot:
        await go_to(pilot, app, "raidz-wide")
        await pilot.press("w")
        await until(pilot, app, FindingScreen)
        await pilot.press("enter")
        await pilot.pause()

        assert "no plan of this program does it; What to do says how" in frame(app)
        assert isinstance(app.screen, FindingScreen)


async def test_the_footer_tells_whether_enter_plans_or_says_what_to_do_by_hand() -> None:
    app = make_app(states.advised())

    async with app.run_test(size=SIZE) as pilot:
        await go_to(pilot, app, "sync-disabled")
        planned = frame(app).splitlines()[-1]
        await go_to(pilot, app, "raidz-wide")
        await pilot.pause()
        by_hand = frame(app).splitlines()[-1]
        await pilot.press("w")
        await until(pilot, app, FindingScreen)
        in_full = frame(app).splitlines()[-1]

    assert "Enter plan" in planned
    assert "Enter what to do" in by_hand
    assert "Enter" not in in_full
    assert "R repair" not in in_full


async def test_of_several_objects_one_is_chosen_to_be_silenced() -> None:
    app = make_app(states.uncopied())

    async with app.run_test(size=SIZE) as pilot:
        await go_to(pilot, app, "dataset-no-copy")
        shown = frame(app)
        await pilot.press("z")
        await until(pilot, app, MenuDialog)
        await pilot.press("2")
        await pilot.pause()
        await until(pilot, app, MenuDialog)
        await pilot.press("1")
        await until(pilot, app, TextDialog)
        await pilot.press(*"scratch", "enter")
        await until(pilot, app, TextDialog)
        await pilot.press(*"30d", "enter")
        await until(pilot, app, TextDialog)
        await pilot.press(*"yes", "enter")
        await until(pilot, app, AdviceScreen)

    assert "2 of attic" in shown
    assert "Enter what to do" in shown.splitlines()[-1]
    assert ["attic/vm"] == [each.object for each in load_silences(config_folder())]


async def test_findings_end_with_what_is_silenced_and_z_there_ends_it() -> None:
    app = make_app(states.advised())
    name = states.advised().host
    now = minute_of(app.states.now())
    silence = Silence(name, "*", "attic raidz2-0", "bought so", now, now + timedelta(hours=12))

    async with app.run_test(size=SIZE) as pilot:
        app.silence(silence)
        await pilot.press("f")
        await until(pilot, app, FindingsScreen)
        await pilot.press("end")
        await pilot.pause()
        shown = frame(app)
        await pilot.press("z")
        await until(pilot, app, TextDialog)
        await pilot.press(*"yes", "enter")
        await until(pilot, app, FindingsScreen)
        assert isinstance(app.screen, FindingsScreen)
        app.screen.show(app.view())
        await pilot.pause()
        after = frame(app)

    assert "silenced (1)" in shown
    assert shown.index("Silenced  until a time, with a reason") > shown.index("Advice  no alarm")
    assert f"all findings of attic raidz2-0: silenced until {silence.end}: bought so" in shown
    assert "z speak again" in shown
    assert "silenced (" not in after
