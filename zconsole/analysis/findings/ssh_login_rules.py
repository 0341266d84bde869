"""Advice on a slow login by SSH, with the time of each of its phases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.model.finding import Advised, Finding, Severity
from zconsole.model.host.host_state import HostState
from zconsole.model.host.ssh_login import LoginPhase, SshLogin

SLOW_PHASE_S: Final = 3.0
EVIDENCE: Final = {  # by phase, in order
    LoginPhase.CONNECT: "connect_s",
    LoginPhase.KEY_EXCHANGE: "key_exchange_s",
    LoginPhase.AUTHENTICATION: "authentication_s",
    LoginPhase.SESSION: "session_s",
    LoginPhase.SHELL: "shell_s",
}


def findings_of_login(state: HostState) -> Iterator[Finding]:
    """A phase of the newest login that took seconds; of each jump host apart."""
    if state.login is not None:
        for login in (*state.login.jumps, state.login):
            yield from _slow_phase(login, state.host)


def _slow_phase(login: SshLogin, host: str) -> Iterator[Finding]:
    slowest = login.slowest
    if slowest is None or slowest.seconds < SLOW_PHASE_S:
        return
    to = "" if login.host == host else f" to the jump host {login.host}"
    if slowest.has_ended:
        took = f"took {login.total_s:.1f} s, {slowest.seconds:.1f} s of it {slowest.phase.value}"
    else:
        took = f"had waited {slowest.seconds:.1f} s for {slowest.phase.value} when it was given up"
    yield Finding(
        "ssh-login-slow",
        Severity.INFO,
        login.host,
        f"the login by SSH{to} {took}; {SLOW_PHASE_S:g} s is slow for one phase",
        {
            "login_host": login.host,
            "slowest_phase": slowest.phase.value,
            "has_ended": slowest.has_ended,
            "total_s": round(login.total_s, 3),
            **{
                name: None if (seconds := login.of(phase)) is None else round(seconds, 3)
                for phase, name in EVIDENCE.items()
            },
            "limit_s": SLOW_PHASE_S,
        },
        is_advice=True,
        advised=Advised(
            f"{slowest.seconds:.1f} s for {slowest.phase.value}", f"{SLOW_PHASE_S:g} s a phase", None
        ),
    )
