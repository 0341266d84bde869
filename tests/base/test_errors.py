"""Errors with their exit codes; what a host said does not make a message endless."""

from __future__ import annotations

import pytest

from zconsole.base.errors import (
    BEGINNING_CHARACTERS,
    END_CHARACTERS,
    EXCERPT_CHARACTERS,
    KEPT_CHARACTERS,
    CommandFailed,
    HostKeyUnknown,
    LinkLost,
    NeverSent,
    ParseError,
    UsageError,
    ZConsoleError,
    shortened,
)


def test_a_hint_stands_on_a_line_of_its_own() -> None:
    assert "no pool\nPools: tank." == str(ZConsoleError("no pool", hint="Pools: tank."))
    assert "no pool" == str(ZConsoleError("no pool"))


def test_a_usage_error_ends_otherwise_than_a_host_that_fails() -> None:
    assert 2 == UsageError.exit_code
    assert 3 == ZConsoleError.exit_code == LinkLost.exit_code


def test_of_a_long_message_both_ends_are_kept() -> None:
    error = ZConsoleError("a" * 10_000 + "the end", hint="b" * 10_000)

    assert BEGINNING_CHARACTERS + 3 + END_CHARACTERS == len(error.message)
    assert error.message.endswith("the end")
    assert len(error.hint) < 10_000


def test_a_parse_error_names_tool_line_and_the_beginning_of_what_stood_there() -> None:
    error = ParseError("zpool list", 7, "x" * 10_000, "expected 3 fields")

    assert error.message.startswith("zpool list, line 7: expected 3 fields: 'xxx")
    assert "x" * EXCERPT_CHARACTERS + "..." in error.message
    assert KEPT_CHARACTERS == len(error.line)
    assert 7 == error.line_no


@pytest.mark.parametrize(("expected", "most"), [("abc", 3), ("ab...", 2)])
def test_a_text_is_shortened_only_where_it_is_longer(expected: str, most: int) -> None:
    assert expected == shortened("abc", most)


def test_what_was_never_sent_is_a_lost_link_of_which_the_end_is_known() -> None:
    assert issubclass(NeverSent, LinkLost)


def test_an_unknown_key_and_a_failed_command_keep_their_facts() -> None:
    unknown = HostKeyUnknown("nas1", "SHA256:abc", hint="zconsole trust nas1")
    failed = CommandFailed("zpool failed", said="cannot open", status=1)

    assert "the host key of nas1 is not known: SHA256:abc" == unknown.message
    assert "SHA256:abc" == unknown.fingerprint
    assert ("cannot open", 1) == (failed.said, failed.status)
