"""Sentences on what a full pool does to guests."""

from __future__ import annotations

from dataclasses import replace

from zconsole.analysis.guests.full_pool_sentences import (
    RESERVED,
    full_in_short,
    full_in_words,
    full_now_in_short,
)
from zconsole.analysis.guests.guests_of_a_full_pool import FullEffect, GuestWhenFull

PAUSED = "paused by QEMU at the first write without space, until there is some and they are resumed"
MAIL = GuestWhenFull("mail01", ("vda",), FullEffect.PAUSED)
WEB = GuestWhenFull("web01", ("vda", "vdb"), FullEffect.SEES_ERRORS)
DB = GuestWhenFull("db01", ("vda",), FullEffect.PAUSED, has_reserved=True)


def test_each_effect_has_a_sentence_with_its_guests_and_disks() -> None:
    assert [
        "write errors in the guest, whose file systems fail or go read-only: web01 (vda vdb)",
        f"{PAUSED}: mail01 (vda), db01 (vda)",
        f"{RESERVED}: db01",
    ] == list(full_in_words((WEB, MAIL, DB)))


def test_in_short_guests_are_named_once_and_many_are_counted() -> None:
    many = [GuestWhenFull(f"g{at}", ("vda",), FullEffect.PAUSED) for at in range(5)]

    assert "when it is full mail01 would be paused" == full_in_short((MAIL,))
    assert (
        "when it is full web01 would see write errors, g0, g1, g2 and 2 more would be paused"
        == full_in_short((WEB, *many))
    )


def test_of_a_full_pool_those_that_are_paused_already_are_told_apart() -> None:
    paused = replace(MAIL, is_paused_now=True)

    assert "paused now: mail01" == full_now_in_short((paused,))
    assert (
        "from the next write on: web01 with write errors, db01 paused; paused now: mail01"
        == full_now_in_short((WEB, paused, DB))
    )


def test_without_guests_nothing_is_said() -> None:
    assert [] == list(full_in_words(()))
    assert "" == full_in_short(())
    assert "" == full_in_short((GuestWhenFull("x", ("vda",), FullEffect.UNKNOWN),))


def test_a_container_has_words_of_its_own() -> None:
    web = GuestWhenFull("web1", ("its root",), FullEffect.PROGRAMS_FAIL)

    full = list(full_in_words((web,)))
    assert ["programs in these containers fail for want of space: web1 (its root)"] == full
    assert "when it is full web1 would have no space left" == full_in_short((web,))
