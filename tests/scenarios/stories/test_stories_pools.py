"""The accidents that others had with pools, tried again: each is refused, or guarded as its risk asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.pool.shelf import leaf, mirror, of, planned, rules, tank
from tests.doubles.plan_worlds import GIB, HOST, guid_of, host, images
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan, Risk
from zconsole.actions.pool.destroy import plan_destroy_pool
from zconsole.actions.typed_confirmation_state_machine import GuardStage, guard_of
from zconsole.model.host.plan_facts import DiskLabel, OutsideUse, PlanFacts
from zconsole.model.pools.pool import ImportablePool, Pool, Vdev

VAULT_GUID = 5147909496590540415


def destroyed(facts: PlanFacts) -> Plan:
    """The plan of `destroy tank`."""
    return plan(intent("destroy", "tank"), facts)


def typed(made: Plan, text: str) -> GuardStage:
    """How far the guard is after a text was typed, one key a second."""
    guard, now = guard_of(made).painted(0.0), 1.0
    for character in text:
        guard = guard.key(character, character, now)
        now += 1.0
    return guard.tick(now).stage


def test_story_8_zpool_destroy_asks_nothing() -> None:
    """It asks for the host, the pool and how much is lost; what runs on it blocks; the way back is told."""
    free, used = host(images()), host(images(), uses=(OutsideUse("tank/vm1", "guest", "web1"),))

    draft = plan_destroy_pool(intent("destroy", "tank"), free)

    assert Risk.CATASTROPHIC is draft.risk
    assert len(images()) == len(set(draft.destroys))
    assert str(draft.undo).startswith(f"zpool import -D {guid_of('tank')}")
    blocked = plan_destroy_pool(intent("destroy", "tank"), used)
    assert ["in-use"] == [refusal.rule for refusal in blocked.refusals]
    assert "guest web1 runs on tank/vm1" in blocked.refusals[0].reason


class TestStory13:
    """One pool imported on two hosts."""

    FOUND = ImportablePool(
        "vault", VAULT_GUID, "ONLINE", vdevs=(mirror("ONLINE", "ONLINE"),),
        see="https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-EY",
    )  # fmt: skip
    LABEL = DiskLabel(
        "/dev/disk/by-id/mirror-0-a-part1", "vault", VAULT_GUID, 1, "active", "storage2", "badcafe",
        last_txg=900, last_written=1_795_232_471,
    )  # fmt: skip

    def facts(self, **values: object) -> PlanFacts:
        """A host that sees the pool's disks."""
        return host(pools=(), importable=(self.FOUND,), destroyed=(), labels=(self.LABEL,), **values)

    def test_our_other_hosts_are_asked_first(self) -> None:
        made = planned(self.facts(elsewhere=(("storage2", VAULT_GUID),)), "import", "vault", force=True)

        assert {"imported-elsewhere"} == rules(made)
        assert "zconsole plan export vault --host storage2" in made.refusals[0].instead

    def test_without_force_it_is_refused_with_the_host_and_the_time(self) -> None:
        made = planned(self.facts(), "import", "vault")

        assert {"other-host"} == rules(made)
        assert "last used by storage2, 2026-11-21 03:41:11 UTC; active" in made.notes

    def test_by_force_only_once_that_hosts_name_was_typed(self) -> None:
        made = planned(self.facts(), "import", "vault", force=True)

        assert GuardStage.TYPING is typed(made, "storage1:vault")
        assert GuardStage.GO is typed(made, "storage1:storage2yes")

    def test_multihost_closes_the_way_altogether(self) -> None:
        active = replace(self.FOUND, is_active_elsewhere=True, last_host="storage2")

        assert {"active"} == rules(
            planned(replace(self.facts(), importable=(active,)), "import", "vault", force=True)
        )


def test_story_17_a_stale_disk_was_resilvered_over_newer_data() -> None:
    """A device that went on without its siblings is not taken for the older one."""
    pool = tank(mirror("ONLINE", "OFFLINE"))
    labels = tuple(
        DiskLabel(
            f"/dev/disk/by-id/{name}-part1",
            "tank",
            pool.guid,
            guid_of(name),
            "active",
            "storage1",
            last_txg=txg,
        )
        for name, txg in (("mirror-0-a", 500), ("mirror-0-b", 700))
    )

    made = planned(host(pools=(pool,), labels=labels), "online", "tank", "mirror-0-b")

    assert {"newer-data"} == rules(made)


