"""Traces of commands as the journal keeps them."""

from __future__ import annotations

import pytest

from zconsole.execution.outcomes.trace_for_finding_sent_command import NONE, CommandTrace, from_json, to_json
from zconsole.hosts.process_list_and_command_search import Starter

WHOLE = CommandTrace("b00t", Starter(12, 345, "sshd"), 77)


@pytest.mark.parametrize("trace", [WHOLE, CommandTrace(), CommandTrace(session=5), CommandTrace("b00t")])
def test_what_was_kept_is_read_back(trace: CommandTrace) -> None:
    assert trace == from_json(to_json(trace))


def test_no_trace_is_an_empty_object() -> None:
    assert NONE == to_json(CommandTrace())


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "7", "[" * 10_000,
        '{"boot": 7, "session": "x", "starter": [1]}', '{"session": -1}', '{"session": 1e30}',
        '{"session": 9223372036854775808}', '{"starter": ["1", 2, "sshd"]}',
    ],
)  # fmt: skip
def test_what_cannot_be_read_of_it_is_not_known(text: str) -> None:
    assert CommandTrace() == from_json(text)
