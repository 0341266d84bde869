"""JSON of a host, within bounds."""

from __future__ import annotations

import pytest

from zconsole.base import bounded_json
from zconsole.base.bounded_json import load_json
from zconsole.base.errors import ParseError


def test_a_document_is_what_it_holds() -> None:
    assert {"a": [1, None, "x"]} == load_json("zpool status", '{"a": [1, null, "x"]}')


def test_what_is_cut_short_is_told_with_the_line_where_it_ends() -> None:
    with pytest.raises(ParseError, match="zpool status, line 2: truncated, or not JSON: '\\\"b\\\": '"):
        load_json("zpool status", '{"a": 1,\n"b": ')


def test_what_is_nested_too_deeply_is_refused_and_ends_nothing() -> None:
    with pytest.raises(ParseError):
        load_json("x", "[" * 100_000)


@pytest.mark.parametrize(
    ("bound", "text"), [("MOST_BYTES", '"abc"'), ("MOST_VALUES", "[1,2,3,4]"), ("MOST_HOLDERS", "[[[]]]")]
)
def test_what_is_more_than_any_host_has_to_print_is_refused(
    bound: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_json("x", text) is not None
    monkeypatch.setattr(bounded_json, bound, 2)

    with pytest.raises(ParseError, match="more JSON than any host has to print"):
        load_json("x", text)
