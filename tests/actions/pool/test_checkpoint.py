"""Checkpoint: taken with what it forbids, refused where it would choke the pool, discarded for good."""

from __future__ import annotations

import pytest

from tests.actions.pool.shelf import argv, leaf, mirror, of, planned, rules, tank
from tests.doubles.plan_worlds import host
from zconsole.actions.intent import intent
from zconsole.actions.plan import Risk
from zconsole.model.pools.pool import Pool, PoolActivity, Scan, Vdev

TAKEN = {"checkpoint_bytes": 5 << 20, "checkpoint_created": 1_790_000_000}


def test_to_take_one_is_routine_and_says_what_it_forbids() -> None:
    made = planned(tank(), "checkpoint")

    assert Risk.ROUTINE is made.risk
    assert "zpool checkpoint tank" == argv(made)
    assert "zpool checkpoint -d tank" == made.undo
    assert all(word in made.notes[0] for word in ("remove", "attach", "detach", "replace", "split", "raidz"))


def test_there_is_one_at_a_time() -> None:
    made = planned(tank(**TAKEN), "checkpoint")

    assert {"checkpoint"} == rules(made)
    assert intent("checkpoint", "tank", options={"discard": True}) == made.alternatives[0][1]


@pytest.mark.parametrize(
    ("activity", "rule"),
    [
        (PoolActivity("removal", "mirror-1", "active"), "busy"),
        (PoolActivity("raidz_expand", "raidz1-0", "active"), "busy"),
        (PoolActivity("checkpoint_discard", None, "active"), "discarding"),
    ],
)
def test_not_while_something_else_is_under_way(activity: PoolActivity, rule: str) -> None:
    assert {rule} == rules(planned(tank(activities=(activity,)), "checkpoint"))


def test_what_is_over_is_no_hindrance() -> None:
    over = tank(activities=(PoolActivity("removal", "mirror-1", "finished"),))

    assert not planned(over, "checkpoint").is_refused


def test_not_without_its_feature() -> None:
    facts = host(pools=(tank(),), properties=(("tank", "feature@zpool_checkpoint", "disabled", "-"),))

    assert {"feature"} == rules(planned(facts, "checkpoint"))


@pytest.mark.parametrize(("used", "is_refused"), [(89, False), (90, True), (100, True)])
def test_not_on_a_pool_that_is_nearly_full(used: int, *, is_refused: bool) -> None:
    full = tank(usable_used_bytes=used, usable_available_bytes=100 - used)

    assert ({"full"} if is_refused else set()) == rules(planned(full, "checkpoint"))


@pytest.mark.parametrize(
    ("top", "scan", "words"),
    [
        (
            of("mirror-0", leaf("a"), leaf("b", is_resilvering=True)),
            Scan("resilver", "scanning", start=1, percent=40.0),
            "a resilver of tank is running (40%): if it ends while the checkpoint exists it gives no ",
        ),
        (
            of("mirror-0", leaf("a"), leaf("b", note="(awaiting resilver)")),
            None,
            "a resilver of tank is to begin:",
        ),
        (
            mirror("ONLINE", "FAULTED"),
            None,
            "mirror-0-b (FAULTED): while the checkpoint exists no failed device",
        ),
        (
            mirror("ONLINE", "OFFLINE"),
            None,
            "mirror-0-b (OFFLINE): while the checkpoint exists no failed device",
        ),
    ],
)
def test_what_is_to_be_repaired_is_repaired_first(top: Vdev, scan: Scan | None, words: str) -> None:
    made = planned(tank(top, scan=scan), "checkpoint")

    assert (Risk.CAUTION, set()) == (made.risk, rules(made))
    assert made.warnings[0].startswith(words)


def test_a_failed_cache_or_a_scrub_is_no_reason_to_wait() -> None:
    cache = leaf("c", "UNAVAIL", vdev_class="cache")

    made = planned(
        tank(mirror("ONLINE", "ONLINE"), cache, scan=Scan("scrub", "scanning", start=1)), "checkpoint"
    )

    assert (Risk.ROUTINE, ()) == (made.risk, made.warnings)


def test_to_discard_it_is_destructive() -> None:
    made = planned(tank(**TAKEN), "checkpoint", discard=True)

    assert Risk.DESTRUCTIVE is made.risk
    assert "storage1:tank" == made.confirm
    assert "zpool checkpoint -d tank" == argv(made)
    assert ("checkpoint of tank",) == made.destroys
    assert 5 << 20 == made.frees_bytes
    assert None is made.undo


@pytest.mark.parametrize(
    ("pool", "rule"),
    [
        (tank(), "no-checkpoint"),
        (tank(activities=(PoolActivity("checkpoint_discard", None, "active"),)), "discarding"),
    ],
)
def test_without_one_there_is_nothing_to_discard(pool: Pool, rule: str) -> None:
    assert {rule} == rules(planned(pool, "checkpoint", discard=True))


def test_a_plan_is_stale_once_the_checkpoint_is_another() -> None:
    before = planned(tank(**TAKEN), "checkpoint", discard=True)
    after = planned(tank(checkpoint_bytes=1, checkpoint_created=1_790_000_500), "checkpoint", discard=True)

    assert before.fingerprint != after.fingerprint
