"""JSON with a value of the wrong type: that value is lost, and named, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import zconsole
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


AT_ONCE = """
import dataclasses, sys, threading
import msgspec
from zconsole.base.drop_wrongly_typed_json import prepared

sys.setswitchinterval(1e-6)
NAMES = [f"f{number}" for number in range(20)]
VALUE = {**dict.fromkeys(NAMES, 1), "part": {**dict.fromkeys(NAMES, 1), "part": dict.fromkeys(NAMES, 1)}}
DATA = msgspec.json.encode(VALUE)


def nested(make):
    fields = [(name, int) for name in NAMES]
    innermost = make("Innermost", fields)
    return make("Kind", [*fields, ("part", make("Inner", [*fields, ("part", innermost)]))])


def of_dataclass():
    return nested(dataclasses.make_dataclass)


def of_struct():
    return nested(msgspec.defstruct)


def read(kind, together):
    together.wait()
    msgspec.json.decode(DATA, type=prepared(kind))
    msgspec.convert(VALUE, prepared(kind))


for make in (of_dataclass, of_struct) * 100:
    kind, together = make(), threading.Barrier(4)
    threads = [threading.Thread(target=read, args=(kind, together)) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
"""


def test_a_type_that_threads_meet_together_for_the_first_time_crashes_nothing() -> None:
    """Without it the process ends by a signal: each channel of the watch reads its messages in a thread."""
    done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)


def test_no_code_reads_a_type_that_is_not_prepared() -> None:
    reads = re.compile(r"msgspec\.(?:json\.decode|convert|json\.Decoder)\(")
    files = [each for each in Path(zconsole.__file__).parent.rglob("*.py") if reads.search(each.read_text())]

    assert 5 <= len(files)
    assert [] == [each.name for each in files if "prepared(" not in each.read_text()]
