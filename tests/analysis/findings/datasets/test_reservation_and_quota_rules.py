"""Promises of space; when each is told is in the cases of all findings too."""

from __future__ import annotations

from tests.analysis.findings.datasets.cases import FULL, GIB, ROOM, filesystem
from tests.analysis.findings.judging import given, said
from zconsole.analysis.findings.datasets.reservation_and_quota_rules import (
    quotas_promise_too_much,
    reservations_are_unused,
)
from zconsole.model.finding import ProposedAction
from zconsole.model.host.host_state import Reading


def test_quotas_that_a_full_pool_can_keep_are_sound() -> None:
    settings = Reading((filesystem(used_bytes=GIB, quota_bytes=21 * GIB),), 0.0)

    assert [] == said(quotas_promise_too_much, FULL, settings=settings)


def test_the_reservation_is_the_one_that_is_taken_back() -> None:
    settings = Reading((filesystem(own_bytes=0, refreservation_bytes=20 * GIB),), 0.0)

    (found,) = reservations_are_unused(given(ROOM, settings=settings))

    assert found.advised is not None
    assert ProposedAction("set", "tank/a", ("refreservation=none",)) == found.advised.action


def test_each_dataset_is_a_subject_that_can_be_silenced_by_itself() -> None:
    names = ("tank/a", "tank/b")
    settings = Reading(
        tuple(filesystem(name, used_bytes=0, reservation_bytes=20 * GIB) for name in names), 0.0
    )

    assert names == tuple(each.subject for each in reservations_are_unused(given(ROOM, settings=settings)))
