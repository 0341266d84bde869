"""A step whose end was not seen is settled by facts, or stays unknown."""

from __future__ import annotations

import pytest

from tests.execution.outcomes.tellings import LINE, A, B, K
from zconsole.actions.plan import Condition
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck
from zconsole.execution.outcomes.uncertain_step import Settlement, judge
from zconsole.zfs.listing.history import HistoryRecord

DID = (HistoryRecord(1, " ".join(LINE), "root"),)


@pytest.mark.parametrize(
    ("conditions", "history", "verdict"),
    [
        ([(A, True), (B, True)], None, Settlement.HAPPENED),
        ([(A, True), (B, True)], (), Settlement.HAPPENED),
        ([(A, True), (B, None)], DID, Settlement.HAPPENED),
        ([(A, None)], DID, Settlement.HAPPENED),
        ([(A, False), (B, None)], DID, Settlement.OPEN),
        ([(A, False), (B, False)], DID, Settlement.OPEN),
        ([], DID, Settlement.HAPPENED),
        ([(A, False), (B, False)], (), Settlement.NOT_HAPPENED),
        ([(A, False), (B, False)], None, Settlement.NOT_HAPPENED),
        ([(A, True), (B, False)], (), Settlement.OPEN),
        ([(A, True), (B, None)], (), Settlement.OPEN),
        ([(A, False), (B, None)], (), Settlement.OPEN),
        ([(A, None)], None, Settlement.OPEN),
        ([], None, Settlement.MUTE),
        ([], (), Settlement.MUTE),
    ],
)
def test_the_verdict(
    conditions: list[tuple[ConditionCheck, bool | None]],
    history: tuple[HistoryRecord, ...] | None,
    verdict: Settlement,
) -> None:
    judged = judge(LINE, conditions, history)

    assert verdict is judged.verdict
    assert judged.words


CLEAR = ("zpool", "clear", "tank")
CLEARED = (HistoryRecord(1, " ".join(CLEAR), "root"),)
IN_HISTORY = ConditionCheck(Condition(K.HISTORY, "tank", "tank", value=" ".join(CLEAR)))
ONLINE = ConditionCheck(Condition(K.VDEV_STATE, "7", "tank", value="ONLINE"), is_aim=True)


@pytest.mark.parametrize(
    ("is_recorded", "is_online", "verdict"),
    [
        (True, True, Settlement.HAPPENED),
        (True, False, Settlement.OPEN),
        (True, None, Settlement.OPEN),
        (False, False, Settlement.NOT_HAPPENED),
        (False, True, Settlement.NOT_HAPPENED),  # somebody else brought it online
    ],
)
def test_a_clear_that_succeeded_is_not_done_before_its_device_is_seen_back(
    is_recorded: bool, is_online: bool | None, verdict: Settlement
) -> None:
    history = CLEARED if is_recorded else ()

    judged = judge(CLEAR, [(IN_HISTORY, is_recorded), (ONLINE, is_online)], history)

    assert verdict is judged.verdict
    assert (verdict is Settlement.OPEN) is ("and yet not so, or not known" in judged.words)


@pytest.mark.parametrize(("state", "verdict"), [(True, Settlement.HAPPENED), (None, Settlement.OPEN)])
def test_a_device_that_is_faulted_by_force_is_looked_at(state: bool | None, verdict: Settlement) -> None:
    line = ("zpool", "offline", "-f", "tank", "a")
    faulted = ConditionCheck(Condition(K.VDEV_STATE, "7", "tank", value="FAULTED"))

    assert verdict is judge(line, [(faulted, state)], (HistoryRecord(1, " ".join(line), "root"),)).verdict
