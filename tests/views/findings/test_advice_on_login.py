"""Advice on slow logins has every known cause."""

from __future__ import annotations

from zconsole.views.findings.advice_on_login import LOGIN
from zconsole.views.findings.ssh_login_causes import CAUSES


def test_the_manual_has_the_causes_of_every_phase() -> None:
    (advice,) = LOGIN

    assert [] == [each for causes in CAUSES.values() for each in causes if each not in advice.action]
