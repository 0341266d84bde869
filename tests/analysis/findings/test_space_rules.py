"""How full a pool is, and what a checkpoint holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, pool
from tests.analysis.findings.judging import given, said
from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.analysis.findings.space_rules import RULES, checkpoint_exists, pool_is_filling


def test_of_a_pool_with_room_no_rule_speaks() -> None:
    assert [] == [found for rule in RULES for found in rule(given())]


@pytest.mark.parametrize(
    ("expected", "used"), [([], 79), (["capacity-warning"], 80), (["capacity-critical"], 90)]
)
def test_a_level_is_reached_at_its_percentage(expected: list[str], used: int) -> None:
    of = pool(usable_used_bytes=used, usable_available_bytes=100 - used)

    assert expected == [each for each, _ in said(pool_is_filling, of)]


def test_the_sentence_has_what_is_left() -> None:
    of = pool(usable_used_bytes=94 << 30, usable_available_bytes=6 << 30)

    assert [("capacity-critical", "94% of 100 GiB usable space used, 6.00 GiB left")] == said(
        pool_is_filling, of
    )


def test_near_the_end_it_is_said_what_is_after_it() -> None:
    of = pool(usable_used_bytes=95 << 30, usable_available_bytes=5 << 30)
    raw = pool(usable_used_bytes=None, size_bytes=100 << 30, allocated_bytes=96 << 30)

    ((_, words),) = said(pool_is_filling, of)
    ((_, of_raw),) = said(pool_is_filling, raw)

    assert words.endswith(
        "5.00 GiB left; when it is used up writes fail: 3.23 GiB more are kept for deletes and administration"
    )
    assert "96% of 100 GiB raw space used, 4.00 GiB left" == of_raw


def test_of_a_full_pool_nothing_is_said_as_if_it_were_to_come() -> None:
    of = pool(usable_used_bytes=100 << 30, usable_available_bytes=0)

    ((_, words),) = said(pool_is_filling, of)

    assert "0 B left; writes fail now: " in words
    assert "when" not in words


def test_a_checkpoint_that_holds_something_is_told_with_its_age() -> None:
    of = pool(checkpoint_bytes=1 << 30, checkpoint_created=int(NOW) - 7200)

    ((finding, words),) = said(checkpoint_exists, of)

    assert "checkpoint-exists" == finding
    assert words.startswith("a checkpoint made 2h ago holds 1.00 GiB;")
    assert [] == said(checkpoint_exists, pool(checkpoint_bytes=0))


def test_the_guests_that_a_full_pool_would_stop_are_named() -> None:
    of = pool(usable_used_bytes=95 << 30, usable_available_bytes=5 << 30)
    guests = (
        guest_on("mail01", on_files("tank/vm")),
        guest_on("web01", on_volume("tank/web01", cache="writeback")),
        guest_on("other", on_files("bulk/vm")),
    )

    (found,) = pool_is_filling(replace(given(of), residents=guests))

    words = "; when it is full web01 would see write errors, mail01 would be paused"
    assert found.summary.endswith(words)
    assert (("mail01",), ("web01",)) == (
        found.evidence["guests_paused"],
        found.evidence["guests_with_errors"],
    )
