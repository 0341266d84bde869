"""JSON with a value of the wrong type: that value is lost, and named, and nothing else."""

from __future__ import annotations

import msgspec
import pytest

from zconsole.base.drop_wrongly_typed_json import MOST_NAMED, tolerant


class Part(msgspec.Struct, kw_only=True, frozen=True):
    id: int
    name: str = ""


class Whole(msgspec.Struct, kw_only=True, frozen=True):
    count: int | None = None
    part: Part | None = None
    parts: tuple[Part | None, ...] = ()


def test_a_sound_document_loses_nothing() -> None:
    raw = {"count": 3, "part": {"id": 1}, "parts": [{"id": 2, "name": "a"}, None], "more": "ignored"}

    assert (Whole(count=3, part=Part(id=1), parts=(Part(id=2, name="a"), None)), ()) == tolerant(raw, Whole)


@pytest.mark.parametrize(
    ("raw", "found", "lost"),
    [
        ({"count": "3", "part": {"id": 1}}, Whole(part=Part(id=1)), ("count",)),
        ({"part": {"id": 1, "name": 7}}, Whole(part=Part(id=1)), ("part.name",)),
        ({"part": {"id": "x"}, "count": 3}, Whole(count=3), ("part.id",)),
        ({"part": {"name": "x"}, "count": 3}, Whole(count=3), ("part",)),
        ({"part": 7, "count": 3}, Whole(count=3), ("part",)),
        (
            {"parts": [{"id": 1}, 7, {"id": "x"}, {"id": 2}]},
            Whole(parts=(Part(id=1), Part(id=2))),
            ("parts", "parts.id"),
        ),
        ({"parts": {"id": 1}}, Whole(), ("parts",)),
    ],
)
def test_one_bad_value_costs_itself(raw: object, found: Whole, lost: tuple[str, ...]) -> None:
    assert (found, lost) == tolerant(raw, Whole)


@pytest.mark.parametrize("raw", [[], "x", 7, None])
def test_what_is_no_object_is_an_error(raw: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        tolerant(raw, Whole)


def test_what_is_named_is_bounded() -> None:
    fields = [(f"f{at}", int, 0) for at in range(MOST_NAMED + 5)]
    kind = msgspec.defstruct("Wide", fields)

    _, lost = tolerant({name: "x" for name, *_ in fields}, kind)

    assert MOST_NAMED == len(lost)
