"""What the records and states of a host tell of a change after a command."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.plan_worlds import disk, group, host, pool
from zconsole.actions.plan import Condition, ConditionKind
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck
from zconsole.execution.outcomes.why_effect_is_missing import (
    ObjectFate,
    SuccessfulCommand,
    SurroundingHistory,
    around,
    fate,
)
from zconsole.model.host.plan_facts import DiskLabel
from zconsole.zfs.listing.history import HistoryRecord

READ_ONLY = ConditionCheck(Condition(ConditionKind.PROPERTY_IS, "tank/full", "tank", "readonly", "on"))


def test_the_last_record_of_a_command_parts_what_came_before_and_after() -> None:
    records = [
        HistoryRecord(1, text) for text in ("zpool offline tank a", "zpool clear tank", "zpool online tank a")
    ]

    assert SurroundingHistory(("zpool offline tank a",), ("zpool online tank a",)) == around(
        records, ("zpool", "clear", "tank")
    )
    assert SurroundingHistory(tuple(each.text for each in records)) == around(
        records, ("zfs", "mount", "tank/a")
    )


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (None, ObjectFate.OPEN),
        (SurroundingHistory(), ObjectFate.OPEN),
        (SurroundingHistory(after=("zfs set readonly=off tank/full",)), ObjectFate.SINCE),
        (SurroundingHistory(before=("zfs rename tank/full tank/safe",)), ObjectFate.OPEN),
    ],
)
def test_a_command_that_always_brings_it_about_was_done_unless_objects_may_have_moved(
    others: SurroundingHistory | None, expected: ObjectFate
) -> None:
    success = SuccessfulCommand(("zfs", "set", "readonly=on", "tank/full"), "", 0.0)

    assert expected is fate(success, READ_ONLY, host(), others)


@pytest.mark.parametrize(
    ("before", "others", "expected"),
    [
        ("ONLINE", SurroundingHistory(), ObjectFate.OPEN),
        ("ONLINE", None, ObjectFate.OPEN),
        ("DEGRADED", SurroundingHistory(after=("zpool offline tank a",)), ObjectFate.OPEN),
        ("FAULTED", None, ObjectFate.NEVER),
        ("FAULTED", SurroundingHistory(before=("zpool offline tank a",)), ObjectFate.NEVER),
        ("FAULTED", SurroundingHistory(after=("zpool offline -f tank a",)), ObjectFate.OPEN),
    ],
)
def test_a_device_that_is_as_before_was_not_brought_back_by_clear(
    before: str, others: SurroundingHistory | None, expected: ObjectFate
) -> None:
    faulted = replace(disk("a"), state="FAULTED", guid=7)
    facts = host(pools=(pool(vdevs=(group("mirror-0", faulted, disk("b")),)),))
    condition = Condition(ConditionKind.VDEV_STATE, str(faulted.guid), "tank", value="ONLINE|DEGRADED")
    success = SuccessfulCommand(("zpool", "clear", "tank"), "", 0.0)

    assert expected is fate(success, ConditionCheck(condition, before), facts, others)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ("5 6", (5, 6), ObjectFate.NEVER),
        ("5 6", (7, 8), ObjectFate.SINCE),
        ("", (5, 6), ObjectFate.OPEN),
        ("5 6", None, ObjectFate.OPEN),
    ],
)
def test_a_label_of_another_pool_came_after_it_was_cleared(
    before: str, now: tuple[int, int] | None, expected: ObjectFate
) -> None:
    told = ConditionCheck(Condition(ConditionKind.LABEL_GONE, "/dev/a"), before)
    labels = (DiskLabel("/dev/a", "old", *(now or ())),)
    success = SuccessfulCommand(("zpool", "labelclear", "/dev/a"), "", 0.0)

    assert expected is fate(success, told, host(labels=labels), None)
