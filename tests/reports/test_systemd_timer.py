"""Units of systemd that take a sample each hour."""

from __future__ import annotations

import pytest

from zconsole.reports.systemd_timer import Job, timer_units

JOB = Job(("/usr/bin/zconsole", "sample", "--host", "nas 1"), is_root=True)


@pytest.mark.parametrize(
    ("expected", "word"),
    [("a", "a"), ('"a b"', "a b"), ('""', ""), ("50%%", "50%"), ("$$HOME", "$HOME"), ('"a\\"b"', 'a"b')],
)
def test_a_word_is_escaped_as_systemd_takes_it(expected: str, word: str) -> None:
    assert f"ExecStart=zconsole {expected}\n" in timer_units(Job(("zconsole", word), is_root=True), "service")


def test_the_timer_runs_each_hour_and_catches_up() -> None:
    timer = timer_units(JOB, "timer")

    assert "OnCalendar=hourly" in timer
    assert "Persistent=true" in timer
    assert "ExecStart" not in timer


def test_a_user_has_units_of_his_own_that_go_on_when_he_is_gone() -> None:
    root, user = timer_units(JOB), timer_units(Job(JOB.argv, is_root=False))

    assert "/etc/systemd/system/zconsole-sample.timer" in root
    assert "--user" not in root
    assert "~/.config/systemd/user/zconsole-sample.service" in user
    assert "systemctl --user enable --now zconsole-sample.timer" in user
    assert "loginctl enable-linger" in user
