"""Advice: risks first, then by group, with the words of the screen and the command line."""

from __future__ import annotations

from tests.analysis.build import NOW, disk, group, host, pool, scrubbed, wholly_read
from tests.analysis.findings.care import replication_cases
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.base.finding_thresholds import Thresholds
from zconsole.base.notifications.silence_end import minute_of
from zconsole.base.notifications.silences import Silence
from zconsole.model.pools.pool import RootSettings
from zconsole.views.findings.advice_list import (
    NO_PLAN,
    SOUND,
    AdvicePoint,
    advice_lines,
    advice_of,
    in_full,
    plan_words,
    points_of,
)
from zconsole.views.layout.styled_text import plain

SETTINGS = RootSettings("off", "on", "disabled", "off", 1, "on", "on")
WIDE = group("raidz2-0", *(disk(f"sd{at}") for at in range(13)))
STATE = wholly_read(host(pool(WIDE, settings=SETTINGS, scan=scrubbed(days_ago=60))))
FOUND = findings(STATE, NOW, Thresholds())
UNCOPIED = replication_cases.seen(
    replication_cases.finding("dataset-no-copy", datasets=("tank/a", "tank/vm/x", "tank/vm/y"))
)


def test_risks_come_before_all_groups_and_these_by_what_is_at_stake() -> None:
    assert ["scrub-overdue", "sync-disabled", "compression-off", "raidz-wide"] == [
        each.id for each in advice_of(FOUND)
    ]


def test_what_is_wrong_and_no_matter_of_advice_is_not_in_it() -> None:
    sick = findings(host(pool(error_count=1)), NOW, Thresholds())

    assert () == advice_of(sick)
    assert "nas1: nothing to advise." == plain(next(advice_lines(STATE, sick, ())))
    assert SOUND in plain(next(advice_lines(STATE, sick, ())))


def test_each_has_its_numbers_its_reason_its_cost_and_the_command_of_its_plan() -> None:
    lines = [plain(each) for each in advice_lines(STATE, FOUND, (), ("--host", "nas1"))]

    assert "nas1: 1 risk, 3 points of advice." == lines[0]
    at = lines.index("Risks")
    assert lines[at + 1].startswith("Warning: tank: last scrub 60d ago.")
    assert "  Found   60d; expected: at most 35d." == lines[at + 2]
    assert "  Plan    zconsole plan scrub tank --host nas1" in lines
    assert "  Plan    zconsole plan set tank sync=standard --host nas1" in lines
    assert "  Plan    no plan of this program does it." in lines
    silence = "zconsole advise --silence raidz-wide 'tank raidz2-0' --host nas1"
    assert f"  Silence {silence} --reason TEXT --until WHEN" in lines


def test_a_plan_names_the_words_that_are_still_missing() -> None:
    (single,) = advice_of(findings(host(pool(disk())), NOW, Thresholds()))

    assert "zconsole plan attach tank sda NEW" == plan_words(single)


def test_what_is_silenced_is_listed_with_its_reason_and_its_day() -> None:
    wide = next(each for each in FOUND if each.id == "raidz-wide")
    silence = Silence("nas1", wide.id, wide.subject, "bought so", minute_of(NOW), minute_of(NOW + 86400 * 30))

    lines = [
        plain(each)
        for each in advice_lines(
            STATE, [each for each in FOUND if each is not wide], (SilencedFinding(wide, silence),)
        )
    ]

    assert lines[0].endswith("1 silenced.")
    assert lines[-1].startswith("raidz-wide of tank raidz2-0: ")
    assert lines[-1].endswith(f"; silenced until {silence.end}: bought so")


def test_silence_is_no_all_clear_while_settings_are_not_read() -> None:
    lines = [plain(each) for each in advice_lines(host(), (), ())]

    assert "nas1: nothing known to advise, not all of it was read." == lines[0]
    assert "Not judged: the settings of tank are not read yet." == lines[1]


def test_one_rule_that_finds_several_objects_of_a_pool_is_one_point_with_all_of_them_below() -> None:
    found = findings(UNCOPIED, NOW, Thresholds())

    (point,) = points_of(found)
    told = [plain(each) for each in in_full(point)]

    assert ["tank/a", "tank/vm"] == [each.subject for each in point.findings]
    assert point.words.endswith("; likewise tank/vm")
    assert [
        "Of      tank/a: tank/a has no copy in another pool that was compared.",
        "Of      tank/vm: none of 2 datasets below tank/vm has a copy in another pool that was compared.",
        "Found   no copy; expected: a copy, as others of its pool have.",
    ] == told[:3]
    assert [
        "Silence zconsole advise --silence dataset-no-copy tank/a --reason TEXT --until WHEN",
        "Silence zconsole advise --silence dataset-no-copy tank/vm --reason TEXT --until WHEN",
    ] == told[-2:]


def test_several_numbers_are_told_of_each_object_and_so_are_several_plans() -> None:
    found = tuple(
        each
        for name in ("a", "b")
        for each in findings(host(pool(disk(f"sd{name}"), name=name)), NOW, Thresholds())
        if each.advised is not None
    )

    told = [plain(each) for each in in_full(AdvicePoint(found))]

    assert 2 == len([each for each in told if each.startswith("Plan    zconsole plan attach ")])


def test_where_the_action_names_a_plan_of_this_program_it_is_not_said_that_none_does_it() -> None:
    """Of every rule whose findings propose no action by themselves."""
    (point,) = points_of(findings(UNCOPIED, NOW, Thresholds()))

    told = [plain(each) for each in in_full(point)]

    assert "Plan    zconsole plan receive DATASET SNAPSHOT, with names that you choose." in told
    assert [] == [each for each in told if NO_PLAN in each]


def test_a_group_without_advice_is_named_and_what_it_was_not_judged_by() -> None:
    lines = [plain(each) for each in advice_lines(STATE, FOUND, ())]

    assert "Host: nothing to advise." in lines
    assert "Guests: not judged, because not all guests are read." in lines


def test_a_group_with_advice_is_not_called_clean() -> None:
    lines = [plain(each) for each in advice_lines(STATE, FOUND, ())]

    assert [] == [each for each in lines if each.startswith(("Structure:", "Settings:"))]


def test_what_is_wrong_now_is_pointed_to_with_the_command_that_tells_and_mends_it() -> None:
    torn = findings(wholly_read(host(pool(error_count=1))), NOW, Thresholds())
    first, second, *_ = (plain(each) for each in advice_lines(STATE, torn, (), ("--host", "nas1")))

    assert "nas1: nothing to advise." == first
    assert second.startswith("Wrong now, and no matter of advice: 1 ")
    assert "All of it: zconsole status --host nas1" in second
    assert not any(plain(each).startswith("Wrong now") for each in advice_lines(STATE, FOUND, ()))
