"""What is proposed to free so much looks as it should, and offers only what makes a difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.ui import plans, reclaims, states
from tests.ui.frames import frame, make_app, source_of
from tests.ui.trees import gone
from zconsole.actions.intent import intent
from zconsole.execution.facts.snapshots_to_free_space import Reclaim
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.free_space_proposal import ReclaimDialog
from zconsole.ui.dialogs.plan import PlanDialog
from zconsole.ui.dialogs.text_prompts_and_notices import ProposalDialog
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.widgets.row_list import RowView
from zconsole.ui.widgets.text_input import TextBox
from zconsole.views.datasets.free_space_proposal import reclaim_lines
from zconsole.views.layout.styled_text import plain


def told_by(app: ZConsoleApp) -> str:
    """All lines of the proposal in front, also those below the visible ones."""
    dialog = app.screen
    assert isinstance(dialog, ReclaimDialog)
    return "\n".join(plain(each) for each in reclaim_lines(dialog._found))


SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
FOUND: dict[str, Callable[[], Reclaim]] = {
    "oldest": reclaims.oldest,
    "fewest": reclaims.fewest,
    "too-little": reclaims.too_little,
    "perhaps": reclaims.perhaps,
    "nothing": reclaims.nothing,
}
ASKED = ("D", "F")
ANSWERED = (*ASKED, *"80G", "enter")


def app_with(found: Reclaim) -> ZConsoleApp:
    """The console before a host that proposes this."""
    app = make_app(states.with_datasets())
    source_of(app).reclaims = {"oldest": found, "fewest": found}
    return app


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FOUND)
async def test_a_proposal_looks_as_it_should(
    name: str, size: str, golden: Callable[[str, str], None]
) -> None:
    app = app_with(FOUND[name]())

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press(*ANSWERED)
        await pilot.pause()

        golden(f"reclaim-{name}-{size}.txt", frame(app))


@pytest.mark.parametrize("size", SIZES)
async def test_the_question_looks_as_it_should(size: str, golden: Callable[[str, str], None]) -> None:
    app = app_with(reclaims.oldest())

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press(*ASKED)
        await pilot.pause()

        golden(f"reclaim-ask-{size}.txt", frame(app))


async def test_what_a_screen_cannot_hold_is_told_and_scrolled_to() -> None:
    app = app_with(reclaims.oldest())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*ANSWERED)
        await pilot.pause()
        assert "1-20 of 34" in frame(app)
        await pilot.press("down", "down")
        await pilot.pause()
        assert "3-22 of 34" in frame(app)
        await pilot.resize_terminal(140, 50)

        assert await gone(pilot, app, "↑↓")
        assert "Kept, newest" in frame(app)


@pytest.mark.parametrize(
    ("found", "answers"),
    [
        (reclaims.oldest, ("enter", "space", "tab")),
        (reclaims.perhaps, ("enter", "space", "tab")),
        (reclaims.too_little, ("delete", "space", "f6")),
        (reclaims.nothing, ("f6",)),
    ],
)
async def test_only_what_makes_a_difference_can_be_answered(
    found: Callable[[], Reclaim], answers: tuple[str, ...]
) -> None:
    """Where all together are too little there are no others to ask for; none is no set to plan or to mark."""
    ways = {
        "enter": "Enter plan destroy",
        "delete": "Del destroy anyway",
        "f6": "F6 plan the next",
        "space": "Space mark",
        "tab": "Tab fewest",
    }
    for key, words in ways.items():
        app = app_with(found())
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.press(*ANSWERED)
            await pilot.pause()
            shown = app.screen
            assert (key in answers) == (words in frame(app))
            await pilot.press(key)
            await pilot.pause()

            assert isinstance(shown, ReclaimDialog)
            if key != "enter":  # which asks for another amount where it plans nothing
                assert (key in answers) == (app.screen is not shown)


@pytest.mark.parametrize(
    ("found", "key"),
    [
        (reclaims.too_little, "enter"),
        (reclaims.nothing, "enter"),
        (reclaims.too_little, "escape"),
        (reclaims.oldest, "escape"),
    ],
)
async def test_a_step_back_leads_to_the_amount_which_is_still_there(
    found: Callable[[], Reclaim], key: str
) -> None:
    """What does not free enough leads to no destruction by the key that goes on."""
    app = app_with(found())
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press(*ANSWERED)
        await pilot.pause()
        await pilot.press(key)
        await pilot.pause()

        assert isinstance(app.screen, ProposalDialog)
        assert "80G" == app.screen.query_one(TextBox).value
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, ConsoleScreen)


async def test_an_amount_that_is_none_is_asked_for_again() -> None:
    app = app_with(reclaims.oldest())
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press(*ASKED, *"80x", "enter", "enter")
        await pilot.pause()

        assert isinstance(app.screen, ProposalDialog)
        assert "80x" == app.screen.query_one(TextBox).value


async def test_what_the_next_100_gib_would_cost_is_planned_by_a_key() -> None:
    """A reservation that nothing uses costs no data: the way on is a key, not a line to type elsewhere."""
    wanted = intent("set", "tank/vm/db", "refreservation=none")
    app = app_with(reclaims.too_little())
    source_of(app).plans[wanted] = replace(plans.scrub(), intent=wanted)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*ANSWERED)
        await pilot.pause()
        assert "refreservation=none on tank/vm/db" in told_by(app)
        await pilot.press("f6")
        await pilot.pause()

        assert isinstance(app.screen, PlanDialog)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, ReclaimDialog)


async def test_no_number_of_the_position_is_cut() -> None:
    """178 lines are not 17: what does not fit beside the keys stands above them."""
    app = app_with(reclaims.too_little())

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*ANSWERED)
        await pilot.pause()
        rows = app.screen.query_one(RowView)
        for _ in range(3):
            await pilot.press("pagedown")
            await pilot.pause()

            assert rows.position in frame(app)
