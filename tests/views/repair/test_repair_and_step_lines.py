"""The steps of a repair as lines: the same for the screen and for the command line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import ran, the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.model.repair import (
    DeviceIdentity,
    NotNow,
    Repair,
    RepairCause,
    RepairStep,
    RepairStepKind,
    RepairStepState,
    RepairTrouble,
)
from zconsole.views.layout.styled_text import plain
from zconsole.views.repair.repair_and_step_lines import (
    headline,
    procedure_lines,
    repairs_summary,
    step_lines,
    step_words,
)

BROKEN = group("mirror-0", leaf(0), leaf(1, "FAULTED", note="too many errors"))
BEGUN = ran("offline", "1001")


def broken(**of_pool: object) -> Repair:
    return the_repair(trouble_at(BROKEN, gone=[1], unused=1, **of_pool), 1, BEGUN)  # type: ignore[arg-type]


def test_the_first_line_is_the_answer() -> None:
    words = f"repair tank mirror-0 · {serial(1)} has failed · step 5 of 7 · begun 2027-01-15 07:55 by anna"

    assert words == plain(headline(broken()))


def test_a_single_device_is_not_named_twice() -> None:
    lone = the_repair(trouble_at(leaf(1, "FAULTED")), 1)

    assert plain(headline(lone)).startswith(f"repair tank · {serial(1)} has failed")


def test_the_after_care_of_a_pool_names_it_once() -> None:
    assert plain(headline(replace(broken(), vdev="tank"))).startswith(f"repair tank · {serial(1)} ")


def test_a_resilver_of_which_the_journal_knows_nothing_is_no_replacement() -> None:
    unknown = replace(
        broken(),
        trouble=RepairTrouble.AFTER_CARE,
        vdev="tank",
        device=DeviceIdentity("tank"),
    )

    assert plain(headline(unknown)).startswith("repair tank · tank has been resilvered")


def test_a_disk_that_was_pulled_by_mistake_has_not_failed() -> None:
    pulled = replace(broken(), not_now=(NotNow("put-back", "it had no error"),))

    assert f"{serial(1)} was sound, and is gone" in plain(headline(pulled))


def test_where_it_stands_in_a_few_words() -> None:
    done = tuple(replace(step, state=RepairStepState.DONE) for step in broken().steps)

    assert "step 5 of 7" == step_words(broken())
    assert "step 5 of 7, unavailable" == step_words(broken(checkpoint_bytes=1))
    assert "done" == step_words(replace(broken(), steps=done))


def test_every_step_has_a_line_that_says_its_state_in_a_word() -> None:
    lines = [plain(each) for each in procedure_lines(broken())]

    starts = ["✓ 1 triage      done: ", "✓ 2 identify    done: ", "✓ 3 take out    done: "]
    starts += [
        "✓ 4 new disk    done: ",
        "→ 5 replace     now",
        "  6 resilver    next",
        "  7 after-care  next: ",
    ]
    for start in starts:
        assert 1 == sum(each.startswith(start) for each in lines), start
    assert "Nothing is known to be lost: mirror-0 runs on SER0000" == lines[-2]


def test_an_alarm_comes_first() -> None:
    first, blank, *_ = procedure_lines(replace(broken(), alarm="STOP: put it back"))

    assert ("✗ STOP: put it back", "bad") == (plain(first), first[0].style)
    assert () == blank


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("✗ 5 replace     unavailable: why", RepairStepState.HELD),
        ("- 5 replace     not needed: why", RepairStepState.NOT_NEEDED),
        ("→ 5 replace     now: why", RepairStepState.NOW),
    ],
)
def test_the_reason_comes_before_what_was_found(words: str, state: RepairStepState) -> None:
    step = RepairStep(RepairStepKind.REPLACE, state, ("found",), "why")

    assert [words, " " * 16 + "found"] == [plain(each) for each in step_lines(step)]


def test_how_many_repairs_a_host_needs() -> None:
    one = broken()

    assert "nas1 · no device needs a repair" == plain(repairs_summary("nas1", ()))
    assert "nas1 · 1 repair" == plain(repairs_summary("nas1", [one]))
    assert "nas1 · 2 repairs, the most urgent first" == plain(repairs_summary("nas1", [one, one]))


def test_in_a_width_the_last_parts_are_left_out_before_anything_is_cut() -> None:
    core = f"repair tank mirror-0 (1 of 2) · {serial(1)} has failed"

    assert f"{core} · step 5 of 7" == plain(headline(broken(), len(core) + 16, "1 of 2"))
    assert core == plain(headline(broken(), len(core), "1 of 2"))
    assert core.replace(" mirror-0", "") == plain(headline(broken(), len(core) - 1, "1 of 2"))


@pytest.mark.parametrize(
    ("expected", "bays"),
    [
        ("repair tank · 4 disks (bays 5-8): cable or controller", ("7", "5", "6", "8")),
        ("repair tank · S0 and 3 other disks: cable or controller", ("7", "", "6", "8")),
    ],
)
def test_disks_with_one_cause_are_told_by_their_bays_and_the_cause(
    expected: str, bays: tuple[str, ...]
) -> None:
    devices = [DeviceIdentity(f"d{at}", serial=f"S{at}", bay=bay) for at, bay in enumerate(bays)]
    shared = replace(broken(), device=devices[0], others=tuple(devices[1:]), cause=RepairCause.CABLE, runs=())

    assert plain(headline(shared)).startswith(f"{expected} · step")
    assert 80 >= len(f" practice · {expected}  live")


@pytest.mark.parametrize("trouble", [RepairTrouble.FAILED, RepairTrouble.WARNED, RepairTrouble.SLOW])
def test_the_verdict_is_whole_at_80_columns_also_of_one_of_several_repairs(trouble: RepairTrouble) -> None:
    device = DeviceIdentity("ata-ST4000NM0035-1V4107_ZC13A01K", serial="ZC13A01K", bay="1")
    repair = replace(broken(), pool="tank", device=device, trouble=trouble)
    room = 80 - len(" practice · ") - len(" live ")

    assert len(plain(headline(repair, room, "2 of 2"))) <= room
