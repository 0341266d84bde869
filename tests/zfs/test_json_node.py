"""ZFS's JSON, read key by key: what is of another type is an error that says where."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.pools.pool import Count
from zconsole.zfs.json_node import JsonNode, read_json


def node(**fields: object) -> JsonNode:
    return JsonNode("zpool status", "output", fields)


def test_a_missing_key_is_unknown() -> None:
    empty = node()

    assert [None] * 5 == [
        empty.text("a"),
        empty.integer("a"),
        empty.count("a"),
        empty.moment("a"),
        empty.node("a"),
    ]
    assert () == empty.texts("a")
    assert [] == list(empty.nodes("a"))


def test_numbers_are_the_same_as_words() -> None:
    assert [7, 7] == [node(a=7).integer("a"), node(a="7").integer("a")]
    assert Count(1536, is_rounded=True) == node(a="1.50K").count("a")
    assert Count(7) == node(a=7).count("a")


def test_a_date_is_in_seconds_and_never_is_unknown() -> None:
    assert 1795218736 == node(a="Fri Nov 20 23:52:16 2026").moment("a")
    assert 1795218736 == node(a=1795218736).moment("a")
    assert [None, None, None] == [node(a=each).moment("a") for each in (0, "0", "-")]


@pytest.mark.parametrize(
    ("reason", "read"),
    [
        ("expected a string", lambda: node(a=1).text("a")),
        ("expected a string", lambda: node(a="").required_text("a")),
        ("expected a number", lambda: node(a=-1).integer("a")),
        ("expected a number", lambda: node(a=True).integer("a")),
        ("expected a number", lambda: node(a=2**64).integer("a")),
        ("expected a number", lambda: node(a="many").integer("a")),
        ("expected a number", lambda: node(a="many").count("a")),
        ("expected a date", lambda: node(a="yesterday").moment("a")),
        ("expected a list of strings", lambda: node(a={}).texts("a")),
        ("expected a list of strings", lambda: node(a=["b", 1]).texts("a")),
        ("expected an object", lambda: node(a=[]).node("a")),
    ],
)
def test_a_value_of_another_type_says_where_it_stands(reason: str, read: Callable[[], object]) -> None:
    with pytest.raises(ParseError, match=rf"output\.a: {reason}"):
        read()


def test_an_error_below_names_the_whole_way() -> None:
    (below,) = node(a={"b": {"c": 1}}).nodes("a")

    with pytest.raises(ParseError, match=r"output\.a\.b\.c: expected a string"):
        below.text("c")


def test_a_sentence_in_place_of_a_list_is_no_list() -> None:
    assert () == node(a="No known data errors").texts("a")
    assert ("x", "y") == node(a=["x", "y"]).texts("a")


def test_bytes_that_are_no_utf8_are_written_out() -> None:
    read = read_json("zpool status", b'{"a": "caf\xff"}')

    assert "caf\\xff" == read.text("a")


def test_objects_stand_in_their_order_and_are_told_by_their_keys() -> None:
    holder = node(a={"y": {"n": 1}, "x": {"n": 2}})

    assert [1, 2] == [each.integer("n") for each in holder.nodes("a")]
    assert holder.holds_objects_with("a", "n")
    assert not holder.holds_objects_with("a", "m")
    assert not node(a={}).holds_objects_with("a", "n")


@pytest.mark.parametrize("output", [b"", b"[]", b"7", b'{"a": 1', b"{}x"])
def test_what_is_no_whole_object_is_refused(output: bytes) -> None:
    with pytest.raises(ParseError):
        read_json("zpool status", output)
