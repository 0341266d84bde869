"""Slow disks and slow vdevs as findings."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import disk, mirror, pool
from tests.analysis.findings.judging import given
from tests.doubles.guests_on_storage import guest_on, on_volume
from tests.model.host.test_host_state import SLOW
from zconsole.analysis.findings.slow_disk_and_slow_vdev_rules import disk_is_slow, vdevs_are_unlike
from zconsole.model.finding import Finding, Severity
from zconsole.model.pools.slow_disk import READ, WRITE, Cost, Judgement, Stalls

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


def test_the_finding_names_the_guests_that_wait_and_what_it_adds_for_them() -> None:
    known = pool(replace(mirror("ONLINE", "ONLINE"), name=SLOW.vdev))
    slow = replace(SLOW, costs=(Cost(READ, 90e6, 50e6, 36e6, 30e6), Cost(WRITE, 20e6, 10e6, 15e6, 10e6)))
    facts = given(known, judgement=Judgement("tank", 9, 2, (slow,)))
    guests = (guest_on("web01", on_volume("tank/vm/web01")), guest_on("x", on_volume("bulk/x")))

    (alone,) = disk_is_slow(facts)
    (found,) = disk_is_slow(replace(facts, residents=guests))

    added = "; adds 6.0 ms a read and 5.0 ms a synchronous write to web01 in the mean"
    assert f"{alone.summary}{added}" == found.summary
    assert (("web01",), 6_000_000, 5_000_000) == tuple(
        found.evidence[key] for key in ("guests", "guests_read_ns", "guests_write_ns")
    )
    assert ((), None, None) == tuple(
        alone.evidence[key] for key in ("guests", "guests_read_ns", "guests_write_ns")
    )
