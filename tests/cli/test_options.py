"""Arguments that subcommands share, and what they exclude."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from zconsole.base.errors import UsageError
from zconsole.base.quantities import parse_number
from zconsole.cli import run
from zconsole.cli.options import add_hosts, make_parser, typed, where_of
from zconsole.cli.selected_hosts import HostSelection
from zconsole.model.exercise_names import EXERCISES


def selected(*words: str) -> HostSelection:
    parser = make_parser("status", "The status.")
    add_hosts(parser)
    return where_of(parser.parse_args(words))


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (HostSelection(), []),
        (HostSelection(("a", "b")), ["--host", "a", "--host=b", "--host", "a"]),
        (HostSelection(is_demo=True), ["--demo"]),
        (HostSelection(is_demo=True, exercise="cable", speed=10.0), ["--demo=cable", "--speed", "10x"]),
        (HostSelection(replay=Path("/rec"), speed=0.25), ["--replay", "/rec", "--speed", "0.25"]),
    ],
)
def test_hosts_are_selected(expected: HostSelection, words: list[str]) -> None:
    assert expected == selected(*words)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("hosts and --demo exclude each other", ["--host", "a", "--demo"]),
        ("--demo and --replay exclude each other", ["--demo", "--replay", "/rec"]),
        ("--speed is how fast a recording or an exercise runs", ["--speed", "2"]),
        ("there is no exercise 'nothing'", ["--demo=nothing"]),
        ("speed from 0.25 to 100", ["--replay", "/rec", "--speed", "101"]),
    ],
)
def test_what_contradicts_itself_is_an_error_in_words(message: str, words: list[str]) -> None:
    with pytest.raises(UsageError, match=message):
        selected(*words)


def test_a_wrong_option_names_the_help() -> None:
    with pytest.raises(UsageError) as raised:
        selected("--nothing")
    assert "`zconsole status --help` shows how." == raised.value.hint


def test_a_quantity_that_cannot_be_read_is_an_error_of_its_argument() -> None:
    read = typed(parse_number)

    assert 2.5 == float(read("2.5"))
    with pytest.raises(argparse.ArgumentTypeError, match="two"):
        read("two")


def test_the_exercises_are_listed_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run(["--demo=help"])
    lines = capsys.readouterr().out.splitlines()
    assert [f"--demo={name}" for name in EXERCISES] == [each.split()[0] for each in lines[1:]]
    assert all(len(each) <= 80 for each in lines)

    assert 2 == run(["status", "--demo=nothing"])
    told = capsys.readouterr().err.splitlines()
    assert "zconsole: there is no exercise 'nothing'" == told[0]
    assert [f"  {each}" for each in lines[1:]] == told[1:]
