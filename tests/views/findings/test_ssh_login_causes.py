"""The causes of a slow login, told for the phase that is slow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import host
from zconsole.analysis.findings.ssh_login_rules import findings_of_login
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.ssh_login import LoginPhase, PhaseTime, SshLogin
from zconsole.reports.json.advice import advice_document
from zconsole.views.findings.advice_list import AdvicePoint, advice_lines
from zconsole.views.findings.finding_list_and_detail import details
from zconsole.views.findings.ssh_login_causes import CAUSES, causes_of
from zconsole.views.host_states_with_findings import HostView
from zconsole.views.layout.state_age_and_link_phrases import login_words


def text(lines: object) -> str:
    return "\n".join("".join(span.text for span in each) for each in lines)  # type: ignore[attr-defined]


def test_every_phase_has_known_causes() -> None:
    assert set(LoginPhase) == set(CAUSES)
    assert () == causes_of(Finding("pool-degraded", Severity.WARNING, "tank", ""))


@pytest.mark.parametrize(
    ("phase", "word"),
    [
        (LoginPhase.CONNECT, "getent ahosts"),
        (LoginPhase.KEY_EXCHANGE, "MaxStartups"),
        (LoginPhase.AUTHENTICATION, "UseDNS"),
        (LoginPhase.SESSION, "systemd-logind"),
        (LoginPhase.SHELL, "~/.bashrc"),
    ],
)
def test_the_finding_in_full_has_the_causes_of_its_phase_alone(phase: LoginPhase, word: str) -> None:
    state = replace(host(), login=SshLogin("nas1", (PhaseTime(phase, 9.0),)))
    (finding,) = findings_of_login(state)

    others = [cause for other in LoginPhase if other is not phase for cause in CAUSES[other]]
    for shown in (
        text(details(AdvicePoint((finding,)))),
        text(advice_lines(state, (finding,), ())),
        str(advice_document(state, (finding,), ())),
    ):
        assert word in shown
        assert [] == [cause for cause in others if cause in shown]


def test_the_connection_tells_how_long_the_login_took() -> None:
    quick = replace(host(), login=SshLogin("nas1", (PhaseTime(LoginPhase.CONNECT, 0.4),)))
    slow = replace(host(), login=SshLogin("nas1", (PhaseTime(LoginPhase.SESSION, 25.1),)))

    assert "login 0.4 s" == text([login_words(HostView(quick, ()))])
    told = text([login_words(HostView(slow, tuple(findings_of_login(slow))))])
    assert "login 25.1 s, 25.1 s the opening of the session" == told
    assert "" == text([login_words(HostView(host(), ()))])
