"""Advice on slow logins: which phase is named, and when nothing is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import host
from zconsole.analysis.findings.ssh_login_rules import EVIDENCE, SLOW_PHASE_S, findings_of_login
from zconsole.model.host.ssh_login import LoginPhase, PhaseTime, SshLogin

QUICK = tuple(PhaseTime(phase, 0.1) for phase in LoginPhase)


def with_phase(phase: LoginPhase, seconds: float, name: str = "nas1", *, has_ended: bool = True) -> SshLogin:
    return SshLogin(
        name,
        tuple(
            PhaseTime(each, seconds, has_ended) if each is phase else PhaseTime(each, 0.1)
            for each in LoginPhase
        ),
    )


@pytest.mark.parametrize("phase", LoginPhase)
def test_the_slow_phase_is_named_with_its_seconds(phase: LoginPhase) -> None:
    (found,) = findings_of_login(replace(host(), login=with_phase(phase, 5.2)))

    assert f"took 5.6 s, 5.2 s of it {phase.value}" in found.summary
    assert phase.value == found.evidence["slowest_phase"]
    assert {5.2, 0.1} == {found.evidence[name] for name in EVIDENCE.values()}
    assert 5.2 == found.evidence[EVIDENCE[phase]]
    assert found.is_advice


@pytest.mark.parametrize("phase", LoginPhase)
def test_below_the_limit_nothing_is_said(phase: LoginPhase) -> None:
    assert [] == list(findings_of_login(replace(host(), login=with_phase(phase, SLOW_PHASE_S - 0.01))))


def test_a_host_without_a_login_has_none_to_judge() -> None:
    assert [] == list(findings_of_login(host()))
    assert [] == list(findings_of_login(replace(host(), login=SshLogin("nas1"))))


def test_a_jump_host_is_judged_apart_from_the_host_behind_it() -> None:
    gate = with_phase(LoginPhase.AUTHENTICATION, 10.0, "gate")

    (found,) = findings_of_login(replace(host(), login=SshLogin("nas1", QUICK, (gate,))))

    assert "gate" == found.subject
    assert found.summary.startswith("the login by SSH to the jump host gate took 10.4 s")


def test_a_login_that_was_given_up_is_told_as_such() -> None:
    waiting = SshLogin("nas1", (*QUICK[:3], PhaseTime(LoginPhase.SESSION, 10.0, has_ended=False)))

    (found,) = findings_of_login(replace(host(), login=waiting))

    assert "had waited 10.0 s for the opening of the session when it was given up" in found.summary
    assert None is found.evidence["shell_s"]
