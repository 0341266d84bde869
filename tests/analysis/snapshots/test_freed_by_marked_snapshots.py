"""What marked snapshots free together, and which of them cannot go."""

from __future__ import annotations

from dataclasses import replace

from tests.doubles.plan_worlds import MIB, filesystem, images, snapshot
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.snapshots.freed_by_marked_snapshots import marked
from zconsole.analysis.snapshots.snapshots_to_free_space import Destroying

HELD = "tank/home@daily-2"
HUNG = build_graph([replace(each, holds=1) if each.name == HELD else each for each in images()])
NAMES = ["tank/home@daily-1", HELD, "tank/images@gold", "tank/home/ann@daily-2", "tank/gone@x"]


def test_what_is_held_or_cloned_stays_and_what_is_gone_is_not_counted() -> None:
    found = marked(HUNG, NAMES)

    assert 4 == found.count
    assert (HELD,) == found.held
    assert ("tank/images@gold",) == found.cloned
    assert 2 == found.able
    assert ["tank/home", "tank/home/ann", "tank/images"] == [chain.dataset.name for chain in found.chains]


FIVE = build_graph((
    filesystem("tank"),
    filesystem("tank/home", used_by_snapshots_bytes=90 * MIB),
    *(snapshot(f"tank/home@{at}", 20 + at, used_bytes=MIB, written_bytes=50 * MIB) for at in range(1, 6)),
))  # fmt: skip


def test_zfs_is_asked_only_where_the_sum_is_not_known() -> None:
    every = [f"tank/home@{at}" for at in range(1, 6)]

    assert (Destroying("tank/home", (("2", "3"),)),) == marked(FIVE, every[1:3]).questions
    assert () == marked(FIVE, every).questions
    assert () == marked(FIVE, every[:1]).questions


def test_an_answer_of_zfs_is_the_sum() -> None:
    found = marked(FIVE, ["tank/home@2", "tank/home@3"])

    unknown, known = found.freed({}), found.freed({"tank/home": 40 * MIB})

    assert not unknown.is_exact
    assert known.is_exact
    assert 40 * MIB == known.least_bytes


def test_of_nothing_nothing_is_freed() -> None:
    assert 0 == marked(HUNG, []).able
    assert marked(HUNG, []).freed({}).is_exact
