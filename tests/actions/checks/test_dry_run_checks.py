"""ZFS's dry run is heeded where it knows more, and not trusted where it knows less."""

from __future__ import annotations

from dataclasses import replace

from tests.actions.dataset.plans import planned, rules
from tests.doubles.plan_worlds import host, images, snapshot
from zconsole.actions.checks.dry_run_checks import check_dry_runs
from zconsole.actions.plan import Plan

FACTS = host((*images(), snapshot("tank/home@daily-3", 23)))


def said(made: Plan, *texts: str, status: int = 0) -> Plan:
    """The plan once its dry runs ran."""
    told = zip(made.rehearsals, texts, strict=True)
    return replace(made, rehearsals=tuple(replace(each, said=text, status=status) for each, text in told))


def test_the_bytes_of_several_snapshots_are_those_that_zfs_counts() -> None:
    made = planned(FACTS, "destroy", "tank/home@daily-1%daily-2", "tank/home/ann@daily-2")
    assert made.frees_bytes is None
    home = "destroy\ttank/home@daily-1\ndestroy\ttank/home@daily-2\nreclaim\t5000"
    ann = "destroy\ttank/home/ann@daily-2\nreclaim\t70"

    assert 5070 == check_dry_runs(said(made, home, ann)).frees_bytes


def test_what_zfs_names_and_the_plan_does_not_refuses() -> None:
    made = planned(FACTS, "destroy", "tank/home@daily-1")

    heeded = check_dry_runs(said(made, "destroy\ttank/home@daily-1\ndestroy\ttank/home@other\nreclaim\t1"))

    assert ["dry-run-differs"] == rules(heeded)
    assert heeded.is_refused
    assert heeded.confirm is None


def test_that_it_leaves_out_clones_changes_nothing() -> None:
    """facts.md, story 9: it prints only the snapshot, and reclaims 0."""
    made = planned(FACTS, "destroy", "tank/images@gold", with_clones=True)

    assert made.frees_bytes == check_dry_runs(said(made, "destroy\ttank/images@gold\nreclaim\t0")).frees_bytes
    assert not check_dry_runs(said(made, "destroy\ttank/images@gold\nreclaim\t0")).is_refused


def test_what_it_cannot_say_is_not_made_up() -> None:
    made = planned(FACTS, "destroy", "tank/home@daily-1%daily-2")

    assert made == check_dry_runs(made)
    for text in ("", "cannot destroy", "reclaim\tmuch"):
        assert check_dry_runs(said(made, text)).frees_bytes is None
    assert check_dry_runs(said(made, "destroy\ttank/home@daily-1\nreclaim\t9", status=1)).frees_bytes is None
