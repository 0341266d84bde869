"""The properties of a pool."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.zfs.recorded import cuts, each
from zconsole.base.errors import ParseError
from zconsole.zfs.listing.pool_get import ReadPoolProperty, get_all, parse_properties


@each("zpool_get_all.tsv")
def test_every_recorded_property_is_read(path: Path) -> None:
    text = path.read_text()
    pools = dict.fromkeys(line.split("\t")[0] for line in text.split("\n") if line)

    found = {pool: parse_properties(text, pool) for pool in pools}

    assert text.count("\n") == sum(map(len, found.values()))
    assert all(one.value and one.source for properties in found.values() for one in properties)


@pytest.mark.parametrize("version", ["2.1", "2.3", "2.4"])
def test_values_are_exact(version: str) -> None:
    path = Path(__file__).parents[2] / "captures" / version / "healthy-mirrors" / "zpool_get_all.tsv"

    properties = parse_properties(path.read_text(), "tank")

    assert ReadPoolProperty("size", "24159191040", "-") == properties[0]
    assert ReadPoolProperty("ashift", "12", "local") in properties
    assert ReadPoolProperty("failmode", "wait", "default") in properties


def test_a_value_may_hold_tabs() -> None:
    text = "tank\torg:note\tone\ttwo\tlocal\n"

    assert (ReadPoolProperty("org:note", "one\ttwo", "local"),) == parse_properties(text, "tank")


def test_properties_of_another_pool_are_left_out() -> None:
    text = "bulk\tsize\t1\t-\ntank\tsize\t2\t-\n"

    assert (ReadPoolProperty("size", "2", "-"),) == parse_properties(text, "tank")


def test_a_line_of_too_few_fields_is_an_error() -> None:
    with pytest.raises(ParseError, match="expected 4 fields, not 2"):
        parse_properties("tank\tsize\n", "tank")


@each("zpool_get_all.tsv")
def test_properties_cut_short_are_an_error_or_the_first_of_them(
    path: Path, request: pytest.FixtureRequest
) -> None:
    whole = path.read_bytes()
    pool = whole.decode().split("\t")[0]
    properties = parse_properties(whole.decode(), pool)

    for at in cuts(whole, is_long=request.config.getoption("--long"), samples=40):
        try:
            part = parse_properties(whole[:at].decode(), pool)
        except ParseError:
            continue
        assert properties[: len(part)] == part


def test_the_question_asks_for_exact_values() -> None:
    assert ("zpool", "get", "-Hp", "all", "tank") == get_all("tank").argv
