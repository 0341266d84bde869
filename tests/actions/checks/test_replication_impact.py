"""Whoever destroys what a copy builds on is told, in every plan that destroys snapshots."""

from __future__ import annotations

from tests.actions.dataset.plans import planned
from tests.analysis.build import NOW
from tests.doubles.plan_worlds import bookmark, filesystem, guid_of, host, snapshot
from zconsole.actions.plan import Plan
from zconsole.model.datasets.replication import SendBase

WORLD = (
    filesystem("tank"),
    filesystem("tank/home"),
    snapshot("tank/home@a", 20),
    snapshot("tank/home@b", 30),
    snapshot("tank/home@syncoid_vault_2026-11-20:03:00:12-GMT01:00", 40),
    snapshot("tank/home@syncoid_vault_2026-11-21:03:00:12-GMT01:00", 50),
    snapshot("tank/home@c", 60),
)
OLD, NEW = (f"tank/home@syncoid_vault_2026-11-{day}:03:00:12-GMT01:00" for day in (20, 21))
REASON = "the next increment to vault:backup/home starts from it; there is no older one"


def base(name: str = "tank/home@b", guid: int | None = None, *, is_at_source: bool = True) -> SendBase:
    return SendBase(
        "nas", name, guid or guid_of(name), "vault:backup/home", REASON, NOW - 7200, is_at_source=is_at_source
    )


FACTS = host(WORLD, send_bases=(base(),))


def chained(made: Plan) -> list[tuple[str, str]]:
    return [(each.name, each.detail) for each in made.dependents if each.kind == "send base"]


def test_a_snapshot_that_a_copy_builds_on_has_that_copy_as_a_dependent() -> None:
    made = planned(FACTS, "destroy", "tank/home@b")

    assert [("vault:backup/home", f"on tank/home@b: {REASON}; seen 2h ago")] == chained(made)
    warning = "replication with vault:backup/home continues from tank/home@b (seen 2h ago)"
    assert warning in made.warnings
    assert not made.is_refused


def test_of_other_snapshots_nothing_is_said() -> None:
    assert [] == chained(planned(FACTS, "destroy", "tank/home@a"))
    assert [] == chained(planned(host(WORLD), "destroy", "tank/home@b"))


def test_the_same_guid_in_another_dataset_is_the_other_end() -> None:
    elsewhere = base("tank/copy@b", guid_of("tank/home@b"))
    assert [] == chained(planned(host(WORLD, send_bases=(elsewhere,)), "destroy", "tank/home@b"))


def test_a_snapshot_that_was_renamed_since_is_still_known_by_its_guid() -> None:
    renamed = base("tank/home@before", guid_of("tank/home@b"))
    made = planned(host(WORLD, send_bases=(renamed,)), "destroy", "tank/home@b")
    assert ["vault:backup/home"] == [name for name, _ in chained(made)]


def test_a_rollback_and_the_end_of_the_dataset_break_the_chain_as_well() -> None:
    rolled = planned(FACTS, "rollback", "tank/home@a", recursive=True)
    ended = planned(FACTS, "destroy", "tank/home", recursive=True)

    for made in (rolled, ended):
        assert {"vault:backup/home", "syncoid vault"} == {name for name, _ in chained(made)}
    assert [] == chained(planned(FACTS, "rollback", "tank/home@c"))


def test_a_bookmark_of_the_same_instant_serves_the_source_and_not_the_copy() -> None:
    marked = (*WORLD, bookmark("tank/home#b", 30, guid=guid_of("tank/home@b")))
    made = planned(host(marked, send_bases=(base(),)), "destroy", "tank/home@b")
    assert [] == chained(made)
    assert "tank/home#b is of the same instant, and the next increment can start from it" in made.notes

    copy = planned(host(marked, send_bases=(base(is_at_source=False),)), "destroy", "tank/home@b")
    assert ["vault:backup/home"] == [name for name, _ in chained(copy)]


def test_a_bookmark_that_is_all_that_is_left_has_its_copy_too() -> None:
    marked = (*WORLD, bookmark("tank/home#z", 10))
    made = planned(host(marked, send_bases=(base("tank/home#z"),)), "destroy", "tank/home#z")
    assert ["vault:backup/home"] == [name for name, _ in chained(made)]


def test_of_syncoids_own_snapshots_the_newest_of_a_peer_is_its_base() -> None:
    assert [] == chained(planned(host(WORLD), "destroy", OLD))
    made = planned(host(WORLD), "destroy", NEW)
    assert [("syncoid vault", f"on {NEW}: by its name, the newest that it sent")] == chained(made)
    assert any("syncoid has sent (vault)" in warning for warning in made.warnings)


def test_what_is_known_of_copies_makes_no_plan_stale() -> None:
    """It is told with its age, which is another one each time that the plan is made."""
    other = host(WORLD, send_bases=(), taken_at=NOW + 60)
    assert planned(FACTS, "destroy", "tank/home@b").fingerprint == (
        planned(other, "destroy", "tank/home@b").fingerprint
    )


def test_many_copies_are_all_dependents_and_few_warnings() -> None:
    bases = tuple(
        SendBase("nas", "tank/home@b", guid_of("tank/home@b"), f"v{n}:b", REASON, NOW) for n in range(9)
    )
    made = planned(host(WORLD, send_bases=bases), "destroy", "tank/home@b")
    assert 9 == len(chained(made))
    assert "6 more copies build on what is destroyed" in made.warnings
