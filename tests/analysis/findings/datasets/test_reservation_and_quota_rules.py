"""Promises of space; when each is told is in the cases of all findings too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import DAY, NOW
from tests.analysis.findings.datasets.cases import FULL, GIB, KIB, filesystem
from tests.analysis.findings.judging import given, said
from zconsole.analysis.findings.datasets.reservation_and_quota_rules import (
    quotas_promise_too_much,
    reservations_are_unused,
    reservations_are_used_up,
)
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import ProposedAction
from zconsole.model.host.host_state import Reading


def test_quotas_that_a_full_pool_can_keep_are_sound() -> None:
    settings = Reading((filesystem(used_bytes=GIB, quota_bytes=21 * GIB),), 0.0)

    assert [] == said(quotas_promise_too_much, FULL, settings=settings)


def test_the_reservation_keeps_what_is_used_and_half_as_much() -> None:
    settings = Reading((filesystem(own_bytes=3 * GIB, refreservation_bytes=20 * GIB),), 0.0)

    (found,) = reservations_are_unused(given(FULL, settings=settings))

    assert found.advised is not None
    assert ProposedAction("set", "tank/a", ("refreservation=4608M",)) == found.advised.action


@pytest.mark.parametrize("used", [GIB // 4, GIB, 9 * GIB])
def test_after_its_plan_neither_rule_on_reservations_speaks(used: int) -> None:
    unused = filesystem(used_bytes=used, reservation_bytes=20 * GIB)
    (found,) = reservations_are_unused(given(FULL, settings=Reading((unused,), 0.0)))
    proposed = found.evidence["proposed_bytes"]
    assert isinstance(proposed, int)

    after = Reading((replace(unused, reservation_bytes=proposed),), 0.0)

    assert [] == said(reservations_are_unused, FULL, settings=after)
    assert [] == said(reservations_are_used_up, FULL, settings=after)


@pytest.mark.parametrize(
    "sound",
    [
        pytest.param(filesystem(used_bytes=10 * GIB, reservation_bytes=20 * GIB), id="in use"),
        pytest.param(
            filesystem(used_bytes=96 * KIB, reservation_bytes=20 * GIB), id="keeps a pool from filling"
        ),
        pytest.param(filesystem(used_bytes=GIB, reservation_bytes=9 * GIB), id="small"),
        pytest.param(
            filesystem(used_bytes=GIB, reservation_bytes=20 * GIB, creation=int(NOW) - 29 * DAY), id="young"
        ),
        pytest.param(
            DatasetSettings("tank/v", "volume", own_bytes=GIB, refreservation_bytes=50 * GIB, creation=1),
            id="of a volume",
        ),
    ],
)
def test_a_reservation_that_serves_is_left_alone(sound: DatasetSettings) -> None:
    assert [] == said(reservations_are_unused, FULL, settings=Reading((sound,), 0.0))


def test_each_dataset_is_a_subject_that_can_be_silenced_by_itself() -> None:
    names = ("tank/a", "tank/b")
    settings = Reading(
        tuple(filesystem(name, used_bytes=GIB, reservation_bytes=20 * GIB) for name in names), 0.0
    )

    assert names == tuple(each.subject for each in reservations_are_unused(given(FULL, settings=settings)))
