"""Keys that arrive together, as over a slow link, act in the order in which they were pressed."""

from __future__ import annotations

import pytest
from textual import events
from textual.app import App, ComposeResult

from zconsole.ui.widgets.text_input import TextBox

KEYS = {"<": "backspace", "|": "home", ">": "end", "{": "left", "x": "delete"}


class Boxed(App[None]):
    def compose(self) -> ComposeResult:
        yield TextBox("abcd")


@pytest.mark.parametrize(
    ("expected", "burst"),
    [
        ("abXYZ", "<<XYZ"),
        ("20TB", "<<<<20TB"),
        ("0abcd", "|0"),
        ("Zbcd1", "|xZ>1"),
        ("abcZd", "{Z"),
        ("abcde", "e"),
    ],
)
async def test_a_burst_of_keys_is_typed_in_order(expected: str, burst: str) -> None:
    app = Boxed()

    async with app.run_test() as pilot:
        box = app.query_one(TextBox)
        box.focus()
        await pilot.press("end")
        for key in burst:
            app.post_message(events.Key(KEYS.get(key, key), None if key in KEYS else key))
        await pilot.pause()

        assert expected == box.value
