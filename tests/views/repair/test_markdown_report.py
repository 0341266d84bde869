"""The report for a ticket: Markdown that shows what hosts say and means nothing by it."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import changed, ran, the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.model.repair import Repair, RepairRun
from zconsole.views.repair.markdown_report import ticket

BROKEN = group("mirror-0", leaf(0), leaf(1, "FAULTED", note="too many errors"))


def broken() -> Repair:
    run = ran("offline", "1001", minutes_ago=4, title="take offline it")
    return the_repair(trouble_at(BROKEN, gone=[1], unused=1, events=[changed(1, 90)]), 1, run)


def test_it_has_what_a_ticket_asks_for() -> None:
    text = "\n".join(ticket(broken(), "nas1", NOW))

    assert f"# {serial(1)} in tank mirror-0 has failed" == text.split("\n", 1)[0]
    assert "- Host: nas1, pool tank, vdev mirror-0" in text
    assert f"- Device: serial {serial(1)}" in text
    assert "1h30m ago" in text
    assert "by anna" in text
    assert "- As of 2027-01-15 08:00 UTC: step 5 of 7" in text
    assert 7 == len(re.findall(r"^\| \d \|", text, re.MULTILINE))
    assert "anna: take offline it: done, 3s" in text
    assert "- no redundancy left in mirror-0" in text


def test_commands_stand_as_they_were_sent() -> None:
    run = RepairRun(NOW - 60, "anna", "replace", (("zpool", "replace", "tank", "it's"),), "done", NOW)

    lines = list(ticket(replace(broken(), runs=(run,)), "nas1", NOW))

    assert "        zpool replace tank 'it'\"'\"'s'" in lines


def test_an_alarm_stands_before_the_steps() -> None:
    lines = list(ticket(replace(broken(), alarm="STOP"), "nas1", NOW))

    assert lines.index("**STOP**") < lines.index("## Steps")


@given(st.text(max_size=40))
def test_whatever_a_host_says_is_one_line_of_text(words: str) -> None:
    repair = broken()
    hostile = replace(
        repair,
        device=replace(repair.device, serial=words, model=words),
        alarm=words,
        steps=tuple(replace(step, found=(words,), reason=words) for step in repair.steps),
        runs=(RepairRun(NOW, words, words, ((words,),), words, None),),
        survives=(words,),
    )

    lines = list(ticket(hostile, words, NOW))

    assert not any(re.search(r"[\x00-\x1f\x7f]", each) for each in lines)
    for each in lines:
        assert not re.search(r"(?<!\\)[<\[`]", each.replace("<br>", "")) or each.startswith(" " * 8)
    assert 7 == sum(each.startswith("| ") and each[2].isdigit() for each in lines)
