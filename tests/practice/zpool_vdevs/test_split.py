"""`zpool split`."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import Bench, outline


def test_a_mirrored_pool_is_split() -> None:
    bench = Bench("mirror 0 1 mirror 2 3")
    bench.do("zfs create tank/home")

    layout = bench.do("zpool split -n tank copy")
    assert "would create 'copy' with the following layout:\n\n\tcopy\n\t  wwn-0x5000c500a0000001\n" in layout
    bench.do("zpool split tank copy {0}")

    assert "1 2" == outline(bench.pool())
    (found,) = bench.importable()
    assert "copy" == found.name
    bench.do("zpool import copy")
    assert "0 3" == outline(bench.pool("copy"))
    assert ["copy", "copy/home"] == bench.do("zfs list -Ho name -r copy").split()
    assert "split new pool copy from pool tank" in bench.internal()


@pytest.mark.parametrize(
    ("layout", "line", "said"),
    [
        (
            "raidz 0 1 2",
            "zpool split tank x",
            "Unable to split tank: Source pool must be composed only of mirrors\n",
        ),
        (
            "mirror 0 1",
            "zpool split tank x {0} {1}",
            "Unable to split tank: Device list must include at most one",
        ),
        ("mirror 0 1", "zpool split tank tank", "Unable to split tank: pool already exists\n"),
        ("mirror 0 1", "zpool split tank", "Missing new pool name\nusage:\n\tsplit "),
    ],
)
def test_what_cannot_be_split_is_refused_in_zfs_words(layout: str, line: str, said: str) -> None:
    assert Bench(layout).refused(line).startswith(said)
