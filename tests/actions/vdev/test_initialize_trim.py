"""Initialize and trim: start, suspend, cancel; the whole pool or some devices."""

from __future__ import annotations

from typing import Any

import pytest

from tests.actions.pool.shelf import argv, leaf, mirror, of, planned, rules, tank
from tests.analysis.build import in_class
from tests.doubles.plan_worlds import guid_of, host
from zconsole.actions.action_catalogue import spec
from zconsole.actions.intent import Target, TargetKind, intent
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.base.errors import UsageError
from zconsole.model.pools.pool import Pool, Vdev, VdevProgress

KINDS = pytest.mark.parametrize("kind", ["initialize", "trim"])


def doing(kind: str, state: str, name: str = "a") -> Vdev:
    """A device with that going on."""
    return leaf(name, activities=(VdevProgress(kind, state),))


def pool_with(*devices: Vdev) -> Pool:
    """A pool of one mirror of them."""
    return tank(of("mirror-0", *devices))


@KINDS
@pytest.mark.parametrize(
    ("state", "options", "flag"),
    [
        ("", {}, ""),
        ("suspended", {}, ""),
        ("canceled", {}, ""),
        ("active", {"suspend": True}, "-s "),
        ("active", {"cancel": True}, "-c "),
        ("suspended", {"cancel": True}, "-c "),
    ],
)
def test_each_turn(kind: str, state: str, options: dict[str, Any], flag: str) -> None:
    first = doing(kind, state) if state else leaf("a")

    whole = planned(pool_with(first), kind, **options)
    one = planned(pool_with(first, leaf("b")), kind, "tank", "a", **options)

    assert f"zpool {kind} {flag}tank" == argv(whole)
    assert f"zpool {kind} {flag}tank {guid_of('a')}" == argv(one)
    assert ("tank", "a") == (whole.target, one.target)
    assert not whole.is_refused
    assert not one.is_refused


@KINDS
@pytest.mark.parametrize("state", ["", "active", "suspended", "complete", "canceled"])
@pytest.mark.parametrize("name", ["suspend", "cancel"])
@pytest.mark.parametrize("words", [(), ("a",), ("b",)])
def test_a_menu_greys_what_the_plan_would_refuse(
    kind: str, state: str, name: str, words: tuple[str, ...]
) -> None:
    facts = host(pools=(pool_with(doing(kind, state) if state else leaf("a"), leaf("b")),))
    option = next(each for each in spec(kind).options if each.name == name)

    why = option.why_not(intent(kind, "tank", *words), facts)

    refusals = planned(facts, kind, "tank", *words, **{name: True}).refusals
    assert [why] * bool(why) == [each.reason for each in refusals]
    assert "" == option.why_not(intent(kind, "tank", "gone"), facts)


def test_to_initialize_is_caution_since_nothing_undoes_it() -> None:
    made = planned(tank(), "initialize")

    assert Risk.CAUTION is made.risk
    assert not made.is_reversible
    assert "storage that is thinly provisioned is allocated in full" in made.notes[0]


def test_to_trim_and_to_suspend_are_routine() -> None:
    assert Risk.ROUTINE is planned(tank(), "trim").risk
    assert Risk.ROUTINE is planned(pool_with(doing("initialize", "active")), "initialize", suspend=True).risk


@KINDS
@pytest.mark.parametrize(
    ("state", "options", "rule"),
    [
        ("active", {}, "running"),
        ("", {"suspend": True}, "not-running"),
        ("suspended", {"suspend": True}, "not-running"),
        ("", {"cancel": True}, "not-running"),
        ("complete", {"cancel": True}, "not-running"),
    ],
)
def test_what_makes_no_sense_is_refused(kind: str, state: str, options: dict[str, Any], rule: str) -> None:
    first = doing(kind, state) if state else leaf("a")

    assert {rule} == rules(planned(pool_with(first), kind, **options))


@KINDS
def test_only_devices_in_use_can_be_started(kind: str) -> None:
    made = planned(pool_with(leaf("a"), leaf("b", "OFFLINE")), kind)

    assert {"not-online"} == rules(made)
    assert "b is OFFLINE" in made.refusals[0].reason
    assert not planned(pool_with(leaf("a"), leaf("b", "OFFLINE")), kind, "tank", "a").is_refused


@KINDS
@pytest.mark.parametrize("vdev_class", ["cache", "spare"])
def test_caches_and_spares_are_left_out(kind: str, vdev_class: str) -> None:
    pool = tank(mirror("ONLINE", "ONLINE"), in_class(leaf("c"), vdev_class))

    assert {"not-a-member"} == rules(planned(pool, kind, "tank", "c"))
    assert not planned(pool, kind).is_refused
    assert not any(what.endswith("of c") for what, _ in planned(pool, kind).basis.parts)


def test_disks_that_cannot_be_trimmed_are_known() -> None:
    none = pool_with(doing("trim", "unsupported"), doing("trim", "unsupported", "b"))
    some = pool_with(doing("trim", "unsupported"), leaf("b"))

    assert {"trim-unsupported"} == rules(planned(none, "trim"))
    assert "a cannot be trimmed" == planned(some, "trim", "tank", "a").refusals[0].reason
    assert not planned(some, "trim").is_refused


@KINDS
def test_what_settles_it_is_the_history(kind: str) -> None:
    (step,) = planned(pool_with(doing(kind, "active"), leaf("b")), kind, "tank", "a", cancel=True).steps

    (settled,) = step.settled_by
    assert ConditionKind.HISTORY is settled.kind
    assert f"zpool {kind} -c tank {guid_of('a')}" == settled.value


@KINDS
def test_wrong_words(kind: str) -> None:
    with pytest.raises(UsageError, match="either suspended or cancelled"):
        planned(tank(), kind, suspend=True, cancel=True)
    with pytest.raises(UsageError, match="is a group of devices"):
        planned(tank(), kind, "tank", "mirror-0")


@KINDS
@pytest.mark.parametrize(
    ("vdev_class", "is_offered"), [("spare", False), ("cache", False), ("special", True)]
)
def test_a_menu_greys_what_zfs_does_not_do_to_spares_and_caches(
    kind: str, vdev_class: str, is_offered: bool
) -> None:
    pool = tank(of("mirror-0", leaf("a"), leaf("b")), in_class(leaf("x"), vdev_class))
    target = Target(TargetKind.LEAF, "tank", "x", guid=guid_of("x"))

    why = spec(kind).why_not(target, host(pools=(pool,)))

    assert is_offered == (why == ""), why
    assert is_offered or planned(pool, kind, "tank", "x").is_refused
