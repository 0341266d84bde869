"""Documents of ntfy, Slack and Alertmanager."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.reports.notifications.test_alert_in_words import ALERT
from zconsole.analysis.alerts.damping import DampedState
from zconsole.base.errors import UsageError
from zconsole.model.alert import AlertKey, AlertPhase
from zconsole.reports.json.json_line import as_line
from zconsole.reports.notifications.webhook_documents import (
    alertmanager_document,
    ntfy_address,
    ntfy_document,
    slack_document,
)

EVIL = replace(ALERT, words="<!channel> <https://evil|x> &amp; *b* \x1b[31m\nx", subject='a"b\\c')


@pytest.mark.parametrize(
    ("server", "topic", "url"),
    [
        ("https://ntfy.sh/", "zfs", "https://ntfy.sh/zfs"),
        ("http://nas1:8080/push/", "zfs", "http://nas1:8080/push/zfs/"),
    ],
)
def test_ntfy_is_posted_to_the_server_and_the_topic_is_in_the_document(
    server: str, topic: str, url: str
) -> None:
    assert (server, topic) == ntfy_address(url)


def test_an_address_without_a_topic_is_refused() -> None:
    with pytest.raises(UsageError, match="no topic"):
        ntfy_address("https://ntfy.sh/")


def test_ntfy_tells_how_urgent_it_is() -> None:
    raised, over = (ntfy_document(each, "zfs") for each in (ALERT, replace(ALERT, phase=AlertPhase.OVER)))
    assert (5, ["rotating_light"]) == (raised["priority"], raised["tags"])
    assert (2, ["white_check_mark"]) == (over["priority"], over["tags"])
    assert "zfs" == raised["topic"]
    assert len(str(ntfy_document(replace(ALERT, words="x" * 9000), "zfs")["message"]).encode()) < 4096


def test_no_name_is_a_mention_or_a_link_in_slack() -> None:
    text = str(slack_document(EVIL)["text"])
    assert "<" not in text
    assert "&lt;!channel&gt;" in text
    assert "&amp;amp;" in text
    assert "\x1b" not in text
    assert slack_document(EVIL)["mrkdwn"] is False


def test_alertmanager_gets_what_holds_with_its_end_ahead_and_what_is_over_with_its_end() -> None:
    over = replace(EVIL, key=AlertKey("nas1", "y", "z"), phase=AlertPhase.OVER, at=1_800_000_090.0)
    holding, ended = alertmanager_document(
        [DampedState(ALERT, 1_800_000_000.0)], [over], 1_800_000_100.0, valid_s=300
    )
    assert {
        "alertname": "pool-suspended", "severity": "critical", "host": "nas1", "pool": "tank",
        "subject": "tank", "job": "zconsole",
    } == holding["labels"]  # fmt: skip
    assert "2027-01-15T08:00:00.000+00:00" == holding["startsAt"]
    assert "2027-01-15T08:06:40.000+00:00" == holding["endsAt"]
    assert "2027-01-15T08:01:30.000+00:00" == ended["endsAt"]
    assert as_line([holding, ended]).isprintable()
