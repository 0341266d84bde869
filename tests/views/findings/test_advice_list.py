"""Advice by group, worst first, with the words of the screen and the command line."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, disk, group, host, pool, scrubbed, wholly_read
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.silenced_findings import SilencedFinding, day_of
from zconsole.base.finding_thresholds import Thresholds
from zconsole.base.silences import Silence
from zconsole.model.pools.pool import RootSettings
from zconsole.views.findings.advice_list import SOUND, advice_lines, advice_of, plan_words
from zconsole.views.layout.styled_text import plain

SETTINGS = RootSettings("off", "on", "disabled", "off", 1, "on", "on")
WIDE = group("raidz2-0", *(disk(f"sd{at}") for at in range(13)))
STATE = wholly_read(host(pool(WIDE, settings=SETTINGS, scan=scrubbed(days_ago=60))))
FOUND = findings(STATE, NOW, Thresholds())


def test_groups_have_their_order_and_in_each_the_worst_comes_first() -> None:
    assert ["raidz-wide", "sync-disabled", "compression-off", "scrub-overdue"] == [
        each.id for each in advice_of(FOUND)
    ]


def test_what_is_wrong_and_no_matter_of_advice_is_not_in_it() -> None:
    sick = findings(host(pool(error_count=1)), NOW, Thresholds())

    assert () == advice_of(sick)
    assert ["nas1: nothing to advise."] == [plain(each) for each in advice_lines(STATE, sick, ())]
    assert SOUND in plain(next(advice_lines(STATE, sick, ())))


def test_each_has_its_numbers_its_reason_its_cost_and_the_command_of_its_plan() -> None:
    lines = [plain(each) for each in advice_lines(STATE, FOUND, (), ("--host", "nas1"))]

    assert "nas1: 4 points." == lines[0]
    at = lines.index("Care")
    assert lines[at + 1].startswith("Warning: tank: last scrub 60 days ago.")
    assert "  Found 60 days; limit: at most 35 days" in lines[at + 2]
    assert "  Plan  zconsole plan scrub tank --host nas1" in lines
    assert "  Plan  zconsole plan set tank sync=standard --host nas1" in lines
    assert "  Plan  no plan of this program does it." in lines
    assert "  Id    raidz-wide of tank raidz2-0" in lines


def test_a_plan_names_the_words_that_are_still_missing() -> None:
    (single,) = advice_of(findings(host(pool(disk())), NOW, Thresholds()))

    assert "zconsole plan attach tank sda NEW" == plan_words(single)


def test_what_is_silenced_is_listed_with_its_reason_and_its_day() -> None:
    wide = replace(advice_of(FOUND)[0])
    silence = Silence("nas1", wide.id, wide.subject, "bought so", day_of(NOW), day_of(NOW + 86400 * 30))

    lines = [plain(each) for each in advice_lines(STATE, FOUND[1:], (SilencedFinding(wide, silence),))]

    assert lines[0].endswith("1 silenced.")
    assert lines[-1].startswith("raidz-wide of tank raidz2-0: ")
    assert lines[-1].endswith(f"; silenced until {silence.until}: bought so")


def test_silence_is_no_all_clear_while_settings_are_not_read() -> None:
    lines = [plain(each) for each in advice_lines(host(), (), ())]

    assert "nas1: nothing known to advise, not all of it was read." == lines[0]
    assert "Not judged: the settings of tank are not read yet." == lines[1]
