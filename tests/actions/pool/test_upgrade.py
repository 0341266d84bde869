"""Upgrade: for good, listed feature by feature, and never so that a boot loader is locked out."""

from __future__ import annotations

import pytest

from tests.actions.pool.shelf import argv, planned, rules, tank
from tests.doubles.plan_worlds import host
from zconsole.actions.action_catalogue import spec
from zconsole.actions.intent import intent
from zconsole.actions.plan import Risk
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool

NEW = {"feature@longname": "disabled", "feature@fast_dedup": "disabled", "feature@lz4_compress": "active"}


def properties(values: dict[str, str]) -> tuple[tuple[str, str, str, str], ...]:
    """Properties of tank."""
    found = {"compatibility": "off", "bootfs": "-", "feature@zpool_checkpoint": "enabled", **values}
    return tuple(("tank", key, value, "local") for key, value in found.items())


def known(values: dict[str, str] | None = None, pool: Pool | None = None, **facts: object) -> PlanFacts:
    """A host that does not boot from tank, unless told."""
    given = {"kernel_pools": frozenset[str](), **facts}
    return host(pools=(pool or tank(),), properties=properties(NEW if values is None else values), **given)


def test_it_is_destructive_and_lists_what_it_enables() -> None:
    made = planned(known(), "upgrade")

    assert Risk.DESTRUCTIVE is made.risk
    assert "storage1:tank" == made.confirm
    assert "zpool upgrade tank" == argv(made)
    assert "enables fast_dedup, longname" in made.notes
    assert not made.is_reversible
    assert "cannot import the pool" in made.warnings[0]


def test_a_checkpoint_is_suggested_first() -> None:
    made = planned(known(), "upgrade")

    assert intent("checkpoint", "tank") == made.alternatives[0][1]


def test_with_a_checkpoint_there_is_a_way_back() -> None:
    made = planned(known(pool=tank(checkpoint_bytes=1)), "upgrade")

    assert "--rewind-to-checkpoint" in str(made.undo)
    assert () == made.alternatives
    assert "discard the checkpoint when all is well, in a plan of its own" in made.notes


def test_a_pool_too_old_for_checkpoints_is_offered_none() -> None:
    assert () == planned(known({**NEW, "feature@zpool_checkpoint": "disabled"}), "upgrade").alternatives


def test_what_an_upgrade_leaves_out_is_not_promised_but_offered_by_itself() -> None:
    """OpenZFS 2.4 enables dynamic_gang_header only where it is named."""
    left_out = {"feature@dynamic_gang_header": "disabled"}

    made = planned(known({**NEW, **left_out}), "upgrade")
    nothing = planned(known(left_out), "upgrade")

    assert "enables fast_dedup, longname" in made.notes
    assert intent("set", "tank", "feature@dynamic_gang_header=enabled") == made.alternatives[-1][1]
    assert {"nothing-to-upgrade"} == rules(nothing)


@pytest.mark.parametrize("values", [{"feature@longname": "enabled"}, {**NEW, "compatibility": "legacy"}])
def test_nothing_to_upgrade_is_refused(values: dict[str, str]) -> None:
    assert {"nothing-to-upgrade"} == rules(planned(known(values), "upgrade"))


def test_unknown_features_are_refused() -> None:
    assert {"properties-unknown"} == rules(planned(host(pools=(tank(),)), "upgrade"))


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ({"kernel_pools": frozenset({"tank"}), "boot_pools": frozenset({"tank"})}, {"boot-pool"}),
        ({"kernel_pools": frozenset({"tank"})}, {"boot-pool"}),
        ({"kernel_pools": frozenset({"bpool"}), "boot_pools": frozenset({"tank", "bpool"})}, set()),
        ({"kernel_pools": frozenset(), "boot_pools": frozenset({"tank"})}, set()),
        ({"kernel_pools": frozenset({"rpool"}), "boot_pools": frozenset({"rpool"})}, set()),
        ({"kernel_pools": None}, {"boot-pool"}),
    ],
)
def test_what_a_boot_loader_may_read_is_not_upgraded(facts: dict[str, object], rule: set[str]) -> None:
    made = planned(known(**facts), "upgrade")

    assert rule == rules(made)
    runs_from_it = "tank" in (facts.get("boot_pools") or ())  # type: ignore[operator]
    assert (runs_from_it and not rule) == any("runs from tank" in each for each in made.warnings)


def test_bootfs_tells_of_another_system_that_boots_from_it() -> None:
    made = planned(known({**NEW, "bootfs": "tank/ROOT/debian"}), "upgrade")

    assert {"boot-pool"} == rules(made)
    assert "has bootfs set to tank/ROOT/debian" in made.refusals[0].reason


def test_bootfs_of_a_root_whose_kernel_is_elsewhere_is_known_good() -> None:
    facts = known({**NEW, "bootfs": "tank/ROOT/debian"}, boot_pools=frozenset({"tank"}))

    assert not planned(facts, "upgrade").is_refused


@pytest.mark.parametrize(
    ("sets", "warns"), [("grub2", False), ("grub2-2.06,openzfs-2.1-linux", False), ("mine", True)]
)
def test_a_compatibility_set_opens_it(sets: str, *, warns: bool) -> None:
    facts = known({**NEW, "compatibility": sets}, kernel_pools=frozenset({"tank"}))

    made = planned(facts, "upgrade")

    assert not made.is_refused
    assert "enables at most: fast_dedup, longname" in made.notes
    assert warns == any("make sure that the boot loader knows" in each for each in made.warnings)


def test_a_plan_is_stale_once_the_pool_became_one_to_boot_from() -> None:
    before = planned(known(), "upgrade")
    after = planned(known({**NEW, "bootfs": "tank/ROOT"}), "upgrade")

    assert "bootfs of tank was -, is tank/ROOT" in before.basis.differences(after.basis)


def test_all_properties_are_asked_for() -> None:
    needs = spec("upgrade").needs(intent("upgrade", "tank"))

    assert (("tank", "all"),) == needs.properties
    assert needs.boot
