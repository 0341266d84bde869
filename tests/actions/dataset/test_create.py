"""New file systems and volumes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.analysis.build import disk, group, mirror, pool
from tests.doubles.plan_worlds import host, images
from zconsole.actions.plan import Plan, Risk
from zconsole.base.errors import UsageError

FACTS = host(images())


@pytest.mark.parametrize(
    ("expected", "words", "options"),
    [
        ("zfs create tank/new", ["tank/new"], {}),
        ("zfs create -o compression=zstd -o a:b=c d tank/new", ["tank/new", "compress=zstd", "a:b=c d"], {}),
        ("zfs create -V 10G tank/new", ["tank/new"], {"volume": "10G"}),
        ("zfs create -s -V 10G -o volblocksize=64K tank/new", ["tank/new", "volblocksize=64K"],
         {"volume": "10G", "sparse": True}),
        ("zfs create -p tank/x/new", ["tank/x/new"], {"parents": True}),
    ],
)  # fmt: skip
def test_file_systems_and_volumes(expected: str, words: list[str], options: dict[str, str | bool]) -> None:
    made = planned(FACTS, "create", *words, **options)

    assert [expected] == commands(made)
    assert Risk.ROUTINE is made.risk
    assert f"zfs destroy {words[0]}" == made.undo


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("no redundancy of the pool", ["copies=2"]),
        ("clearly longer than with gzip-6", ["compression=gzip-9"]),
        ("a crash loses the last seconds", ["sync=disabled"]),
        ("an entry in a table", ["dedup=on"]),
    ],
)
def test_values_of_a_new_dataset_are_warned_of_as_those_that_are_set(says: str, words: list[str]) -> None:
    made, plain = planned(FACTS, "create", "tank/new", *words), planned(FACTS, "create", "tank/new")

    assert 1 == sum(says in each for each in made.warnings)
    assert () == tuple(plain.warnings)


def test_records_smaller_than_a_sector_are_warned_of() -> None:
    facts = host(images(), pools=(pool(replace(mirror("ONLINE", "ONLINE"), configured_ashift=12)),))

    (said,) = planned(facts, "create", "tank/new", "recordsize=512").warnings
    assert "each record of 512 B does" in said


def test_what_a_volume_reserves_with_parity_and_padding_has_to_fit() -> None:
    """Blocks of 4 KiB on a raidz2 of sectors of 4 KiB are three sectors each."""
    disks = [disk(name) for name in "abcdef"]
    wide = replace(group("raidz2-0", *disks, vdev_type="raidz2"), configured_ashift=12)
    facts = host(images(), pools=(pool(wide),))
    room = next(each for each in facts.datasets if each.name == "tank").available_bytes
    assert room is not None

    def made(share: float, block: str) -> Plan:
        return planned(facts, "create", "tank/new", f"volblocksize={block}", volume=f"{int(room * share)}")

    small, padded, nearly = made(0.4, "128K"), made(0.6, "4K"), made(0.975, "128K")

    assert (Risk.ROUTINE, False) == (small.risk, small.is_refused)
    assert ["full"] == rules(padded)
    assert "it would reserve " in padded.refusals[0].reason
    assert Risk.CAUTION is nearly.risk
    assert any("next to nothing to write to" in each for each in nearly.warnings)


def test_a_sparse_volume_may_promise_too_much_and_that_is_said() -> None:
    made = planned(FACTS, "create", "tank/new", volume="1T", sparse=True)

    assert not made.is_refused
    assert any("promises 1.00 TiB" in each for each in made.warnings)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["tank/new/"], {}), (["tank"], {}), (["tank/new", "recordsize=100K"], {}),
        (["tank/new", "used=1"], {}),
        (["tank/new", "recordsize=1M"], {"volume": "1G"}), (["tank/new"], {"volume": "many"}),
        (["tank/new"], {"volume": "0"}), (["tank/new"], {"sparse": True}),
        (["tank/new", "atime=on", "compression=lz4", "atime=off"], {}), (["tank/new", "compression"], {}),
    ],
)  # fmt: skip
def test_words_that_make_no_sense(words: list[str], options: dict[str, str | bool]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "create", *words, **options)


def test_a_system_path_that_only_descendants_would_be_mounted_below_is_warned_of() -> None:
    made = planned(FACTS, "create", "tank/x", "mountpoint=/etc", "canmount=off")

    assert not made.is_refused
    assert Risk.CAUTION is made.risk
    assert any("file systems below it inherit that mountpoint" in each for each in made.warnings)


def test_blocks_of_a_volume_no_larger_than_a_sector_are_warned_of() -> None:
    facts = host(images(), pools=(pool(replace(mirror("ONLINE", "ONLINE"), configured_ashift=12)),))

    made = planned(facts, "create", "tank/new", "volblocksize=4K", volume="10G")

    assert any("so each block of 4" in words for words in made.warnings)
