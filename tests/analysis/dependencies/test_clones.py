"""What clones share, pin and cost is what counting every block on the practice host gives."""

from __future__ import annotations

from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import invariant, rule

from tests.analysis.build import DAY, NOW
from tests.doubles.plan_worlds import GIB, filesystem, linked, snapshot
from tests.practice.zfs.blocks import BLOCK, Blocks, Lives
from zconsole.analysis.dependencies.clones import (
    divergence,
    independence,
    origin_cost,
    pins,
    promotion_effect,
)
from zconsole.analysis.dependencies.closure import Graph, graph
from zconsole.analysis.findings.clones import clone_findings
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.finding import Severity


class Clones(Lives):
    """Judges every clone after every command."""

    @invariant()
    def what_is_shared_is_counted_in_blocks(self) -> None:
        hung = graph(self.listed())
        for name, dataset in hung.datasets.items():
            if dataset.origin is None:
                assert "@" in name or divergence(hung, name) is None
                continue
            own, origin = self.blocks(name), self.blocks(dataset.origin)
            found = divergence(hung, name)
            assert found is not None
            assert (BLOCK * len(own & origin), BLOCK * len(own - origin)) == (
                found.shared_bytes,
                found.own_bytes,
            )
            assert BLOCK * len(origin - own) == found.left_bytes

    @invariant()
    def a_pinned_snapshot_cannot_go(self) -> None:
        hung = graph(self.listed())
        for name in hung.datasets:
            for pin in pins(hung, name):
                assert self.stage.run(f"zfs destroy -n {pin}").status == 1

    @invariant()
    def what_serves_nobody_is_within_its_bounds(self) -> None:
        hung = graph(self.listed())
        for name in hung.clones:
            cost = origin_cost(hung, name)
            origin = self.blocks(name)
            below = frozenset[int]().union(*(self._reach(hung, clone) for clone in cost.clones))
            line = hung.snapshots[name.partition("@")[0]]
            beside = frozenset[int]().union(
                self.blocks(name.partition("@")[0]), *(self.blocks(each) for each in line if each != name)
            )
            before = hung.datasets[name.partition("@")[0]].origin
            alone = origin - beside - (self.blocks(before) if before else frozenset())
            assert BLOCK * len(alone) == cost.alone_bytes
            assert cost.idle_least_bytes is not None
            assert cost.idle_most_bytes is not None
            assert cost.idle_least_bytes <= BLOCK * len(alone - below) <= cost.idle_most_bytes

    def _reach(self, hung: Graph, name: str) -> Blocks:
        """All that a clone, its snapshots, and clones of those refer to."""
        found = self.blocks(name)
        for each in hung.snapshots.get(name, ()):
            found |= self.blocks(each)
            for clone in hung.clones.get(each, ()):
                found |= self._reach(hung, clone)
        return found

    @rule(number=st.integers(0, 50))
    def promote_as_told(self, number: int) -> None:
        """Who pins whom, and whose space it is, becomes what was said."""
        before = graph(self.listed())
        clones = sorted(name for name, each in before.datasets.items() if each.origin)
        if not clones:
            return
        name = clones[number % len(clones)]
        effect = promotion_effect(before, name)
        assert effect is not None
        if not self._run(f"zfs promote {name}"):
            assert not effect.change.is_possible
            return
        after = graph(self.listed())
        systems = [each for each in after.datasets if "@" not in each and "#" not in each]
        moved = {each: pins(after, each) for each in systems if pins(before, each) != pins(after, each)}
        assert moved == effect.pins_after
        for each, (_, then) in ((name, effect.clone_bytes), (effect.former, effect.former_bytes)):
            assert own(after.datasets[each]) == then


TestClones = Clones.TestCase
TestClones.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)


def own(dataset: Dataset) -> int:
    return (dataset.used_bytes or 0) - (dataset.used_by_children_bytes or 0)


