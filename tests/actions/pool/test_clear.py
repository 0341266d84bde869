"""Clear: what is forgotten is in the plan, and a suspended pool is not resumed blindly."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.pool.shelf import argv, leaf, mirror, of, planned, rules, tank, with_errors
from tests.doubles.plan_worlds import guid_of, host
from zconsole.actions.action_catalogue import spec
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError
from zconsole.model.pools.pool import Count, Pool

SUSPENDED = Pool("tank", "SUSPENDED")


def test_the_counters_are_in_the_plan_since_they_go() -> None:
    ailing = replace(
        leaf("a"), read_errors=Count(3), checksum_errors=Count(1126, is_rounded=True), slow_ios=Count(2)
    )

    made = planned(tank(of("mirror-0", ailing, leaf("b"))), "clear")

    assert Risk.ROUTINE is made.risk
    assert "zpool clear tank" == argv(made)
    assert ("cleared: a: 3 read errors, about 1126 checksum errors, 2 slow I/Os",) == made.notes
    assert not made.is_reversible


def test_one_device_is_cleared_by_its_guid() -> None:
    made = planned(tank(of("mirror-0", with_errors(leaf("a")), leaf("b"))), "clear", "tank", "a")

    assert f"zpool clear tank {guid_of('a')}" == argv(made)
    assert "a" == made.target


def test_a_faulted_device_is_tried_again() -> None:
    made = planned(tank(mirror("ONLINE", "FAULTED")), "clear")

    assert "mirror-0-b is FAULTED and is tried again" in made.notes[0]


@pytest.mark.parametrize("words", [(), ("mirror-0-a",)])
def test_nothing_to_clear_is_refused(words: tuple[str, ...]) -> None:
    assert {"nothing-to-clear"} == rules(planned(tank(), "clear", "tank", *words))


def test_one_taken_offline_is_no_trouble_to_clear() -> None:
    assert {"nothing-to-clear"} == rules(
        planned(tank(mirror("ONLINE", "OFFLINE")), "clear", "tank", "mirror-0-b")
    )


def test_damaged_files_stay_listed() -> None:
    made = planned(tank(error_count=2), "clear")

    assert ("damaged files stay on the list until a scrub has found them whole",) == made.notes


def test_trouble_that_several_devices_share_is_warned_of() -> None:
    made = planned(tank(of("mirror-0", with_errors(leaf("a")), with_errors(leaf("b")))), "clear")

    assert "check the cable" in made.warnings[0]


def test_a_suspended_pool_goes_on() -> None:
    made = planned(SUSPENDED, "clear")

    assert Risk.ROUTINE is made.risk
    assert "zpool clear tank" == argv(made)
    assert spec("clear").works_suspended


def test_resuming_a_pool_tells_that_a_faulted_disk_is_used_again() -> None:
    made = planned(replace(tank(mirror("ONLINE", "FAULTED")), state="SUSPENDED"), "clear")

    (warning,) = made.warnings
    assert warning.startswith("mirror-0-b is FAULTED, and is used again")


def test_of_a_suspended_pool_no_device_can_be_chosen() -> None:
    assert {"suspended"} == rules(planned(SUSPENDED, "clear", "tank", "sda"))


def test_a_suspended_pool_that_another_host_took_is_left_alone() -> None:
    taken = Pool("tank", "SUSPENDED", guid=42)

    made = planned(host(pools=(taken,), elsewhere=(("storage2", 42),)), "clear")

    assert {"imported-elsewhere"} == rules(made)
    assert "storage2" in made.refusals[0].reason


def test_multihost_is_a_reason_to_ask_around() -> None:
    facts = host(pools=(SUSPENDED,), properties=(("tank", "multihost", "on", "local"),))

    made = planned(facts, "clear")

    assert "another host could have imported it" in made.warnings[0]


def test_a_device_that_is_not_there_is_wrong_words() -> None:
    with pytest.raises(UsageError, match="no vdev 'x'"):
        planned(tank(), "clear", "tank", "x")
