"""Which console carries a run out, and whether it is alive."""

from __future__ import annotations

import subprocess
import sys

import pytest

from zconsole.execution.run_context import console_id, is_alive, origin

DEAD = "another boot:1:1"


def test_this_process_is_alive_and_one_that_ended_is_not() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    theirs = console_id(child.pid)
    assert is_alive(console_id())
    assert is_alive(theirs)

    child.communicate()

    assert not is_alive(theirs)


@pytest.mark.parametrize("console", ["", "x", DEAD, "a:b:c", ":1:"])
def test_what_names_no_process_is_not_alive(console: str) -> None:
    assert not is_alive(console)


def test_a_number_that_was_given_to_another_process_is_not_the_same_console() -> None:
    boot, number, started = console_id().split(":")

    assert not is_alive(f"{boot}:{number}:{int(started) - 1}")


def test_where_somebody_sits_has_the_address_they_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.9 50000 10.0.0.1 22")

    assert origin().endswith(" from 10.0.0.9")
