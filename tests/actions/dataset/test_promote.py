"""Promotion of clones."""

from __future__ import annotations

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import bookmark, filesystem, host, images, linked, snapshot, volume
from zconsole.actions.plan import ConditionKind, Dependent, Risk

FACTS = host(images())


def test_a_promotion_tells_which_snapshots_move_and_how_it_is_undone() -> None:
    made = planned(FACTS, "promote", "tank/vm1")

    assert ["zfs promote tank/vm1"] == commands(made)
    assert Risk.CAUTION is made.risk
    assert "zfs promote tank/images" == made.undo
    moved = {(each.kind, each.name, each.detail) for each in made.dependents}
    assert {("snapshot", "tank/images@gold", "becomes tank/vm1@gold"),
            ("clone", "tank/vm2", "will stand on tank/vm1")} == moved  # fmt: skip
    (settled,) = made.steps[0].settled_by
    assert (ConditionKind.ORIGIN_IS, "tank/images", "tank/vm1@gold") == (
        settled.kind,
        settled.object,
        settled.value,
    )


def test_an_origin_whose_later_snapshots_have_clones_is_not_said_to_be_free() -> None:
    datasets = linked((
        filesystem("tank"), filesystem("tank/a"), snapshot("tank/a@1", 1), snapshot("tank/a@2", 2),
        filesystem("tank/b", origin="tank/a@1"), filesystem("tank/c", origin="tank/a@2"),
    ))  # fmt: skip

    early, late = (planned(host(datasets), "promote", name) for name in ("tank/b", "tank/c"))

    assert any("still cannot be destroyed without tank/c" in each for each in early.notes)
    assert any("can then be destroyed without it" in each for each in late.notes)


def test_the_disk_of_an_engine_is_named_as_that() -> None:
    base, disk = "tank/base-900-disk-0", "tank/vm-100-disk-0"
    datasets = linked((
        filesystem("tank"), volume(base), snapshot(f"{base}@__base__", 1),
        volume(disk, origin=f"{base}@__base__"),
    ))  # fmt: skip

    made = planned(host(datasets), "promote", disk)

    assert {disk, base} == {each.name for each in made.dependents if each.kind == "container data"}
    assert any("fails on what depends on another after this" in each for each in made.warnings)
    assert [] == rules(made)


def test_what_is_no_clone_is_not_promoted() -> None:
    assert ["no-clone"] == rules(planned(FACTS, "promote", "tank/home"))


def test_names_of_snapshots_that_clash_refuse() -> None:
    datasets = linked((
        filesystem("tank"), filesystem("tank/a"), snapshot("tank/a@1", 1),
        filesystem("tank/b", origin="tank/a@1"), snapshot("tank/b@1", 2),
    ))  # fmt: skip

    made = planned(host(datasets), "promote", "tank/b")

    assert ["conflict"] == rules(made)
    assert "tank/b@1" in made.refusals[0].instead


def test_bookmarks_that_move_are_told_and_names_of_them_that_clash_refuse() -> None:
    """OpenZFS 2.1 to 2.4 looks for them in the wrong place, and its kernel module then panics."""
    datasets = linked((
        filesystem("tank"), filesystem("tank/a"), snapshot("tank/a@1", 1), bookmark("tank/a#1", 1),
        filesystem("tank/b", origin="tank/a@1"),
    ))  # fmt: skip
    clash = (*datasets, bookmark("tank/b#1", 2))

    moved = planned(host(datasets), "promote", "tank/b")
    made = planned(host(clash), "promote", "tank/b")

    assert Dependent("bookmark", "tank/a#1", "becomes tank/b#1") in moved.dependents
    assert [] == rules(moved)
    assert ["bookmark-conflict"] == rules(made)
    assert "panic" in made.refusals[0].reason
    assert moved.basis.differences(made.basis)


def test_a_new_snapshot_of_the_origin_makes_the_plan_stale() -> None:
    datasets = (*images(), snapshot("tank/images@first", 29))

    assert (
        planned(FACTS, "promote", "tank/vm1").fingerprint
        != planned(host(datasets), "promote", "tank/vm1").fingerprint
    )
