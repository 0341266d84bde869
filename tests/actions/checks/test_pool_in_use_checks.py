"""What stands on a pool as a whole, and what keeps it from going."""

from __future__ import annotations

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import host, pool
from zconsole.actions.checks.pool_in_use_checks import NAMED, refuse_while_in_use, uses_of_pool
from zconsole.actions.plan import Risk
from zconsole.model.host.plan_facts import OutsideUse

POOL = pool()


def used_by(*uses: OutsideUse) -> tuple[list[str], list[str]]:
    made = draft()
    refuse_while_in_use(POOL, host(uses=uses), made)
    return rules(made), [each.reason for each in made.refusals]


def test_uses_of_its_datasets_and_volumes_are_its_own_and_those_of_a_longer_name_are_not() -> None:
    objects = ["tank", "tank/a", "tank/a@1", "/dev/zvol/tank/v", "tank2/a", "/dev/zvol/tank2/v"]
    uses = tuple(OutsideUse(each, "mount", "/x") for each in objects)

    assert objects[:4] == [each.object for each in uses_of_pool(POOL, host(uses=uses))]


def test_a_mounted_file_system_is_told_and_blocks_nothing() -> None:
    made = draft()

    refuse_while_in_use(POOL, host(uses=(OutsideUse("tank/a", "mount", "/srv"),)), made)

    assert [] == rules(made)
    assert [("mount", "/srv", "tank/a")] == [(each.kind, each.name, each.detail) for each in made.dependents]
    assert "mount /srv" == made.basis["in use on tank"]


@pytest.mark.parametrize(
    ("said", "use"),
    [
        ("tank is in use: guest web runs on tank/v", OutsideUse("tank/v", "guest", "web")),
        ("tank is in use: smbd uses tank/a", OutsideUse("tank/a", "process", "smbd")),
        (
            "tank is in use: /mnt is mounted from /dev/zvol/tank/v",
            OutsideUse("/dev/zvol/tank/v", "mount", "/mnt", detail="ext4"),
        ),
    ],
)
def test_what_runs_or_is_mounted_by_another_file_system_blocks(said: str, use: OutsideUse) -> None:
    assert (["in-use"], [said]) == used_by(use)


def test_containers_are_named_with_the_commands_of_their_engines() -> None:
    made = draft()
    uses = (
        OutsideUse("tank/c/web1", "container", "web1", "", "incus stop web1"),
        OutsideUse("tank/subvol-101-disk-0", "container", "101", "", "pct shutdown 101"),
    )

    refuse_while_in_use(POOL, host(uses=uses), made)

    (refusal,) = made.refusals
    assert "container web1 runs on tank/c/web1" in refusal.reason
    assert "stop it first: incus stop web1; pct shutdown 101; zconsole never forces" == refusal.instead


def test_of_many_some_are_named_and_the_rest_counted() -> None:
    uses = [OutsideUse("tank/a", "process", f"p{at}") for at in range(NAMED + 2)]

    _, (reason,) = used_by(*uses)

    assert reason.endswith("p4 uses tank/a; and 2 more")


def test_where_uses_could_not_be_read_that_is_a_warning() -> None:
    made = draft()

    refuse_while_in_use(POOL, host(uses=None), made)

    assert ["it is not known what uses tank; ZFS itself refuses while files are open"] == made.warnings


def test_the_pool_of_the_running_system_stays() -> None:
    made = draft()

    refuse_while_in_use(POOL, host(uses=(), boot_pools=frozenset({"tank"})), made)

    assert ["boot-pool"] == rules(made)


def test_where_guests_could_not_be_looked_at_one_of_them_may_run_on_the_pool() -> None:
    made = draft()

    refuse_while_in_use(POOL, host(uses=(), guests_unread="7 guests of libvirt could not be looked at"), made)

    assert Risk.CATASTROPHIC is made.risk
    assert "7 guests of libvirt could not be looked at" in made.warnings[0]
