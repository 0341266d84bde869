"""Slow disks and slow vdevs as findings."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import disk, mirror, pool
from tests.analysis.findings.judging import given
from tests.model.host.test_host_state import SLOW
from zconsole.analysis.findings.slow_disk_and_slow_vdev_rules import disk_is_slow, vdevs_are_unlike
from zconsole.model.finding import Finding, Severity
from zconsole.model.pools.slow_disk import Judgement, Stalls

POOL = pool(mirror("ONLINE", "ONLINE"))
STALLS = replace(SLOW, kind="stalling", stalls=Stalls(2, 3e9))


def test_a_slow_disk_and_one_that_stalls_have_their_own_ids() -> None:
    facts = given(POOL, judgement=Judgement("tank", 9, 2, (SLOW, STALLS)))

    assert ["disk-slow", "disk-stalling"] == [each.id for each in disk_is_slow(facts)]


def test_a_disk_is_told_with_its_guid_while_it_is_in_the_tree_and_by_name_after_that() -> None:
    known = pool(replace(mirror("ONLINE", "ONLINE"), children=(disk("sda", guid=7), disk("sdb"))))
    judged = Judgement("tank", 9, 2, (SLOW,))

    (there,) = disk_is_slow(given(known, judgement=judged))
    (gone,) = disk_is_slow(given(POOL, judgement=judged))

    assert "7" == there.evidence["vdev_guid"]
    assert "tank sda" == gone.subject
    assert gone.evidence["vdev_guid"] is None


def test_what_was_seen_of_a_vdev_is_told_of_that_vdev() -> None:
    seen = Finding(
        "vdev-slow", Severity.INFO, "x", "it is slow", {"vdev": "mirror-0", "pool": "?", "ratio": 2}
    )

    (found,) = vdevs_are_unlike(given(POOL, judgement=Judgement("tank", 9, 2, findings=(seen,))))

    assert ("vdev-slow", "tank mirror-0", "it is slow") == (found.id, found.subject, found.summary)
    assert {"pool": "tank", "vdev": "mirror-0", "vdev_guid": None, "ratio": 2} == found.evidence
    assert [] == list(vdevs_are_unlike(given(POOL)))
