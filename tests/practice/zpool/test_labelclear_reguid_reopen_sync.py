"""`zpool labelclear`, `reguid`, `reopen` and `sync`."""

from __future__ import annotations

from tests.practice.zpool.bench import Bench
from zconsole.practice.ready_made_pools import bring


def test_a_label_is_cleared_only_from_what_serves_no_pool() -> None:
    bench = Bench("mirror 0 1")
    bring(bench.world, "old", ["LAB0002"], host="attic", days_ago=3)

    assert '{0}-part1 is a member (ACTIVE) of pool "tank"' == bench.refused("zpool labelclear {0}-part1")
    assert bench.refused("zpool labelclear -f {0}-part1").endswith(
        "Offline the disk first to clear its label."
    )
    assert (
        "use '-f' to override the following error:\n"
        '{2}-part1 is a member of potentially active pool "old"\n'
        == bench.refused("zpool labelclear {2}-part1")
    )
    assert "failed to read label from {3}-part1\n" == bench.refused("zpool labelclear -f {3}-part1")
    bench.do("zpool labelclear -f {2}-part1")
    assert () == bench.importable()
    bench.do("zpool add -f tank {2}")


def test_a_pool_gets_another_guid_and_syncs() -> None:
    bench = Bench("mirror 0 1")
    before = bench.practice().guid

    bench.do("zpool reguid tank", "zpool sync", "zpool reopen tank")

    assert before != bench.practice().guid
    assert "sysevent.fs.zfs.pool_reguid" in bench.events()
