"""What to do now in a repair, in a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import changed, ran, the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.model.host.host_state import HostState
from zconsole.model.repair import RepairStep, RepairStepKind, RepairStepState
from zconsole.views.layout.styled_text import plain
from zconsole.views.repair.due_step import due_in_words, due_line

FAULTED = group("mirror-0", leaf(0), leaf(1, "FAULTED"))
COPYING = group("mirror-0", leaf(0), group("replacing-1", leaf(1, "FAULTED"), leaf(2, is_resilvering=True)))
LIT = ran("locate", "1001", title="turn on the locate LED of SER0001 of tank")


@pytest.mark.parametrize(
    ("words", "state"),
    [
        (f"find {serial(1)}: turn on its LED, and compare the serial number", trouble_at(FAULTED)),
        ("insert a new disk of at least 4.00 TB (3.64 TiB)", trouble_at(FAULTED, gone=[1])),
        (f"replace {serial(1)} with {serial(2)}", trouble_at(FAULTED, gone=[1], unused=1)),
        ("wait for the resilver", trouble_at(COPYING)),
        (
            "discard the checkpoint if you do not need it: zpool checkpoint -d tank",
            trouble_at(FAULTED, gone=[1], unused=1, checkpoint_bytes=1),
        ),
    ],
)
def test_each_step_is_an_instruction(words: str, state: HostState) -> None:
    assert words == due_in_words(the_repair(state, 1))


def test_a_disk_whose_led_is_on_is_pulled() -> None:
    assert f"pull {serial(1)}: compare the serial number first" == due_in_words(
        the_repair(trouble_at(FAULTED), 1, LIT)
    )


def test_the_progress_of_a_resilver_is_part_of_it() -> None:
    copying = the_repair(trouble_at(COPYING), 1)
    told = tuple(
        replace(each, found=("resilver 41%, about 5h left",)) if each is copying.current else each
        for each in copying.steps
    )

    assert "wait for the resilver (41%, about 5h left)" == due_in_words(replace(copying, steps=told))


def test_without_a_step_there_is_nothing_to_do() -> None:
    done = tuple(RepairStep(kind, RepairStepState.DONE) for kind in RepairStepKind)

    assert () == due_line(replace(the_repair(trouble_at(FAULTED), 1), steps=done))


def test_a_sentence_that_is_too_long_ends_with_a_whole_clause() -> None:
    repair = the_repair(trouble_at(FAULTED), 1)
    whole = plain(due_line(repair, 200))

    assert f"Now: find {serial(1)}: turn on its LED" == plain(due_line(repair, len(whole) - 1))
    assert whole == plain(due_line(repair)) == plain(due_line(repair, 3))


def test_a_stop_is_in_the_line_that_is_always_on_the_screen() -> None:
    top = group("raidz2-0", leaf(0), leaf(1, "FAULTED"), leaf(2, "REMOVED"), leaf(3))
    state = trouble_at(top, gone=[2], events=(changed(1, 30), changed(2, 1, "REMOVED")))

    told = due_line(the_repair(state, 1), 78)

    assert f"Now: STOP: put {serial(2)} back into any empty bay" == plain(told)
