"""Which hosts are meant: by default this one."""

from __future__ import annotations

from zconsole.cli.selected_hosts import HostSelection


def test_an_exercise_is_part_of_the_word_that_selects_the_practice_host() -> None:
    assert "--demo" == HostSelection(is_demo=True).demo_word
    assert "--demo=cable" == HostSelection(is_demo=True, exercise="cable").demo_word
