"""New features on a pool that a boot loader may have to read."""

from __future__ import annotations

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import host, pool
from zconsole.actions.checks.boot_loader_features import refuse_for_boot_loader

POOL = pool()
FEATURES = ("blake3", "zilsaxattr", "head_errlog", "vdev_zaps_v2")


def known(compatibility: str = "off", bootfs: str = "-") -> tuple[tuple[str, str, str, str], ...]:
    return (("tank", "compatibility", compatibility, "local"), ("tank", "bootfs", bootfs, "local"))


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("it is not known whether this host boots from tank", {}),
        ("tank holds /boot of this host", {"kernel_pools": frozenset({"tank"})}),
        (
            "tank has bootfs set to tank/root",
            {"kernel_pools": frozenset(), "properties": known(bootfs="tank/root")},
        ),
    ],
)
def test_a_pool_that_may_hold_the_kernel_gets_no_feature(said: str, values: dict[str, object]) -> None:
    made = draft()

    refuse_for_boot_loader(POOL, host(**values), made, FEATURES)

    assert ["boot-pool"] == rules(made)
    assert made.refusals[0].reason.startswith(said)


def test_many_features_are_not_all_named() -> None:
    made = draft()

    refuse_for_boot_loader(POOL, host(kernel_pools=frozenset({"tank"})), made, FEATURES)

    assert "blake3, zilsaxattr, head_errlog and more" in made.refusals[0].reason


def test_a_pool_that_boots_nothing_gets_them_without_a_word() -> None:
    made = draft()

    refuse_for_boot_loader(POOL, host(kernel_pools=frozenset()), made, FEATURES)

    assert [] == rules(made)
    assert [] == [*made.warnings, *made.notes]
    assert "nothing" == made.basis["what tank boots"]


def test_the_root_beside_a_boot_partition_needs_a_newer_initial_file_system() -> None:
    made = draft()
    facts = host(
        kernel_pools=frozenset(), boot_pools=frozenset({"tank"}), properties=known(bootfs="tank/root")
    )

    refuse_for_boot_loader(POOL, facts, made, FEATURES)

    assert [] == rules(made)
    assert "its initial file system must have this OpenZFS as well" in made.warnings[0]


@pytest.mark.parametrize(
    ("warnings", "compatibility"), [(0, "grub2"), (0, "grub2-2.12"), (1, "openzfs-2.1-linux")]
)
def test_a_set_of_features_is_trusted_where_it_is_the_boot_loaders_own(
    warnings: int, compatibility: str
) -> None:
    made = draft()
    facts = host(kernel_pools=frozenset({"tank"}), properties=known(compatibility))

    refuse_for_boot_loader(POOL, facts, made, FEATURES)

    assert [] == rules(made)
    assert warnings == len(made.warnings)
    assert [f"only features of the compatibility set {compatibility} are enabled"] == made.notes
