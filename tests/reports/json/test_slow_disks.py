"""The JSON of `slow` has the documented shape, of a host and of a recording."""

from __future__ import annotations

import json

import pytest

from tests.analysis.build import disk, group, pool
from tests.analysis.slow_disks.streams import HEALTHY, IDLE, MIRRORS, Act, judge, one_slow, slow
from tests.analysis.slow_disks.test_stalled_disks import STUCK, paused
from tests.reports.schema import SLOW, mismatch
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Count, Pool
from zconsole.reports.json.json_line import as_line
from zconsole.reports.json.slow_disks import slow_document

PAIR = ("mirror-0", "a", "b")


def mirrors(slow_ios: int | None = 0) -> Pool:
    """The pool of MIRRORS, with paths."""

    def leaf(name: str) -> object:
        counted = None if slow_ios is None else Count(slow_ios)
        return disk(name, path=f"/dev/{name}1", slow_ios=counted)

    return pool(*(group(f"mirror-{at}", *map(leaf, pair)) for at, pair in enumerate(("ab", "cd", "ef"))))  # type: ignore[arg-type]


INVENTORY = Inventory(
    tuple(
        Disk(name, f"/dev/{name}", "disk", serial=f"S{name}", model="ST8000", hctl="0:0:1:0",
             is_rotational=True, children=(Disk(f"{name}1", f"/dev/{name}1", "part"),))
        for name in "abcdef"
    )
)  # fmt: skip


CASES: list[tuple[str, Act]] = [
    ("slow", one_slow("d", slow(6))),
    ("only writing", one_slow("d", slow(6, writes=True, reads=False))),
    ("stalling", paused("d", (15, 19), (28, 32), (41, 45))),
    ("ended", lambda number, name: slow(6) if name == "d" and number < 20 else HEALTHY),
    ("none", lambda *_: HEALTHY),
    ("hanging", paused("d", (15, 40))),
    ("hanging together", lambda at, name: STUCK if name in "ace" and 15 <= at < 40 else HEALTHY),
    ("idle", lambda *_: IDLE),
    ("vdev", lambda _, name: slow(6) if name in "cd" else HEALTHY),
]


@pytest.mark.parametrize(("_name", "act"), CASES, ids=[name for name, _ in CASES])
@pytest.mark.parametrize("knows", [True, False], ids=["live", "recording"])
def test_the_document_has_the_documented_shape(_name: str, act: Act, knows: bool) -> None:
    of = mirrors() if knows else None

    document = json.loads(
        as_line(slow_document(judge(MIRRORS, act), host="nas1", pool=of, inventory=INVENTORY))
    )

    assert "" == mismatch(document, SLOW)
