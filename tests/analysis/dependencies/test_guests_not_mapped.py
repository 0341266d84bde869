"""What a plan says of guests that may be on its storage."""

from __future__ import annotations

from zconsole.analysis.dependencies.guests_not_mapped import NAMED, guests_not_mapped


def test_guests_are_named_once_with_what_is_not_known_of_them_and_why() -> None:
    one = ("web01", "vda", "it is reached over the network (nbd)")

    assert () == guests_not_mapped(())
    (words,) = guests_not_mapped((one, one))
    assert words.endswith("is not known of: web01 vda (it is reached over the network (nbd))")


def test_of_many_some_are_named() -> None:
    (words,) = guests_not_mapped((f"web{at}", "vda", "x") for at in range(NAMED + 3))

    assert "web0 vda (x)" in words
    assert f"web{NAMED + 2} vda" not in words
    assert "3 more" in words
