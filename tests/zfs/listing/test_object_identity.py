"""Which objects have some names, told by guid and txg."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.zfs.listing.object_identity import (
    MOST_CHARACTERS,
    SYSTEMS,
    FoundObject,
    parse_which,
    which_objects,
)

LINE = "tank/a\t7\t10\t4096\t8192\tyes\n"


def test_objects_are_read_with_what_their_kind_has() -> None:
    text = LINE + "tank/v\t8\t11\t0\t0\tno\ntank/a#1\t9\t12\t-\t-\t-\n"

    assert (
        FoundObject("tank/a", 7, 10, 4096, 8192, True),
        FoundObject("tank/v", 8, 11, 0, 0, False),
        FoundObject("tank/a#1", 9, 12),
    ) == parse_which(text)


@pytest.mark.parametrize(
    "text",
    [
        LINE.rstrip("\n"),
        "tank/a\t7\t10\n",
        LINE.replace("7", "x"),
        LINE.replace("7", "-7"),
        LINE.replace("7", "7" * 21),
        LINE.replace("7", "\u0667"),
    ],
)
def test_what_is_no_list_of_objects_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        parse_which(text)


def test_what_is_asked_for_can_be_narrowed_and_deepened() -> None:
    (plain,) = which_objects(["tank/a"])
    (below,) = which_objects(["tank/a"], types=SYSTEMS, recursive=True)
    (levels,) = which_objects(["tank/a"], depth=1)

    assert ("--", "tank/a") == plain.argv[-2:]
    assert "-r" not in plain.argv
    assert {"-r", "filesystem,volume,bookmark"} <= set(below.argv)
    assert "-d 1 --" in " ".join(levels.argv)


def test_many_names_are_spread_over_commands_that_fit() -> None:
    names = [f"tank/{'x' * 200}{at}" for at in range(1200)]

    commands = list(which_objects(names))

    asked = [command.argv[command.argv.index("--") + 1 :] for command in commands]
    assert 3 == len(commands)
    assert names == [name for part in asked for name in part]
    assert all(sum(map(len, part)) <= MOST_CHARACTERS for part in asked)


def test_of_no_names_nothing_is_asked() -> None:
    assert [] == list(which_objects([]))
