"""A move with a disk at each place: what may be done, by what was written to which."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.guest.move.test_storage_to_move import guest, stored
from tests.doubles.plan_worlds import MIB, filesystem, host, snapshot
from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.half_defined_move import progress_of_half_defined
from zconsole.actions.guest.move.move_progress import MoveProgress
from zconsole.actions.guest.move.storage_to_move import storage_to_move
from zconsole.actions.plan import Risk
from zconsole.model.guests.guest import GuestState, GuestStatus

OLD, NEW = "tank/web01", "vault/web01"
ALL, SOME = MoveProgress("m-off", has_all=True), MoveProgress("m-off")


def judged(
    written: tuple[int, int], *, runs: bool = False, common: int | None = 7, later: bool = False
) -> tuple[MoveProgress, Draft]:
    """With what was written to the old place and to the new one since their common snapshot."""
    old, new = (filesystem(name, written_bytes=size) for name, size in zip((OLD, NEW), written, strict=True))
    of_new = [snapshot(f"{NEW}@m-off", 30, guid=common)]
    of_new += [snapshot(f"{NEW}@hourly", 40, guid=9)] if later else []
    facts = host([old, snapshot(f"{OLD}@m-off", 30, guid=7), new, *of_new])
    made = guest(("vda", f"/{NEW}/a.img", NEW), ("vdb", f"/{OLD}/b.img", OLD))
    made = made if runs else replace(made, status=GuestStatus("web01", GuestState.SHUT_OFF))
    draft = Draft("move", "web01", Risk.CAUTION)
    move = storage_to_move(made, stored(made), (OLD, NEW), facts)
    return progress_of_half_defined(draft, move, old, new, facts), draft


@pytest.mark.parametrize(
    ("written", "later", "progress"),
    [((0, 0), False, ALL), ((0, MIB), False, ALL), ((0, MIB), True, ALL), ((MIB, 0), False, SOME)],
)
def test_what_one_place_alone_got_is_kept(
    written: tuple[int, int], later: bool, progress: MoveProgress
) -> None:
    found, draft = judged(written, later=later)

    assert ([], progress) == (draft.refusals, found)


@pytest.mark.parametrize(("written", "later"), [((MIB, MIB), False), ((MIB, 0), True)])
def test_where_both_have_data_neither_is_sent_over_the_other(written: tuple[int, int], later: bool) -> None:
    _, draft = judged(written, later=later)

    (refusal,) = draft.refusals
    assert "half-moved" == refusal.rule
    assert f"with vda at {NEW} and vdb at {OLD}: 1.00 MiB was written to the latter" in refusal.reason
    ((_, way),) = draft.alternatives
    assert ("guest-move", "web01", (f"{NEW}-vdb",), {"of": OLD}) == (
        way.action, way.target, way.arguments, dict(way.options),
    )  # fmt: skip


def test_a_guest_that_runs_on_both_is_not_sent_either() -> None:
    _, draft = judged((0, 0), runs=True)

    assert ["half-moved"] == [each.rule for each in draft.refusals]
    assert "web01 runs with" in draft.refusals[0].reason


def test_a_target_without_a_common_snapshot_is_no_copy() -> None:
    _, draft = judged((0, 0), common=8)

    assert ["exists"] == [each.rule for each in draft.refusals]
    assert "--of" in draft.refusals[0].instead
