"""The first word of a command line, behind options and their values."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import pytest

from zconsole.base.errors import UsageError
from zconsole.cli.subcommand import Subcommand, first_word

GROUP = Subcommand(
    "plan",
    "Show a plan.",
    children=(Subcommand("plan scrub", "x"), Subcommand("plan split", "y")),
    noun="action",
)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser()
    made.add_argument("--ashift")
    made.add_argument("--force", action="store_true")
    return made


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (0, ["replace", "tank"]),
        (2, ["--ashift", "12", "replace"]),
        (1, ["--ashift=12", "replace"]),
        (1, ["--force", "replace"]),
        (None, ["--force"]),
        (None, ["--ashift", "12"]),
        (None, ["--", "replace"]),
        (None, []),
    ],
)
def test_neither_options_nor_their_values_are_the_first_word(
    expected: int | None, words: Sequence[str]
) -> None:
    assert expected == first_word(words, lambda: [parser()])


def test_parsers_are_made_only_where_an_option_comes_first() -> None:
    def none() -> list[argparse.ArgumentParser]:
        raise AssertionError

    assert 0 == first_word(["replace", "--ashift"], none)


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (None, ["--force"]),
        (2, ["--ashift", "12", "replace"]),
        (2, ["--force", "--ashift=12", "replace"]),
        (1, ["--unknown=1", "replace"]),
    ],
)
def test_other_parsers_are_made_only_for_an_option_that_the_usual_one_does_not_know(
    expected: int | None, words: Sequence[str]
) -> None:
    def none() -> list[argparse.ArgumentParser]:
        raise AssertionError

    assert expected == first_word(words, none, parser)
    with pytest.raises(AssertionError):
        first_word(["--unknown", *words], none, parser)


def test_a_child_is_named_by_its_word_which_is_taken_out() -> None:
    words = ["scrub", "tank"]

    assert "plan scrub" == GROUP.child(words).name
    assert ["tank"] == words


@pytest.mark.parametrize(
    ("said", "hint", "words"),
    [
        ("'scrap' is not an action of plan", "Did you mean scrub?", ["scrap"]),
        ("'0' is not an action of plan", "One of: scrub, split.", ["0"]),
        ("plan needs an action", "One of: scrub, split.", []),
    ],
)
def test_a_child_that_is_none_is_told_with_the_nearest(said: str, hint: str, words: list[str]) -> None:
    with pytest.raises(UsageError, match=said) as raised:
        GROUP.child(words)

    assert hint == raised.value.hint
