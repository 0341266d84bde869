"""Create and clone: what would not fit, or has no place, is told beforehand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import filesystem, host, images, snapshot, volume
from zconsole.actions.plan import Risk
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
    ("rule", "name", "options"),
    [
        ("exists", "tank/home", {}),
        ("no-parent", "tank/x/new", {}),
        ("no-parent", "tank/vm1/new", {}),
        ("full", "tank/new", {"volume": "101G"}),
    ],
)
def test_what_has_no_place_or_no_room(rule: str, name: str, options: dict[str, str | bool]) -> None:
    assert [rule] == rules(planned(FACTS, "create", name, **options))


def test_a_sparse_volume_may_promise_too_much_and_that_is_said() -> None:
    made = planned(FACTS, "create", "tank/new", volume="1T", sparse=True)

    assert not made.is_refused
    assert any("promises 1.00 TiB" in each for each in made.warnings)


def test_a_parent_without_space_or_key_has_no_children() -> None:
    full = host((filesystem("tank", available_bytes=0),))
    locked = host(
        (filesystem("tank"), filesystem("tank/s", keystatus="unavailable", encryption="aes-256-gcm"))
    )

    assert ["full"] == rules(planned(full, "create", "tank/new"))
    assert ["locked"] == rules(planned(locked, "create", "tank/s/new"))


def test_where_it_will_be_mounted_is_told() -> None:
    facts = host((filesystem("tank", mountpoint="/srv"),))

    assert any("mounted at /srv/new" in each for each in planned(facts, "create", "tank/new").notes)
    assert any(
        "mountpoint is /x" in each for each in planned(facts, "create", "tank/new", "mountpoint=/x").notes
    )


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["tank/new/"], {}), (["tank"], {}), (["tank/new", "recordsize=100K"], {}),
        (["tank/new", "used=1"], {}),
        (["tank/new", "recordsize=1M"], {"volume": "1G"}), (["tank/new"], {"volume": "many"}),
        (["tank/new"], {"volume": "0"}), (["tank/new"], {"sparse": True}), (["tank/new", "compression"], {}),
    ],
)  # fmt: skip
def test_words_that_make_no_sense(words: list[str], options: dict[str, str | bool]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "create", *words, **options)


def test_a_clone_and_what_it_will_pin() -> None:
    made = planned(FACTS, "clone", "tank/home@daily-1", "tank/lab", "readonly=on")

    assert ["zfs clone -o readonly=on tank/home@daily-1 tank/lab"] == commands(made)
    assert any("tank/home@daily-1 cannot be destroyed" in each for each in made.notes)


def test_a_clone_of_a_volume_has_the_properties_of_volumes() -> None:
    facts = host((filesystem("tank"), volume("tank/v"), snapshot("tank/v@a")))

    assert ["zfs clone -o volmode=dev tank/v@a tank/w"] == commands(
        planned(facts, "clone", "tank/v@a", "tank/w", "volmode=dev")
    )
    with pytest.raises(UsageError):
        planned(facts, "clone", "tank/v@a", "tank/w", "recordsize=1M")


@pytest.mark.parametrize(
    "words", [["tank/home@daily-1"], ["tank/home@daily-1", "vault/x"], ["tank/home", "tank/x"]]
)
def test_a_clone_is_of_a_snapshot_in_its_pool_with_a_name(words: list[str]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "clone", *words)


def test_a_clone_needs_a_place_too() -> None:
    assert ["exists"] == rules(planned(FACTS, "clone", "tank/home@daily-1", "tank/vm1"))


def test_a_name_that_is_taken_in_the_meantime_makes_the_plan_stale() -> None:
    then = planned(FACTS, "create", "tank/new")
    now = planned(replace(FACTS, datasets=(*images(), filesystem("tank/new"))), "create", "tank/new")

    assert any("tank/new was not there" in each for each in then.basis.differences(now.basis))
