"""The rules of the debriefing, on records made by hand; the walks of `test_catalogue.py` have the others."""

from __future__ import annotations

from dataclasses import replace

from zconsole.model.exercise import Remark, RemarkKind
from zconsole.practice.exercises.catalogue import SCRIPTS
from zconsole.practice.exercises.debriefing import outcome, remarks
from zconsole.practice.exercises.record_of_learner_acts import Act, Deed, Record, Seat, Sight

BEGAN = 1_795_219_200.0
GOOD, BAD, NEW = "ZC13A01K", "ZC13A0R7", "ZC17K2M4"
SEAT = Seat("mirror-0", "ONLINE", is_current=True, survives=1, errors=0)
WHOLE = Sight(
    {GOOD: SEAT, NEW: SEAT},
    {GOOD: 1, NEW: 2},
    lit=frozenset(),
    idle_spares=frozenset({"ZC13B0T4"}),
    is_suspended=False,
    is_resilvering=False,
    scrub_begun=int(BEGAN) + 4000,
    scrub_ended=int(BEGAN) + 5000,
)
BROKEN = replace(WHOLE, seats={GOOD: SEAT, BAD: replace(SEAT, state="FAULTED", is_current=False, survives=0)})
RECORD = Record(
    SCRIPTS[0],
    frozenset({BAD}),
    acts=(),
    now=WHOLE,
    began=BEGAN,
    restored_s=3600.0,
    reduced_s=3600.0,
    suspended_s=0.0,
    is_cable_new=False,
)


def said(record: Record, kind: RemarkKind) -> list[str]:
    """The remarks of a kind on a record."""
    return [remark.words for remark in remarks(record) if remark.kind is kind]


def with_act(deed: Deed, serial: str, before: Sight = BROKEN, after: Sight = WHOLE) -> Record:
    """A record of one act."""
    return replace(RECORD, acts=(Act(60.0, deed, serial, before, after),))


def test_nothing_is_left_to_do_after_a_scrub() -> None:
    assert [Remark(RemarkKind.GOOD, "a scrub has verified that tank is redundant again")] == list(
        remarks(RECORD)
    )
    assert "tank is fully redundant again after 1h." == outcome(RECORD)


def test_a_pool_whose_spare_has_all_the_data_has_its_redundancy_and_a_disk_to_replace() -> None:
    now = replace(WHOLE, seats={GOOD: SEAT, BAD: replace(SEAT, state="FAULTED", is_current=False)})

    record = replace(RECORD, now=now, restored_s=None)

    assert "tank has its redundancy; 1 left to do." == outcome(record)
    assert "tank is not fully redundant yet." == outcome(replace(record, is_reduced=True))


def test_what_is_left_to_do_after_the_resilver() -> None:
    now = replace(
        WHOLE,
        seats={GOOD: replace(SEAT, errors=3), NEW: SEAT},
        bays={GOOD: 1, NEW: 7, BAD: 2},
        lit=frozenset({BAD}),
        idle_spares=frozenset(),
        scrub_begun=int(BEGAN) + 60,
    )

    record = replace(RECORD, now=now)

    assert [
        f"{BAD} is still in bay 2: take it out",
        "no scrub has verified the new copies yet: zpool scrub tank",
        f"{GOOD} still has error counts: zpool clear tank",
        "the locate LED of bay 2 is still on",
        "tank has no hot spare any more: add one",
    ] == said(record, RemarkKind.LEFT)
    assert outcome(record).endswith("; 5 left to do.")


def test_a_scrub_that_runs_verifies() -> None:
    record = replace(RECORD, now=replace(WHOLE, scrub_ended=None))

    assert ["a scrub verifies that tank is redundant again"] == said(record, RemarkKind.GOOD)


def test_a_disk_that_is_added_heals_nothing() -> None:
    after = replace(BROKEN, seats={**BROKEN.seats, NEW: replace(SEAT, vdev="disk-1")})

    risky = said(with_act(Deed.ADD, NEW, after=after), RemarkKind.RISKY)

    assert [f"{NEW} was added instead of replacing a disk: redundancy stays reduced"] == risky


def test_a_disk_is_taken_offline_where_its_vdev_survives_another_failure() -> None:
    for survived, kind, words in (
        (1, RemarkKind.GOOD, "mirror-0 would have survived 1 more failure"),
        (2, RemarkKind.GOOD, "mirror-0 would have survived 2 more failures"),
        (0, RemarkKind.RISKY, "mirror-0 would not have survived another failure"),
        (-1, RemarkKind.RISKY, "mirror-0 had lost data"),
    ):
        after = replace(BROKEN, seats={BAD: replace(SEAT, state="OFFLINE", survives=survived)})

        record = with_act(Deed.OFFLINE, BAD, after=after)

        assert f"{BAD} was taken offline first: {words}" in said(record, kind)


def test_a_disk_that_was_put_back_late_was_a_risk() -> None:
    pulled = replace(BROKEN, bays={BAD: 2, NEW: 7})
    acts = (Act(60.0, Deed.PULL, GOOD, BROKEN, pulled), Act(1260.0, Deed.INSERT, GOOD, pulled, BROKEN))

    risky = said(replace(RECORD, acts=acts), RemarkKind.RISKY)

    assert f"{GOOD} was put back only after 20m" in risky


def test_a_disk_that_was_put_back_half_resilvered_lacks_the_rest() -> None:
    half = replace(BROKEN, seats={GOOD: replace(SEAT, is_current=False, instead_of=BAD), BAD: SEAT})
    pulled = replace(half, bays={BAD: 2, NEW: 7})
    acts = (Act(60.0, Deed.PULL, GOOD, half, pulled), Act(90.0, Deed.INSERT, GOOD, pulled, half))

    assert f"{GOOD} was put back: ZFS had little to resilver" not in said(
        replace(RECORD, acts=acts), RemarkKind.GOOD
    )


def test_a_failed_disk_that_is_inserted_again_was_not_looked_at() -> None:
    after = replace(BROKEN, bays={BAD: 2})

    risky = said(with_act(Deed.INSERT, BAD, after=after), RemarkKind.RISKY)

    assert [f"{BAD} was inserted again, which has failed: read the label first"] == risky


def test_a_disk_that_is_being_replaced_is_waited_for() -> None:
    seats = {**BROKEN.seats, NEW: replace(SEAT, is_current=False, instead_of=BAD)}
    record = replace(RECORD, now=replace(BROKEN, seats=seats), restored_s=None)

    assert [f"{BAD} is being replaced: wait until the resilver ends"] == said(record, RemarkKind.LEFT)


def test_a_cable_that_was_sound_is_not_to_be_touched() -> None:
    risky = said(with_act(Deed.CABLE, "A"), RemarkKind.RISKY)

    assert ["cable A was changed, which was sound: its disks were missing meanwhile"] == risky


def test_remarks_stand_by_their_kind_and_time() -> None:
    kinds = [remark.kind for remark in remarks(with_act(Deed.CABLE, "A"))]

    assert [RemarkKind.GOOD, RemarkKind.RISKY] == kinds
