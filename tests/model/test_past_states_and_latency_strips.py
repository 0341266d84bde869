"""Strips of latency by the names of their rows."""

from __future__ import annotations

from zconsole.model.past_states_and_latency_strips import Strip, Strips


def test_a_strip_is_found_by_the_name_of_its_row() -> None:
    strip = Strip("sda", (1.0, None))
    strips = Strips(100.0, 5.0, (Strip("tank", ()), strip))

    assert strip is strips.of("sda")
    assert strips.of("sdb") is None
