"""What to do of findings agrees with the guided repair: a sound disk that was pulled goes back first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import changed, error, the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count, Scan, Vdev
from zconsole.views.findings.by_id.what_to_do import what_to_do

PULLED = group("raidz2-0", leaf(0), leaf(1, "FAULTED", note="too many errors"), leaf(2, "REMOVED"), leaf(3))


def told(state: HostState) -> dict[str, str]:
    found = findings(state, NOW, Thresholds())
    return {f"{each.id} {each.evidence.get('vdev', '')}".strip(): what_to_do(each) for each in found}


def test_the_pulled_disk_is_put_back_before_anything_is_replaced() -> None:
    state = trouble_at(PULLED, gone=[2], events=[error(1, 9), changed(1, 8), changed(2, 2, "REMOVED")])

    words = told(state)

    assert f"put {serial(2)} back" in the_repair(state, 1).alarm.replace(
        "Put back SER0002", "put SER0002 back"
    )
    assert words["vdev-no-redundancy raidz2-0"].startswith(f"First put {serial(2)} back")
    assert words["pool-degraded"].startswith(f"First put {serial(2)} back")
    assert words[f"device-faulted {leaf(2).name}"].startswith(f"Put {serial(2)} back")
    assert "then replace it" not in words[f"device-faulted {leaf(2).name}"]


def test_without_events_it_is_said_with_an_if() -> None:
    words = told(trouble_at(PULLED, gone=[2]))

    assert words["vdev-no-redundancy raidz2-0"].startswith(
        f"If {serial(2)} was pulled by mistake, put it back first"
    )


def test_a_failed_disk_alone_is_replaced() -> None:
    pulled_only = group("raidz2-0", leaf(0), leaf(1), leaf(2, "REMOVED"), leaf(3))
    failed_only = group("raidz2-0", leaf(0), leaf(1, "FAULTED"), leaf(2, "OFFLINE"), leaf(3))

    assert not any("put it back" in each for each in told(trouble_at(pulled_only, gone=[2])).values())
    assert not any("put it back" in each for each in told(replace(trouble_at(failed_only))).values())


BEHIND = {"is_resilvering": True}
RUNS = Scan("resilver", "scanning", percent=9.0)


@pytest.mark.parametrize(
    "vdev",
    [
        group("raidz1-0", leaf(0, **BEHIND), leaf(1, "FAULTED"), leaf(2)),
        group("raidz2-0", leaf(0, **BEHIND), leaf(1, "FAULTED"), leaf(2, **BEHIND), leaf(3)),
        group("raidz1-0", leaf(0), leaf(1, "FAULTED"), leaf(2, "OFFLINE")),
    ],
)
def test_no_finding_of_a_pool_has_a_device_replaced_that_is_needed(vdev: Vdev) -> None:
    """Neither that the vdev is incomplete, nor that it perhaps is, nor that it is lost."""
    words = told(trouble_at(vdev, scan=RUNS))

    assert f"device-faulted {leaf(1).name}" in words
    assert [] == [each for each in words.values() if "eplace the " in each or "then replace it" in each]
    assert "Pull, detach and replace no device" in words["pool-degraded"]


def test_a_checkpoint_goes_before_a_replacement() -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1, "FAULTED")), checkpoint_bytes=4096)

    words = told(state)

    for name in ("pool-degraded", "vdev-no-redundancy mirror-0", f"device-faulted {leaf(1).name}"):
        assert words[name].startswith(
            "First discard the checkpoint if you do not need it (zpool checkpoint -d tank)"
        ), name


def test_damaged_files_are_not_deleted_while_a_device_is_missing_that_may_have_them() -> None:
    damaged = {"error_count": 4, "error_files": ("/tank/a",)}
    out = trouble_at(group("raidz1-0", leaf(0), leaf(1, "UNAVAIL"), leaf(2)), **damaged)
    whole = trouble_at(group("raidz1-0", leaf(0), leaf(1), leaf(2)), **damaged)

    assert f"First bring {leaf(1).name} back where that can be done" in told(out)["data-errors"]
    assert told(whole)["data-errors"].startswith("Restore the files")


def test_no_scrub_is_asked_for_while_a_resilver_runs_or_no_redundancy_is_left() -> None:
    erring = group("mirror-0", leaf(0, checksum_errors=Count(3)), leaf(1, **BEHIND))
    later = "Scrub only when the redundancy is back and no resilver runs."

    assert told(trouble_at(erring, scan=RUNS))[f"device-errors {leaf(0).name}"].startswith(later)
    alone = trouble_at(group("mirror-0", leaf(0, checksum_errors=Count(3)), leaf(1)))
    assert later not in told(alone)[f"device-errors {leaf(0).name}"]