class TestStory18:
    """A pool at 100 %: nothing can be written, and then nothing can be deleted either."""

    FULL = tank(usable_used_bytes=100 * GIB, usable_available_bytes=0, capacity_percent=97)

    def test_a_checkpoint_would_pin_every_block_that_is_freed(self) -> None:
        assert {"full"} == rules(planned(self.FULL, "checkpoint"))

    def test_a_checkpoint_there_is_can_be_discarded_and_says_what_that_frees(self) -> None:
        made = planned(replace(self.FULL, checkpoint_bytes=9 * GIB), "checkpoint", discard=True)

        assert not made.is_refused
        assert 9 * GIB == made.frees_bytes

    @pytest.mark.parametrize("action", ["scrub", "trim", "export"])
    def test_what_writes_next_to_nothing_still_works(self, action: str) -> None:
        assert not planned(self.FULL, action).is_refused


def test_story_20_a_degraded_pool_is_scrubbed_as_well() -> None:
    """The scrubs of distributions leave out pools that are not ONLINE, which need them most."""
    assert not planned(tank(mirror("ONLINE", "UNAVAIL")), "scrub").is_refused


class TestStory21:
    """Right command, wrong host."""

    @pytest.mark.parametrize(
        ("made", "confirm"),
        [
            (planned(tank(), "offline", "tank", "mirror-0-a"), "storage1:mirror-0-a"),
            (planned(tank(checkpoint_bytes=1), "checkpoint", discard=True), "storage1:tank"),
        ],
    )
    def test_the_host_is_typed_before_anything_is_destroyed(self, made: Plan, confirm: str) -> None:
        assert confirm == made.confirm
        assert GuardStage.TYPING is typed(made, confirm.partition(":")[2] + "y")
        assert GuardStage.TYPING is typed(made, confirm.replace("storage1", "storage2") + "y")
        assert GuardStage.GO is typed(made, confirm + "yes")

    def test_a_plan_for_one_host_is_stale_on_another(self) -> None:
        other = host(pools=(tank(),), identity=replace(HOST, machine_id="f" * 32, host_key="SHA256:other"))

        here, there = (
            planned(tank(), "offline", "tank", "mirror-0-a"),
            planned(other, "offline", "tank", "mirror-0-a"),
        )

        assert here.fingerprint != there.fingerprint
        assert 2 == len(here.basis.differences(there.basis))


class TestStory25:
    """`zpool upgrade` made a root that legacy GRUB boots from unbootable."""

    def facts(self, **values: object) -> PlanFacts:
        """A host with features to enable."""
        properties = (
            ("tank", "compatibility", "off", "default"),
            ("tank", "bootfs", "-", "default"),
            ("tank", "feature@longname", "disabled", "local"),
        )
        return host(pools=(tank(),), properties=properties, **values)

    def test_a_pool_that_holds_boot_is_not_upgraded(self) -> None:
        made = planned(self.facts(kernel_pools=frozenset({"tank"})), "upgrade")

        assert {"boot-pool"} == rules(made)
        assert "compatibility=grub2" in made.refusals[0].instead

    def test_where_the_kernels_are_elsewhere_it_is_guarded_and_a_checkpoint_offered(self) -> None:
        made = planned(self.facts(kernel_pools=frozenset({"bpool"})), "upgrade")

        assert Risk.DESTRUCTIVE is made.risk
        assert intent("checkpoint", "tank") in {wanted for _, wanted in made.alternatives}


@pytest.mark.parametrize(
    "tops",
    [
        (leaf("a"),),
        (of("mirror-0", leaf("a"), leaf("b", "OFFLINE")),),
        (of("raidz1-0", leaf("a"), leaf("b", "FAULTED"), leaf("c")),),
    ],
)
def test_offline_of_the_last_replica_has_no_guard_that_opens_it(tops: tuple[Vdev, ...]) -> None:
    pool: Pool = tank(*tops)

    for fault in (False, True):
        made = planned(pool, "offline", "tank", "a", fault=fault)

        assert {"last-replica"} == rules(made)
        assert GuardStage.GO is not typed(made, "storage1:ay")
