"""Runs of the journal that belong to a repair."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import facts_of, ran, trouble_at
from tests.doubles.shelves import leaf
from zconsole.actions.repair.journal_runs_of_repair import intended, is_led_on, runs_of, runs_on
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.repair import RepairRun
from zconsole.model.run import RunState

DEVICE = leaf(1)


def titles(*entries: Entry, since: float | None = None) -> list[str]:
    return [each.title for each in runs_of(entries, "tank", [DEVICE], since, NOW)]


def test_runs_on_the_device_by_any_of_its_names_oldest_first() -> None:
    by_guid = ran("replace", "1001", "/dev/x", title="a", minutes_ago=1)
    by_name = ran("offline", DEVICE.name, title="b", minutes_ago=3)
    by_path = ran("locate", DEVICE.path or "", title="c", minutes_ago=2)

    assert ["b", "c", "a"] == titles(by_guid, by_name, by_path)


def test_a_run_whose_words_left_the_device_open_is_known_by_its_title() -> None:
    assert 1 == len(titles(ran("replace", "/dev/x", title=f"replace {DEVICE.name} of tank")))


def test_what_belongs_to_something_else_is_left_out() -> None:
    ours = ran("replace", "1001")

    assert [] == titles(
        ran("replace", "1002"),
        ran("scrub"),
        ran("set", "1001"),
        replace(ours, intent=ours.intent.replace("tank", "bulk")),
        replace(ours, problem="a damaged row"),
        replace(ours, intent="not json"),
        replace(ours, intent="[]"),
    )


def test_only_runs_of_this_trouble_count() -> None:
    long_ago = ran("replace", "1001", minutes_ago=60 * 24 * 40)
    before = ran("replace", "1001", minutes_ago=60 * 24 * 3)

    assert [] == titles(long_ago)
    assert [] == titles(before, since=NOW - 3600)
    assert 1 == len(titles(before))


def test_a_plan_that_was_not_run_shows_no_command() -> None:
    step = StepEntry(("zpool", "replace", "tank", "1001", "/dev/x"))
    done = replace(ran("replace", "1001", minutes_ago=3), steps=(step,))
    stale = replace(done, state=RunState.STALE, words="the host has changed since the plan")

    was_run, was_not = (runs_of([each], "tank", [DEVICE], None, NOW)[0] for each in (done, stale))

    assert ((step.argv,), "done", True) == (was_run.commands, was_run.outcome, was_run.is_done)
    assert ((), False) == (was_not.commands, was_not.is_done)
    assert "the host has changed since the plan; nothing was run" == was_not.outcome


def test_runs_on_any_device_of_a_vdev_count_and_those_of_others_do_not() -> None:
    facts = facts_of(trouble_at(group("mirror-0", leaf(0), leaf(1)), leaf(2)))
    entries = tuple(ran("replace", str(1000 + number), minutes_ago=9 - number) for number in (0, 1, 2))

    found = runs_on(facts, facts.pool.vdevs[0], entries)

    assert [each.started for each in entries[:2]] == [each.at for each in found]


def test_an_intent_that_cannot_be_read_has_no_words() -> None:
    entry = ran("replace", "1001")

    assert ("tank", ("1001",)) == intended(entry)
    assert ("", ()) == intended(replace(entry, intent="{"))
    assert ("tank", ()) == intended(replace(entry, intent='{"target": "tank", "arguments": 3}'))


def test_the_led_is_on_after_the_last_run_turned_it_on() -> None:
    on = RepairRun(1.0, "anna", "turn on the locate LED of sda of bulk", (("tee", "locate"),), "done")
    off = RepairRun(2.0, "anna", "turn off the locate LED of sda of bulk", (("tee", "locate"),), "done")

    assert is_led_on((on,))
    assert not is_led_on((on, off))
    assert not is_led_on(())
