"""Sizes against what is used and what is left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.analysis.build import disk, group, mirror, pool
from tests.doubles.plan_worlds import GIB, filesystem, host, volume
from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.size_property_limits import (
    MOST_SPECIAL_SHARE,
    path_of_shrinking,
    refuse_beyond_limits,
)
from zconsole.actions.plan import Risk
from zconsole.model.host.plan_facts import HostPolicy, PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Vdev

SYSTEM = filesystem("tank/a", recordsize_bytes=128 << 10)  # 3 GiB used, 2 referenced, 100 available
VOLUME = volume("tank/v")
FACTS = host((SYSTEM, VOLUME), properties=(("tank/v", "volsize", str(10 * GIB), "local"),))


def judged(name: str, value: str, *, facts: PlanFacts = FACTS) -> Draft:
    made = draft()
    of = VOLUME if name == "volsize" else SYSTEM
    refuse_beyond_limits(made, of, name, value, facts)
    return made


@pytest.mark.parametrize(
    ("expected", "name", "value"),
    [
        (["below-used"], "quota", "2G"),
        ([], "quota", "3G"),
        ([], "quota", "none"),
        ([], "refquota", "2G"),
        (["below-used"], "refquota", "1G"),
        ([], "reservation", "103G"),
        (["full"], "reservation", "104G"),
        ([], "refreservation", "102G"),
        (["full"], "refreservation", "103G"),
        (["block-size"], "volsize", "10737418241"),
        ([], "volsize", "20G"),
        ([], "quota", "much"),
    ],
)
def test_what_zfs_would_refuse_is_refused_before(expected: list[str], name: str, value: str) -> None:
    assert expected == rules(judged(name, value))


def test_blocks_as_large_as_records_all_go_to_the_special_vdevs() -> None:
    assert [MOST_SPECIAL_SHARE] == judged("special_small_blocks", "128K").warnings
    assert [] == judged("special_small_blocks", "64K").warnings


def test_a_volume_that_shrinks_loses_its_end() -> None:
    made = judged("volsize", "5G")

    assert Risk.DESTRUCTIVE is made.risk
    assert ["all data of the volume between 5.00 GiB and 10.0 GiB, its present size"] == made.loses
    assert [] == rules(made)
    assert not made.is_reversible


def test_a_volume_whose_size_is_not_known_may_shrink() -> None:
    assert Risk.DESTRUCTIVE is judged("volsize", "20G", facts=host((VOLUME,))).risk


@pytest.mark.parametrize(
    ("says", "logical", "value"),
    [
        (
            "holds 2.00 GiB of data, more than 1.00 GiB: at least 1.00 GiB of it would be destroyed",
            None,
            "1G",
        ),
        ("holds 6.00 GiB of data, more than 5.00 GiB: at least 1.00 GiB", 6 * GIB, "5G"),
        ("", None, "2G"),  # what it refers to fits exactly
        ("", 5 * GIB, "5G"),
    ],
)
def test_a_volume_does_not_become_smaller_than_its_data(says: str, logical: int | None, value: str) -> None:
    """The data before compression counts where it was read, which is never less than what it takes."""
    read = () if logical is None else (("tank/v", "logicalreferenced", str(logical), "-"),)

    made = judged("volsize", value, facts=replace(FACTS, properties=(*FACTS.properties, *read)))

    assert (["data-beyond-end"] if says else []) == rules(made)
    assert all(says in each.reason for each in made.refusals)


def test_the_data_of_a_volume_of_unknown_size_counts_too() -> None:
    assert ["data-beyond-end"] == rules(judged("volsize", "1G", facts=host((VOLUME,))))


@pytest.mark.parametrize(("expected", "value"), [(["data-beyond-end"], "5G"), ([], "9G")])
def test_a_volume_does_not_become_smaller_than_its_partitions(expected: list[str], value: str) -> None:
    parts = tuple(Disk(f"zd0p{at}", f"/dev/zd0p{at}", "part", size_bytes=4 * GIB) for at in (1, 2))
    zd0 = Disk("zd0", "/dev/zd0", "disk", size_bytes=10 * GIB, children=parts)
    facts = replace(
        FACTS,
        inventory=Inventory((zd0,)),
        files=replace(FACTS.files, resolved=(("/dev/zvol/tank/v", "/dev/zd0"),)),
    )

    made = judged("volsize", value, facts=facts)

    assert expected == rules(made)
    if expected:
        assert "the partitions on tank/v take 8.00 GiB, more than 5.00 GiB" == made.refusals[0].reason


def test_the_device_of_a_volume_is_looked_for_only_where_it_shrinks() -> None:
    assert ("/dev/zvol/tank/v",) == path_of_shrinking("tank/v", "5G", FACTS)
    assert () == path_of_shrinking("tank/v", "10G", FACTS)
    assert () == path_of_shrinking("tank/v", "5G", host((VOLUME,)))


def test_a_protected_volume_does_not_shrink() -> None:
    facts = host(
        (VOLUME,),
        properties=(("tank/v", "volsize", str(10 * GIB), "local"),),
        policy=HostPolicy(protected=("tank/*",)),
    )

    assert ["protected"] == rules(judged("volsize", "5G", facts=facts))
    assert [] == rules(judged("volsize", "20G", facts=facts))


@pytest.mark.parametrize(
    ("says", "top", "value"),
    [
        (["compression saves nothing else"], mirror("ONLINE", "ONLINE"), "4K"),
        (["parity takes as much as the data"], group("raidz2-0", *map(disk, "abcd")), "512"),
        ([], mirror("ONLINE", "ONLINE"), "8K"),
    ],
)
def test_records_of_one_sector_are_warned_of(says: list[str], top: Vdev, value: str) -> None:
    pool_of = pool(replace(top, configured_ashift=12))

    made = judged("recordsize", value, facts=host((SYSTEM, VOLUME), pools=(pool_of,)))

    assert len(says) == len(made.warnings)
    assert all(word in told for word, told in zip(says, made.warnings, strict=True))


@pytest.mark.parametrize(("says", "value"), [(["takes 2.00 times its size"], "8K"), ([], "16K"), ([], "1M")])
def test_records_that_parity_and_padding_make_larger_are_warned_of(says: list[str], value: str) -> None:
    pool_of = pool(replace(group("raidz2-0", *map(disk, "abcdef")), configured_ashift=12), ashift=12)

    made = judged("recordsize", value, facts=host((SYSTEM, VOLUME), pools=(pool_of,)))

    assert len(says) == len(made.warnings)
    assert all(word in told for word, told in zip(says, made.warnings, strict=True))
