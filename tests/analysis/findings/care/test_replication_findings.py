"""Copies are judged as they were last compared; what has no copy is told where nothing beside it has one."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, pool, scrubbed
from tests.analysis.findings.care.replication_cases import CUT, NO_COPY, OLD_COPY, STALE, finding, seen
from zconsole.analysis.findings.care.replication_findings import findings_of_replication
from zconsole.model.finding import Finding, ProposedAction
from zconsole.model.host.host_state import HostState


def found(state: HostState) -> list[Finding]:
    return list(findings_of_replication(state, NOW))


def test_what_has_no_copy_is_told_at_the_highest_dataset_below_which_nothing_has_one() -> None:
    assert ["tank/a", "tank/vm"] == [each.subject for each in found(seen(NO_COPY))]


def test_beside_a_dataset_with_a_copy_each_one_is_told_by_itself() -> None:
    state = seen(NO_COPY, sent=("tank/vm/sent",))

    assert ["tank/a", "tank/vm/x", "tank/vm/y"] == [each.subject for each in found(state)]


def test_the_evidence_says_when_it_was_seen_and_the_words_what_the_limit_is() -> None:
    (told,) = found(seen(STALE))

    assert round(NOW - 86400) == told.evidence["seen_at"]
    assert told.advised is not None
    assert ("4d15h behind", "at most 3d") == (told.advised.found, told.advised.limit)


def test_a_stale_copy_on_another_host_is_a_finding_on_the_pool_of_its_source_here() -> None:
    elsewhere = replace(STALE, evidence={**STALE.evidence, "host": "backup", "pool": "vault"})

    (told,) = found(seen(elsewhere))

    assert "tank" == told.evidence["pool"]


def test_a_receive_that_was_cut_is_resumed_by_its_plan() -> None:
    (told,) = found(seen(CUT))

    assert "tank/a" == told.subject
    assert told.advised is not None
    assert ProposedAction("resume-receive", "tank/a") == told.advised.action


def test_the_scrub_that_is_proposed_ends_that_copies_were_never_read_back() -> None:
    before = seen(received=OLD_COPY, of=pool(scan=None))
    after = seen(received=OLD_COPY, of=pool(scan=scrubbed(days_ago=0)))

    (told,) = found(before)
    assert told.advised is not None
    assert ProposedAction("scrub", "tank") == told.advised.action
    assert [] == found(after)


def test_a_finding_of_a_newer_version_is_left_out() -> None:
    assert [] == found(seen(finding("of-a-newer-version")))
