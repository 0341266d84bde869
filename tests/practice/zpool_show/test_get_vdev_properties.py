"""`zpool get` of vdevs."""

from __future__ import annotations

from tests.practice.zpool.bench import Bench
from zconsole.zfs.listing.pool_get import parse_properties


def test_vdevs_have_properties() -> None:
    bench = Bench("raidz1 0 1 2")

    bench.do(
        "zpool set autosit=on tank raidz1-0", "zpool set checksum_n=20 tank {0}", "zpool set a:b=c tank {0}"
    )

    assert "on\tlocal\n" == bench.do("zpool get -Ho value,source autosit tank raidz1-0")
    rows = bench.do("zpool get -Hp all tank {0}")
    found = {row.name: row.value for row in parse_properties(rows, bench.path(0))}
    assert ("20", "c", "online", "raidz1-0") == tuple(
        found[key] for key in ("checksum_n", "a:b", "state", "parent")
    )
    names = {
        line.split("\t")[0] for line in bench.do("zpool get -Hp guid tank all-vdevs").strip().split("\n")
    }
    assert 5 == len(names)
    assert 'Expected a list of vdevs in "tank", but got:\n\tnosuch\n' in bench.refused(
        "zpool get all tank nosuch"
    )
