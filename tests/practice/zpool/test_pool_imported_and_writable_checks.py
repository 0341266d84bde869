"""A user without privileges is refused by every command."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import Bench


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("zpool scrub tank", "cannot scrub tank: permission denied\n"),
        ("zpool offline tank {0}", "cannot offline {0}: permission denied\n"),
        ("zpool detach tank {0}", "cannot detach {0}: permission denied\n"),
        ("zpool attach tank {0} {2}", "cannot attach {2} to {0}: permission denied\n"),
        ("zpool set comment=x tank", "cannot set property for 'tank': permission denied\n"),
        ("zpool checkpoint tank", "cannot checkpoint 'tank': permission denied\n"),
        ("zpool create data {2}", "cannot create 'data': permission denied\n"),
        ("zpool add tank mirror {2} {3}", "cannot add to 'tank': permission denied\n"),
        ("zpool export tank", "cannot unmount '/tank': permission denied\n"),
        ("zpool import", "cannot discover pools: permission denied\n"),
        ("zpool clear tank", "cannot clear errors for tank: permission denied\n"),
        ("zpool labelclear {0}-part1", "failed to open {0}-part1: Permission denied\n"),
    ],
)
def test_another_user_may_not(line: str, said: str) -> None:
    bench = Bench("mirror 0 1")
    bench.world.user_id = 1000

    assert said == bench.refused(line)
    assert not bench.disk(2).is_partitioned
