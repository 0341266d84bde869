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
