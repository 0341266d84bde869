"""Advice on slow logins: the manual has every known cause, by the phase that is slow."""

from __future__ import annotations

from pathlib import Path

from zconsole.views.findings.ssh_login_causes import CAUSES

FINDINGS = Path(__file__).parents[3] / "docs" / "findings.md"


def test_the_manual_lists_the_causes_of_every_phase() -> None:
    section = FINDINGS.read_text("utf-8").partition("### ssh-login-slow\n")[2].partition("\n### ")[0]

    listed = [line.removeprefix("- ") for line in section.splitlines() if line.startswith("- ")]
    assert listed == [cause for causes in CAUSES.values() for cause in causes]
    assert [] == [phase for phase in CAUSES if f"Causes of a slow {phase.value}:" not in section]
