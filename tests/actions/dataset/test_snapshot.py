"""Snapshot: one, all below, and many of the same instant."""

from __future__ import annotations

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import GIB, filesystem, host, images, volume
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import Dataset

FACTS = host(images())


def test_one() -> None:
    made = planned(FACTS, "snapshot", "tank/home@new")

    assert ["zfs snapshot tank/home@new"] == commands(made)
    assert Risk.ROUTINE is made.risk
    assert "zfs destroy tank/home@new" == made.undo


def test_many_in_one_command_are_of_one_instant() -> None:
    made = planned(FACTS, "snapshot", "tank/home@new", "tank/vm1@new", "tank/images@other")

    assert ["zfs snapshot tank/home@new tank/vm1@new tank/images@other"] == commands(made)


def test_recursive_is_refused_when_one_below_has_the_name_already() -> None:
    """ZFS takes all of them or none."""
    made = planned(FACTS, "snapshot", "tank@daily-1", recursive=True)

    assert ["exists"] == rules(made)
    assert "tank/home@daily-1" in made.refusals[0].reason


def test_the_same_dataset_twice_is_refused() -> None:
    assert ["twice"] == rules(planned(FACTS, "snapshot", "tank/home@a", "tank/home@b"))
    assert ["twice"] == rules(planned(FACTS, "snapshot", "tank/home@a", "tank/home/ann@a", recursive=True))


def test_without_space_there_is_no_snapshot() -> None:
    facts = host((filesystem("tank", available_bytes=0),))

    assert ["full"] == rules(planned(facts, "snapshot", "tank@a"))


def test_a_dataset_at_its_quota_has_a_snapshot_all_the_same() -> None:
    """As 2.4.4 does: only the pool's own space counts."""
    facts = host((filesystem("tank"), filesystem("tank/q", available_bytes=0)))

    assert [] == rules(planned(facts, "snapshot", "tank/q@a"))


def reserved(name: str, **values: object) -> Dataset:
    """A volume that reserves its 20 GiB, of which 15 were written since its newest snapshot."""
    given = {
        "refreservation_bytes": 20 * GIB,
        "written_bytes": 15 * GIB,
        "used_by_dataset_bytes": 15 * GIB,
        "used_by_refreservation_bytes": 5 * GIB,
        "available_bytes": int(8.9 * GIB),
    }
    return volume(name, **(given | values))


def test_a_reserved_volume_needs_its_written_part_once_more() -> None:
    datasets = (
        filesystem("tank", available_bytes=int(3.9 * GIB)),
        reserved("tank/v"),
        reserved("tank/kept", written_bytes=GIB),
        reserved("tank/sparse", refreservation_bytes=0, used_by_refreservation_bytes=0),
    )

    made = planned(host(datasets), "snapshot", "tank/v@a")

    assert ["full"] == rules(made)
    assert (
        "tank/v cannot be snapshotted: its refreservation of 20.0 GiB needs 15.0 GiB more beside a snapshot, "
        "and 3.90 GiB are free"
    ) == made.refusals[0].reason
    kept = planned(host(datasets), "snapshot", "tank/kept@a")
    assert [] == rules(kept), "what an earlier snapshot keeps needs nothing more"
    assert "1.00 GiB more are reserved then, for overwritten data" in kept.notes
    assert [] == rules(planned(host(datasets), "snapshot", "tank/sparse@a"))


def test_what_fits_one_by_one_and_not_together_is_told() -> None:
    """ZFS looks at each by itself."""
    datasets = (
        filesystem("tank", available_bytes=5 * GIB),
        *(reserved(f"tank/{name}", written_bytes=3 * GIB, available_bytes=10 * GIB) for name in "ab"),
    )

    made = planned(host(datasets), "snapshot", "tank@a", recursive=True)

    assert [] == rules(made)
    assert any("together they reserve 6.00 GiB, and 5.00 GiB are free" in each for each in made.warnings)


@pytest.mark.parametrize(
    "words", [["tank/home"], ["tank/home@"], ["tank/none@a"], ["tank/home@a%b"], ["tank/home@a", "tank/b"]]
)
def test_words_that_make_no_sense(words: list[str]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "snapshot", *words)


def test_several_pools_have_no_common_instant() -> None:
    facts = host((*images(), filesystem("vault")))

    with pytest.raises(UsageError, match="several pools"):
        planned(facts, "snapshot", "tank@a", "vault@a")


def test_a_name_that_is_too_long_below_is_found_before_zfs_does() -> None:
    facts = host((filesystem("tank"), filesystem("tank/" + "a" * 200)))

    with pytest.raises(UsageError, match="characters"):
        planned(facts, "snapshot", "tank@" + "b" * 60, recursive=True)
