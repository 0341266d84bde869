"""`zconsole advise --json`: each point with its numbers, and the words of its plan."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.analysis.build import NOW, host, pool, scrubbed
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.pools.pool import RootSettings
from zconsole.reports.json.advice import advice_document

SETTINGS = RootSettings("off", "on", "standard", "off", 1, "on", "on")
STATE = replace(host(pool(settings=SETTINGS, scan=scrubbed(days_ago=60))), host="nas1")
FOUND = findings(STATE, NOW, Thresholds())


def test_a_point_has_numbers_reason_and_plan_and_is_plain_json() -> None:
    document = advice_document(STATE, FOUND, (), ("--host", "nas1"))

    said = json.loads(json.dumps(document))
    assert "nas1" == said["host"]
    assert ["scrub-overdue", "compression-off"] == [each["id"] for each in said["advice"]]
    scrub, compression = said["advice"]
    assert (False, "settings") == (compression["is_risk"], compression["group"])
    assert (True, "care", "60d", "at most 35d") == (
        scrub["is_risk"], scrub["group"], scrub["found"], scrub["limit"],
    )  # fmt: skip
    assert ["zconsole", "plan", "scrub", "tank", "--host", "nas1"] == scrub["plan"]
    assert "new" == compression["helps"]


def test_without_advice_the_lists_are_empty() -> None:
    document = advice_document(STATE, (), ())

    assert ([], []) == (document["advice"], document["silenced"])


def test_what_was_not_read_is_in_it() -> None:
    document = advice_document(STATE, (), ())

    assert "the settings of tank are not read yet" in document["not_judged"]


def test_groups_without_advice_are_in_it_with_what_they_were_not_judged_by() -> None:
    document = advice_document(STATE, FOUND, ())

    told = {each["group"]: each["is_judged"] for each in document["without_advice"]}
    assert {"structure": False, "guests": False, "host": False} == told
