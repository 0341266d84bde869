"""What all dialogs share: the first answer counts."""

from __future__ import annotations

from tests.ui import states
from tests.ui.frames import make_app
from zconsole.ui.dialogs.base_dialog import Dialog


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
