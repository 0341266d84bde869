"""The table of docs/actions.md is the one that the actions make."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.actions.catalogue import spec
from zconsole.actions.command_syntax import actions_table, usage_of

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "docs" / "actions.md").read_text()
BEGIN = "<!-- the table is generated from the list of actions -->\n"
END = "<!-- end of the generated table -->"


def test_the_table_is_up_to_date() -> None:
    """Otherwise: put `actions_table()` between the two marks."""
    table = MANUAL.partition(BEGIN)[2].partition(END)[0]

    assert actions_table() == table


@pytest.mark.parametrize(
    ("usage", "action"),
    [
        ("replace POOL [OLD] NEW", "replace"),
        ("scrub POOL", "scrub"),
        ("create-pool POOL SPEC...", "create-pool"),
        ("snapshot DATASET|POOL [SNAPSHOT...]", "snapshot"),
        ("destroy TARGET [SNAPSHOT...]", "destroy"),
    ],
)
def test_the_words_of_an_action_say_what_may_be_left_out_and_repeated(usage: str, action: str) -> None:
    assert usage == usage_of(spec(action))
