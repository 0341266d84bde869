"""Unmounting what is to be destroyed: a step for each mountpoint of its own, deepest first."""

from __future__ import annotations

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import filesystem, host
from zconsole.actions.dataset.unmount_before_destroy import refuse_legacy, unmounting

TREE = (
    filesystem("tank/a", mountpoint="/a"),
    filesystem("tank/a/b", mountpoint="/a/b"),
    filesystem("tank/a/own", mountpoint="/a/b/own"),
    filesystem("tank/a/off", mountpoint="/a/off", is_mounted=False),
)
FACTS = host(
    TREE,
    properties=(
        ("tank/a", "mountpoint", "/a", "local"),
        ("tank/a/b", "mountpoint", "/a/b", "inherited from tank/a"),
        ("tank/a/own", "mountpoint", "/a/b/own", "local"),
    ),
)


def test_those_that_follow_go_with_their_leader_and_the_deepest_goes_first() -> None:
    steps = list(unmounting(TREE, FACTS))

    assert ["tank/a/own", "tank/a"] == [step.argv[-1] for step in steps]
    assert steps[1].why.startswith("unmount tank/a and 1 below it")
    assert ["tank/a", "tank/a/b"] == [each.object for each in steps[1].settled_by]
    assert ["tank/a", "tank/a/b"] == [argv[-1] for argv in steps[1].put_back]


def test_without_a_known_source_each_is_unmounted_by_itself() -> None:
    assert 3 == len(list(unmounting(TREE, host(TREE))))


def test_what_is_not_mounted_needs_no_step() -> None:
    assert [] == list(unmounting(TREE[3:], FACTS))


def test_what_mount_8_has_mounted_is_refused_while_it_is_mounted() -> None:
    made = draft()

    refuse_legacy(
        made,
        (
            filesystem("tank/l", mountpoint="legacy"),
            filesystem("tank/m", mountpoint="legacy", is_mounted=False),
            filesystem("tank/n"),
        ),
    )

    assert ["legacy"] == rules(made)
    assert "tank/l" in made.refusals[0].reason
