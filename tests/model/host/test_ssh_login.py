"""The phases of a login, added and compared."""

from __future__ import annotations

from zconsole.model.host.ssh_login import LoginPhase, PhaseTime, SshLogin

LOGIN = SshLogin(
    "nas1",
    (PhaseTime(LoginPhase.CONNECT, 0.25), PhaseTime(LoginPhase.AUTHENTICATION, 5.0)),
    jumps=(SshLogin("gate", (PhaseTime(LoginPhase.CONNECT, 9.0),)),),
)


def test_the_total_is_of_the_host_alone() -> None:
    assert 5.25 == LOGIN.total_s


def test_a_phase_that_was_not_seen_is_unknown_and_not_zero() -> None:
    assert 0.25 == LOGIN.of(LoginPhase.CONNECT)
    assert None is LOGIN.of(LoginPhase.SHELL)


def test_the_longest_phase_is_the_slowest() -> None:
    assert PhaseTime(LoginPhase.AUTHENTICATION, 5.0) == LOGIN.slowest
    assert None is SshLogin("nas1").slowest
