"""How the command lines of `zpool` are read, and what a wrong one is told."""

from __future__ import annotations

import pytest

from zconsole.practice.program_reply import Refusal
from zconsole.practice.zpool.usage_and_arguments import USAGE, misuse, operands, pairs, read


def test_a_wrong_command_line_ends_with_2_and_the_usage() -> None:
    reply = misuse("detach", "missing pool name argument").reply

    assert 2 == reply.status
    assert f"missing pool name argument\nusage:\n{USAGE['detach']}" == reply.stderr


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(Refusal) as refused:
        read("scrub", ["-x", "tank"], "sp")

    assert "invalid option 'x'" in refused.value.reply.stderr
    assert USAGE["scrub"] in refused.value.reply.stderr


@pytest.mark.parametrize(
    ("complaint", "words"),
    [("missing pool", []), ("missing device", ["tank"]), ("too many arguments", ["tank", "sda", "sdb"])],
)
def test_operands_that_lack_or_are_too_many_are_told(complaint: str, words: list[str]) -> None:
    with pytest.raises(Refusal) as refused:
        operands("detach", read("detach", words), "missing pool", "missing device", most=2)
    assert refused.value.reply.stderr.startswith(f"{complaint}\nusage:\n")


def test_operands_that_are_enough_are_given() -> None:
    assert ["tank", "sda"] == operands("detach", read("detach", ["tank", "sda"]), "pool", "device", most=2)


def test_settings_are_pairs_and_each_is_given_once() -> None:
    options = read("create", ["-o", "ashift=12", "-o", "comment=a=b", "tank"], "o:")
    assert {"ashift": "12", "comment": "a=b"} == pairs("create", options, "o")

    with pytest.raises(Refusal, match="missing '=' for -o option"):
        pairs("create", read("create", ["-o", "ashift"], "o:"), "o")
    with pytest.raises(Refusal, match="property 'ashift' specified multiple times"):
        pairs("create", read("create", ["-o", "ashift=9", "-o", "ashift=12"], "o:"), "o")
