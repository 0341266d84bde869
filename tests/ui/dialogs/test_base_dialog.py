"""What all dialogs share: the first answer counts, and the keys of the last line can be clicked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.ui import plans, states
from tests.ui.dialogs import test_free_space_proposal as proposals
from tests.ui.frames import frame, make_app
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.base_dialog import Dialog
from zconsole.ui.dialogs.free_space_proposal import MARK, OTHERWISE, ReclaimDialog
from zconsole.ui.dialogs.host_key import HostKeyDialog
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.plan import Anew, PlanDialog
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog, TextDialog
from zconsole.views.layout.styled_text import FixedLines, line

ROWS = FixedLines((line("scrub"), line("export")), ("scrub", "export"))
DIALOGS: dict[str, Callable[[ZConsoleApp], Dialog[Any]]] = {
    "menu": lambda app: MenuDialog(app.paint, line("Actions"), ROWS),
    "menu of several": lambda app: MenuDialog(app.paint, line("Options"), ROWS, is_many=True),
    "text": lambda app: TextDialog(app.paint, (line("Its name:"),), "gold"),
    "notice": lambda app: TellDialog(app.paint, (line("It failed."),)),
    "proposal": lambda app: ReclaimDialog(app.paint, proposals.reclaims.oldest(), can_mark=True),
    "plan": lambda app: PlanDialog(app.paint, plans.scrub()),
    "host key": lambda app: HostKeyDialog(app.paint, "nas1", "SHA256:abc"),
}


@pytest.mark.parametrize(
    ("name", "clicked", "answer"),
    [
        ("menu", "go back", None),
        ("menu", "Enter choose", ("scrub",)),
        ("menu", "choose", ("scrub",)),
        ("menu of several", "Space mark|Enter continue", ("scrub",)),
        ("text", "Enter go on", "gold"),
        ("text", "go back", None),
        ("notice", "go on", None),
        ("proposal", "Space", MARK),
        ("proposal", "Tab", OTHERWISE),
        ("plan", "read the host again", Anew()),
        ("plan", "No, go back", None),
        ("host key", "Enter or Esc", False),
    ],
)
async def test_a_key_of_the_last_line_can_be_clicked(name: str, clicked: str, answer: object) -> None:
    app, answers = make_app(states.healthy()), list[object]()

    async with app.run_test(size=(80, 24)) as pilot:
        dialog = DIALOGS[name](app)
        app.push_screen(dialog, answers.append)
        await pilot.pause()
        if isinstance(dialog, PlanDialog):
            dialog.shown(0.0)
        for each in clicked.split("|"):
            rows = frame(app).split("\n")
            y = max(at for at, row in enumerate(rows) if each in row)
            await pilot.click(offset=(rows[y].index(each), y))
            await pilot.pause()

        assert [answer] == answers


async def test_a_click_between_the_keys_does_nothing() -> None:
    app, answers = make_app(states.healthy()), list[object]()

    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(DIALOGS["menu"](app), answers.append)
        await pilot.pause()
        rows = frame(app).split("\n")
        y = next(at for at, row in enumerate(rows) if "type to filter" in row)
        await pilot.click(offset=(rows[y].index("type to filter"), y))
        await pilot.pause()

        assert [] == answers


async def test_of_two_answers_the_first_counts() -> None:
    app, answers = make_app(states.healthy()), list[int | None]()

    async with app.run_test(size=(80, 24)) as pilot:
        dialog = Dialog[int]()
        await app.push_screen(dialog, answers.append)
        dialog.dismiss(1)
        dialog.dismiss(2)
        await pilot.pause()

        assert [1] == answers
        assert dialog is not app.screen


async def test_an_answer_below_another_screen_closes_neither() -> None:
    """Textual calls a screen current that is right below the one in front, and would close that one."""
    app, answers = make_app(states.healthy()), list[int | None]()

    async with app.run_test(size=(80, 24)) as pilot:
        below, above = Dialog[int](), Dialog[int]()
        await app.push_screen(below, answers.append)
        await app.push_screen(above)
        below.dismiss(1)
        await pilot.pause()

        assert above is app.screen
        assert [] == answers

        above.dismiss(None)
        await pilot.pause()
        below.dismiss(2)
        await pilot.pause()

        assert [2] == answers
