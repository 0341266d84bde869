"""A device that a sequential resilver has not filled yet is never taken for a whole one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import disk, group, pool
from tests.conftest import CAPTURES
from tests.practice.zpool.bench import Bench
from zconsole.analysis.vdevs.redundancy import survivable
from zconsole.model.pools.pool import Pool, Scan, Vdev
from zconsole.zfs.status.sequential_resilver_targets import is_in_doubt, with_marks, with_suspects
from zconsole.zfs.status.status import parse_status_json
from zconsole.zfs.status.status_text import parse_status_text

REBUILD = Scan("resilver", "scanning", repaired_bytes=1024, vdev="mirror-0")
BEGUN_ANEW = replace(REBUILD, repaired_bytes=0)
A, B, C, D = (disk(name) for name in "abcd")
MARKED = {"is_resilvering": True}


def marked(*vdevs: Vdev) -> list[str]:
    return [leaf.name for vdev in vdevs for leaf in vdev.leaves() if leaf.is_resilvering]


@pytest.mark.parametrize(
    ("top", "suspects"),
    [
        (group("mirror-0", A, B), "b"),
        (group("mirror-0", A, B, C, D), "bcd"),
        (group("mirror-0", A, B, disk("c", "OFFLINE"), disk("d", "DEGRADED")), "bd"),
        (group("mirror-0", A, group("replacing-1", B, C)), "c"),
        (group("mirror-0", group("replacing-0", A, B), C), "bc"),
        (group("mirror-0", group("replacing-0", A, disk("b", "FAULTED")), C), "c"),
        (group("mirror-0", group("spare-0", group("replacing-0", A, B), C)), "bc"),
        (group("draid1:2d:3c:1s-0", group("spare-0", A, B), C, D), "b"),
        (group("replacing-0", A, B), "b"),
    ],
)
def test_every_device_that_may_be_new_is_suspected(top: Vdev, suspects: str) -> None:
    assert list(suspects) == marked(with_suspects(top))


def test_of_two_devices_attached_at_once_json_counts_neither_and_text_knows_both() -> None:
    """`zpool attach -s` twice: the pool survives what its old devices survive."""
    bench = Bench("mirror 0 1", allocated=1 << 30)
    bench.do("zpool attach -s tank {0} {2}", "zpool attach -s tank {0} {3}")
    bench.go(1.0)
    (exact,) = parse_status_json(bench.do("zpool status -j --json-int -vsitP tank").encode())
    (told,) = parse_status_text(bench.do("zpool status -vsitpP tank"))

    known = with_marks(exact, told)

    assert is_in_doubt(exact)
    assert 0 == survivable(exact)
    assert 1 == survivable(known)
    assert [False, False, True, True] == [leaf.is_resilvering for leaf in known.vdevs[0].children]
    assert [leaf.guid for leaf in exact.vdevs[0].children] == [leaf.guid for leaf in known.vdevs[0].children]


def test_a_capture_of_one_new_device_is_in_no_doubt() -> None:
    (exact,) = parse_status_json((CAPTURES / "2.4/rebuild-running/zpool_status.json").read_bytes())
    told = (CAPTURES / "2.4/rebuild-running/zpool_status_vsitpP.txt").read_text()

    assert not is_in_doubt(exact)
    assert ["slow1"] == marked(*exact.vdevs)
    assert exact == with_marks(exact, parse_status_text(told)[0])


@pytest.mark.parametrize(
    "told",
    [
        pool(group("mirror-0", A, B, C)),
        pool(group("mirror-0", A, replace(B, **MARKED), C), scan=BEGUN_ANEW),
        pool(group("mirror-0", A, B, C, disk("d", **MARKED))),
        pool(group("mirror-0", A, B, replace(C, path="/dev/other", **MARKED))),
        pool(),
    ],
    ids=["nothing is written yet", "of before", "another shape", "another device", "fewer devices"],
)
def test_text_that_settles_nothing_leaves_the_suspicion(told: Pool) -> None:
    suspected = pool(with_suspects(group("mirror-0", A, B, C)), scan=REBUILD)

    assert is_in_doubt(suspected)
    assert suspected == with_marks(suspected, told)


def test_text_says_nothing_of_a_degraded_device() -> None:
    """ZFS prints `(resilvering)` behind ONLINE devices only."""
    suspected = pool(with_suspects(group("mirror-0", A, B, disk("c", "DEGRADED"), D)), scan=REBUILD)
    told = pool(group("mirror-0", A, B, disk("c", "DEGRADED"), replace(D, **MARKED)), scan=REBUILD)

    assert ["c", "d"] == marked(*with_marks(suspected, told).vdevs)
