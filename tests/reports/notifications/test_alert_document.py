"""An alert as JSON and as facts of a program."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.reports.notifications.test_alert_in_words import ALERT
from tests.reports.schema import ALERT as SCHEMA
from tests.reports.schema import mismatch
from zconsole.model.alert import AlertPhase
from zconsole.reports.json.json_line import as_line
from zconsole.reports.notifications.alert_document import alert_document, alert_environment, message_id


def test_the_document_is_as_documented() -> None:
    for each in (ALERT, replace(ALERT, pool="", what_to_do="", since=None)):
        assert "" == mismatch(json.loads(as_line(alert_document(each))), SCHEMA)


def test_a_message_has_its_own_identity_and_the_same_when_it_is_sent_again() -> None:
    others = {
        message_id(each)
        for each in (ALERT, replace(ALERT, phase=AlertPhase.OVER), replace(ALERT, at=ALERT.at + 86400))
    }
    assert 3 == len(others)
    assert message_id(ALERT) == message_id(replace(ALERT, words="other words"))


def test_facts_have_names_of_their_own() -> None:
    facts = alert_environment(ALERT)
    assert all(name.startswith("ZCONSOLE_") for name in facts)
    assert ("critical", "nas1", "tank") == (
        facts["ZCONSOLE_SEVERITY"],
        facts["ZCONSOLE_HOST"],
        facts["ZCONSOLE_POOL"],
    )
