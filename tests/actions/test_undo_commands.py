"""Commands of an undo are as a shell needs them: a dataset's name may have blanks."""

from __future__ import annotations

import shlex

import pytest

from tests.doubles.plan_worlds import filesystem, host, snapshot
from zconsole.actions.dataset.set_property import undo
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan

PLACE = "tank/with space"
FACTS = host([filesystem("tank"), filesystem(PLACE), snapshot(f"{PLACE}@a b")])


@pytest.mark.parametrize(
    ("action", "target", "arguments", "named"),
    [
        ("snapshot", f"{PLACE}@new one", (), f"{PLACE}@new one"),
        ("create", f"{PLACE}/new", (), f"{PLACE}/new"),
        ("clone", f"{PLACE}@a b", ("tank/a clone",), "tank/a clone"),
        ("rename", PLACE, ("tank/other name",), PLACE),
        ("unmount", PLACE, (), PLACE),
        ("hold", f"{PLACE}@a b", ("mine",), f"{PLACE}@a b"),
        ("bookmark", f"{PLACE}@a b", (f"{PLACE}#b c",), f"{PLACE}#b c"),
    ],
)
def test_the_name_is_one_word(action: str, target: str, arguments: tuple[str, ...], named: str) -> None:
    made = plan(intent(action, target, *arguments), FACTS)

    assert made.undo is not None, made.refusals
    assert named in shlex.split(made.undo)


def test_the_value_of_a_property_is_one_word_too() -> None:
    made = undo(PLACE, "mountpoint", "/srv/two words", "local")

    assert ["zfs", "set", "mountpoint=/srv/two words", PLACE] == shlex.split(made or "")
