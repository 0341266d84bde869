"""Time travel: keys, ages, and what is shown of then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.ui import states, watched
from tests.ui.frames import frame, make_app, source_of
from tests.ui.past import (
    BACK,
    FRAMES,
    MARK_BACK,
    MARK_ON,
    MARKS,
    MINUTE_BACK,
    MINUTE_ON,
    ON,
    SIZE,
    SIZES,
    cached,
    lines,
    lived,
    loaded,
    moment,
)
from tests.ui.states import NOW, TICKS
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.latency import LatencyScreen
from zconsole.ui.screens.pool import PoolScreen
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.views.layout.screen_key_registry import TIMED, actions


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FRAMES)
async def test_a_moment_that_is_over_looks_as_it_should(
    name: str, size: str, golden: Callable[[str, str], None]
) -> None:
    app = lived(*MARKS)

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press(*FRAMES[name])
        await pilot.pause()

        golden(f"{name}-{size}.txt", frame(app))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([BACK], "PAST 11:06:39"),
        (["p", BACK, BACK], "PAST 11:06:38"),
        ([BACK, BACK, ON], "PAST 11:06:39"),
        ([MINUTE_BACK], "PAST 11:05:40"),
        ([MINUTE_BACK, MINUTE_BACK, MINUTE_ON, BACK], "PAST 11:05:39"),
        ([MINUTE_BACK] * 11, "PAST 10:56:40"),
        ([BACK, MINUTE_ON], "PAST 11:06:40"),
        ([BACK, "full_stop"], "live"),
        ([BACK, "p"], "live"),
        ([BACK, "p", "p"], "PAUSED 0s"),
        (["p", "full_stop"], "live"),
    ],
)
@pytest.mark.parametrize("place", [[], ["enter"]])
async def test_keys_go_back_and_on(place: list[str], keys: list[str], expected: str) -> None:
    app = lived()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*place, *keys)

        assert expected == moment(app)


async def test_which_moment_that_is_and_from_when_on_there_is_more_is_said() -> None:
    app = lived()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", MINUTE_BACK, MINUTE_BACK, BACK)

        assert "11:04:39 UTC, 2m01s ago; kept from 10:56:40" in frame(app)


async def test_the_moment_stays_and_its_age_grows_while_the_console_goes_on() -> None:
    app = lived()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", BACK)
        before = lines(app)[1:18]
        source_of(app).replace(states.degraded(), now=NOW + 29, monotonic=TICKS + 29)
        await pilot.pause()

        assert before == lines(app)[1:18]
        assert "11:06:39 UTC, 30s ago" in frame(app)


@pytest.mark.parametrize(
    ("keys", "words"), [([MINUTE_BACK] * 12, "nothing older is kept"), ([BACK, ON, ON], "this is the newest")]
)
async def test_the_ends_of_what_is_kept_are_told(keys: list[str], words: str) -> None:
    app = lived()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", *keys)

        assert words in frame(app)


async def test_where_nothing_is_kept_it_is_said() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", BACK)

        assert "nothing is kept yet" in frame(app)
        assert "live" == moment(app)


async def test_all_that_is_shown_is_of_then() -> None:
    """State, verdict, findings, numbers: of ten minutes, not of now."""
    app = lived()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter")
        assert "slow disk: …ZL2F0C44" in lines(app)[0]
        assert any("ONLINE SLOW" in line for line in lines(app))
        now = lines(app)[3].split()

        await pilot.press(*[MINUTE_BACK] * 8)

        assert "tank DEGRADED ✗ · no redundancy left in mirror-0" in lines(app)[0]
        assert not any("SLOW" in line for line in lines(app))
        assert ["OFFLINE"] == [line.split()[3] for line in lines(app) if "ZL2F0A11 OFFLINE" in line]
        assert "taken OFFLINE by an administrator" in frame(app)
        then = lines(app)[3].split()
        assert ["tank", "ONLINE", "577", "2.5k"] == now[:4]
        assert ["tank", "DEGRADED", "✗", "2.4k"] == then[:4]


async def test_the_strip_ends_at_the_moment() -> None:
    app = lived()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "3", MINUTE_BACK)

        assert lines(app)[2].endswith("  11:05:40")
        assert "now" not in lines(app)[2]


async def test_what_is_not_kept_says_so() -> None:
    app = lived()

    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("enter", BACK, "2")
        assert "p99" not in lines(app)[2]
        assert "R TOTAL" in lines(app)[2]
        row = next(line for line in lines(app) if "ZL2F0C44 ONLINE SLOW" in line)
        assert ["41", "25"] == row.split()[4:6]

        await pilot.press("full_stop")
        assert "R p99" in lines(app)[2]

        await pilot.press(BACK, "7")
        assert "disks as of now" not in frame(app).partition("─")[0]
        await pilot.press("enter")
        assert LatencyScreen is type(app.screen)
        assert "PAST 11:06:39" == moment(app)
        assert "Histograms are not kept." in frame(app)


async def test_a_pool_of_which_nothing_is_kept_shows_nothing_of_now() -> None:
    app = make_app(states.degraded())
    watched.give_past(source_of(app))

    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("end", "k", "k")
        assert "no redundancy left in raidz2-0" in lines(app)[0]
        await pilot.press("end", BACK)

        assert "raidz2-0" not in lines(app)[0]
        rows = [line for line in lines(app) if line.startswith(" bulk")]
        assert ["bulk", "·", "·", "·"] == rows[0].split()[:4]
        assert "nothing is kept of that time" in rows[0]


async def test_a_pool_that_was_exported_since_is_there_again() -> None:
    app = lived()
    source_of(app).replace(states.host("storage1", states.pool_state(states.vault())))
    source_of(app).pasts["storage1", "vault"] = source_of(app).pasts["storage1", "tank"]

    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert not any(line.startswith(" tank") for line in lines(app))

        await pilot.press(BACK)
        assert any(line.startswith(" tank") for line in lines(app))


WATCHED: dict[str, tuple[Callable[[], ZConsoleApp], Sequence[str]]] = {
    "past-load": (loaded, ("L", BACK, *[MINUTE_BACK] * 3)),
    "past-load-none": (loaded, (*[MINUTE_BACK] * 4, "L")),
    "past-arc": (cached, ("A", MINUTE_BACK)),
    "past-arc-none": (cached, (*[MINUTE_BACK] * 3, "A")),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", WATCHED)
async def test_what_was_read_for_a_screen_looks_as_it_should(
    name: str, size: str, golden: Callable[[str, str], None]
) -> None:
    make, keys = WATCHED[name]
    app = make()

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press(*keys)
        await pilot.pause()

        golden(f"{name}-{size}.txt", frame(app))


@pytest.mark.parametrize(
    ("make", "keys", "expected"),
    [
        (loaded, ["L", BACK], "PAST 11:06:38"),
        (loaded, ["L", MINUTE_BACK], "PAST 11:05:40"),
        (loaded, ["L", *[MINUTE_BACK] * 2, BACK], "PAST 11:01:38"),
        (loaded, ["L", *[MINUTE_BACK] * 2, BACK, ON], "PAST 11:04:40"),
        (loaded, ["L", *[MINUTE_BACK] * 9], "PAST 10:56:40"),
        (loaded, ["L", BACK, "full_stop"], "live"),
        (loaded, [*[MINUTE_BACK] * 4, "L", BACK], "PAST 11:01:38"),
        (loaded, [*[MINUTE_BACK] * 4, "L", MINUTE_ON], "PAST 11:04:40"),
        (cached, ["A", BACK], "PAST 11:06:38"),
        (cached, [*[MINUTE_BACK] * 3, "A", ON], "PAST 11:04:42"),
        (cached, [*[MINUTE_BACK] * 3, "A", "p"], "live"),
    ],
)
async def test_what_is_read_for_a_screen_goes_back_to_when_it_was_open(
    make: Callable[[], ZConsoleApp], keys: list[str], expected: str
) -> None:
    app = make()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*keys)

        assert expected == moment(app)


async def test_a_screen_that_is_opened_from_the_past_shows_the_same_moment() -> None:
    app = lived()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(MINUTE_BACK, "enter")
        assert PoolScreen is type(app.screen)
        assert "PAST 11:05:40" == moment(app)

        await pilot.press("full_stop", "escape")
        assert PoolsScreen is type(app.screen)
        assert "PAST 11:05:40" == moment(app)


@pytest.mark.parametrize(
    ("keys", "expected", "words"),
    [
        ([MARK_BACK], "PAST 11:05:40", "◆ marked"),
        ([MARK_BACK, MARK_BACK], "PAST 10:59:10", "◆ pulled ^[[2J it"),
        ([MARK_BACK, MARK_BACK, MARK_BACK], "PAST 10:59:10", "there is no earlier mark"),
        ([MARK_BACK, MARK_BACK, BACK], "PAST 10:59:09", "kept from 10:56:40 ─ 1-15"),
        ([MARK_BACK, MARK_BACK, MARK_ON], "PAST 11:05:40", "◆ marked"),
        ([MARK_BACK, MARK_ON], "PAST 11:05:40", "there is no later mark"),
        (["M", "down", "enter"], "PAST 11:05:40", "◆ marked"),
        (["M", "enter"], "PAST 10:59:10", "◆ pulled ^[[2J it"),
    ],
)
async def test_marks_are_found_again(keys: list[str], expected: str, words: str) -> None:
    app = lived(*MARKS)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", *keys)
        await pilot.pause()

        assert expected == moment(app)
        assert words in frame(app)


async def test_the_footer_tells_the_keys_of_time_while_it_is_paused() -> None:
    app = lived()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter")
        assert "[ earlier" not in frame(app)

        await pilot.press("p")
        assert "[ earlier  ] later  { -1 min  } +1 min  . now  m mark" in lines(app)[-2]


def test_screens_that_go_back_in_time_have_all_of_its_keys() -> None:
    keys = {action.id for action in actions("pool") if action.group == "Time"}

    assert 10 == len(keys)
    assert all(keys <= {action.id for action in actions(place)} for place in TIMED)
