"""Advice on a host is on the host, and each parameter is a subject of its own."""

from __future__ import annotations

from tests.analysis.findings.host_cases import set_to, with_parameter
from zconsole.analysis.findings.host_settings_rules import findings_of_host_settings


def test_a_parameter_is_named_in_the_subject_so_that_each_can_be_silenced() -> None:
    (found,) = findings_of_host_settings(with_parameter("spl_slop", "1", hostid=0))
    (changed,) = findings_of_host_settings(with_parameter("spa_slop_shift", "15"))

    assert ("hostid-zero", "nas1") == (found.id, found.subject)
    assert ("parameter-changed", "nas1 spa_slop_shift") == (changed.id, changed.subject)
    assert changed.is_advice


def test_zed_that_does_not_run_is_told_once() -> None:
    told = findings_of_host_settings(set_to(is_zed_running=False, has_mailer=False))

    assert ["zed-not-running"] == [each.id for each in told]
