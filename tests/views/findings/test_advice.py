"""Every rule of advice has its words, once, in one group."""

from __future__ import annotations

import re

from zconsole.views.findings.advice import ADVICE, GROUP_OF, AdviceGroup
from zconsole.views.findings.advice_wording import HelpedData, Stake


def test_a_rule_is_in_the_group_of_its_subject() -> None:
    for finding_id, group in (
        ("pool-without-redundancy", AdviceGroup.STRUCTURE),
        ("autotrim-off", AdviceGroup.SETTINGS),
        ("sync-disabled", AdviceGroup.SETTINGS),
        ("scrub-overdue", AdviceGroup.CARE),
    ):
        assert group is GROUP_OF[finding_id]


def test_what_counts_as_a_finding_has_data_or_service_at_stake() -> None:
    risks = [each for each in ADVICE.values() if each.risk]

    assert {Stake.DATA, Stake.SERVICE} == {each.stake for each in risks}


def test_each_says_whom_it_helps_and_why_in_a_sentence() -> None:
    for each in ADVICE.values():
        assert isinstance(each.helps, HelpedData)
        for text in (each.when, each.why, each.action, each.cost):
            assert text.endswith("."), (each.id, text)


def test_what_it_costs_does_not_say_again_what_it_helps() -> None:
    """Said twice it came to contradict itself: that it helps at once, and newly written data only."""
    for each in ADVICE.values():
        assert not re.search(r"\bhelps\b|newly written", each.cost), each.id


def test_placeholders_are_those_that_are_replaced_by_names() -> None:
    """A setting of a dataset is advised with DATASET, which stands for the object of the finding."""
    for each in ADVICE.values():
        assert not re.search(r"zfs (?:set|create|destroy) [^.;,]*\bPOOL\b", each.action), each.id