def machines(**clone: object) -> Graph:
    """An image of 40 GiB, a machine made of it, and a test of that."""
    return graph(linked((
        filesystem("tank/images", referenced_bytes=GIB),
        snapshot("tank/images@gold", 20, used_bytes=40 * GIB, referenced_bytes=41 * GIB,
                 creation=int(NOW - 400 * DAY)),
        filesystem("tank/vm", origin="tank/images@gold", referenced_bytes=50 * GIB,
                   used_by_dataset_bytes=49 * GIB, creation=int(NOW - 200 * DAY), **clone),
        snapshot("tank/vm@now", 40, referenced_bytes=50 * GIB, written_bytes=48 * GIB),
        filesystem("tank/test", origin="tank/vm@now", used_by_dataset_bytes=0, referenced_bytes=50 * GIB),
    )))  # fmt: skip


def test_a_clone_of_a_clone_pins_both_origins() -> None:
    assert ("tank/images@gold", "tank/vm@now") == pins(machines(), "tank/test")
    assert ("tank/images@gold",) == pins(machines(), "tank/vm")
    assert () == pins(machines(), "tank/images")
    assert () == pins(machines(), "tank/vm@now")


def test_origins_that_go_in_a_circle_end() -> None:
    """No ZFS says so; an answer that does must not hang."""
    hung = graph((
        filesystem("tank/a", origin="tank/b@s"), snapshot("tank/b@s"),
        filesystem("tank/b", origin="tank/a@s"),
    ))  # fmt: skip

    assert ("tank/a@s", "tank/b@s") == pins(hung, "tank/a")


def test_the_property_that_was_asked_for_counts() -> None:
    found = divergence(machines(), "tank/vm", {"tank/vm": 20 * GIB})

    assert found is not None
    assert (30 * GIB, 20 * GIB, 11 * GIB, 40.0) == (
        found.shared_bytes,
        found.own_bytes,
        found.left_bytes,
        found.percent,
    )


def test_a_snapshot_of_the_clone_still_needs_what_the_clone_has_left() -> None:
    """The clone shares 1 GiB, its snapshot 2 GiB: that much of the origin may be in use."""
    cost = origin_cost(machines(), "tank/images@gold")

    assert (40 * GIB, 38 * GIB, 39 * GIB) == (cost.alone_bytes, cost.idle_least_bytes, cost.idle_most_bytes)


def test_the_first_snapshot_of_the_clone_needs_the_most() -> None:
    older = snapshot("tank/vm@older", 35, referenced_bytes=50 * GIB, written_bytes=30 * GIB)
    hung = graph((*machines().datasets.values(), older))

    assert 20 * GIB == origin_cost(hung, "tank/images@gold").idle_least_bytes


def test_what_is_unknown_stays_unknown() -> None:
    hung = machines(used_bytes=None)
    hung = graph(
        replace(each, written_bytes=None, used_by_dataset_bytes=None) for each in hung.datasets.values()
    )

    assert divergence(hung, "tank/vm") is None
    assert origin_cost(hung, "tank/images@gold").idle_least_bytes is None
    effect = promotion_effect(hung, "tank/vm")
    assert effect is not None
    assert effect.moved_bytes is None
    assert (None, None) == effect.clone_bytes
    assert promotion_effect(hung, "tank/images") is None
    assert independence(hung, "tank/images") is None


def test_a_copy_needs_what_the_clone_refers_to() -> None:
    found = independence(machines(), "tank/test")

    assert found is not None
    assert (50 * GIB, ("tank/vm@now",)) == (found.needs_bytes, found.unpins)


def test_a_clone_that_shares_little_and_pins_much_is_found() -> None:
    first, second = clone_findings(machines(), NOW)

    assert ("clone-diverged", Severity.WARNING, "tank/vm") == (first.id, first.severity, first.subject)
    assert "shares only 1.00 GiB with tank/images@gold, which keeps at least 38.0 GiB" in first.summary
    assert ("clone-long-lived", Severity.INFO, "tank/images@gold") == (
        second.id,
        second.severity,
        second.subject,
    )
    assert "is 400d old and cannot go because of tank/vm" in second.summary


def test_a_young_clone_that_shares_much_is_fine() -> None:
    hung = graph(linked((
        filesystem("tank/images"),
        snapshot("tank/images@gold", 20, used_bytes=40 * GIB, referenced_bytes=41 * GIB),
        filesystem("tank/vm", origin="tank/images@gold", referenced_bytes=41 * GIB,
                   used_by_dataset_bytes=GIB),
    )))  # fmt: skip

    assert () == clone_findings(hung, NOW)
