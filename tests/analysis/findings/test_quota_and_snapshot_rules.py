"""Quotas that are reached, and snapshots that ZFS remembers."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, pool
from tests.analysis.findings.judging import given, said
from tests.doubles.guests_on_storage import guest_on, on_files
from zconsole.analysis.findings.quota_and_snapshot_rules import (
    quotas_are_nearly_reached,
    snapshots_are_missing,
)
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import ProposedAction
from zconsole.model.guests.guest import GuestState
from zconsole.model.host.host_state import Reading

GIB = 1 << 30
OLD = int(NOW) - 400 * 86400


def test_the_fullest_quota_is_told_first() -> None:
    settings = tuple(
        DatasetSettings(f"tank/{used}", "filesystem", used_bytes=used, quota_bytes=100)
        for used in (91, 99, 95, 20)
    )

    first, *others = said(quotas_are_nearly_reached, settings=Reading(settings))

    assert "tank/99 has used 99 B, 99% of quota=100 B" == first[1]
    assert 2 == len(others)


def test_a_quota_names_the_guests_that_get_errors_at_it_and_a_larger_one_is_planned() -> None:
    settings = (DatasetSettings("tank/vm", "filesystem", used_bytes=45 * GIB, quota_bytes=46 * GIB),)
    guests = (
        guest_on("mail01", on_files("tank/vm")),
        guest_on("off", on_files("tank/vm"), state=GuestState.SHUT_OFF),
    )
    facts = replace(given(settings=Reading(settings)), residents=guests)

    (found,) = quotas_are_nearly_reached(facts)

    assert found.summary.endswith("97% of quota=46.0 GiB; at it the writes of mail01 fail")
    assert found.advised is not None
    assert ProposedAction("set", "tank/vm", ("quota=58G",)) == found.advised.action


def test_one_recent_snapshot_of_the_pool_is_enough() -> None:
    """Which datasets need snapshots only their owner knows: `zconsole replicas` lists those without."""
    settings = tuple(
        DatasetSettings(
            name,
            "filesystem",
            own_bytes=2 * GIB,
            creation=OLD,
            snapshots_changed=changed,
            tells_snapshots_changed=True,
        )
        for name, changed in (("tank/a", None), ("tank/b", int(NOW) - 60))
    )

    assert [] == said(snapshots_are_missing, pool(), settings=Reading(settings))
    assert 1 == len(said(snapshots_are_missing, pool(), settings=Reading(settings[:1])))
