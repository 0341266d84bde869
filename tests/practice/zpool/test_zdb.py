"""`zdb -l`, read by the parser of the console."""

from __future__ import annotations

from tests.practice.zpool.bench import Bench
from zconsole.practice.ready_made_pools import bring
from zconsole.zfs.listing.device_label import parse_label, read_label


def test_the_label_of_a_device_is_read() -> None:
    bench = Bench("mirror 0 1 spare 4")
    pool = bring(bench.world, "old", ["LAB0002"], host="attic", days_ago=3)

    def label(number: int) -> object:
        path = bench.path(number) + "-part1"
        return parse_label(path, bench.run(" ".join(read_label(path).argv)).stdout)

    found = parse_label("x", bench.run("zdb -l -u {2}-part1").stdout)
    assert found is not None
    assert ("old", pool.guid, "active", "attic", pool.accessed_at) == (
        found.pool,
        found.pool_guid,
        found.state,
        found.hostname,
        found.last_written,
    )
    assert label(0) is not None
    assert label(3) is None
    spare = parse_label("x", bench.run("zdb -l -u {4}-part1").stdout)
    assert spare is not None
    assert "spare" == spare.state
    bench.do("zpool destroy tank")
    gone = parse_label("x", bench.run("zdb -l {0}-part1").stdout)
    assert gone is not None
    assert "destroyed" == gone.state
