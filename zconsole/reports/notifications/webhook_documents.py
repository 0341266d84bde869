"""Documents of webhooks: ntfy, Slack and what is compatible with it, Alertmanager's API version 2.

ntfy: https://docs.ntfy.sh/publish/#publish-as-json. Slack: https://api.slack.com/messaging/webhooks, and its
escapes: https://api.slack.com/reference/surfaces/formatting#escaping.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from zconsole.analysis.alerts.damping import DampedState
from zconsole.base.errors import UsageError, shortened
from zconsole.base.escape_control_characters import visible
from zconsole.model.alert import Alert, AlertPhase
from zconsole.model.finding import Severity
from zconsole.reports.json.json_line import Document
from zconsole.reports.notifications.alert_in_words import body, title

LONGEST_TEXT: Final = 3500  # ntfy takes 4096 bytes of a message
LONGEST_LABEL: Final = 200
_PRIORITIES: Final = {Severity.INFO: 2, Severity.WARNING: 3, Severity.CRITICAL: 5}  # of ntfy: 1 to 5
_TAGS: Final = {
    Severity.INFO: "information_source",
    Severity.WARNING: "warning",
    Severity.CRITICAL: "rotating_light",
}
_OVER: Final = "white_check_mark"


def ntfy_address(url: str) -> tuple[str, str]:
    """The address of the server and the topic, of `https://ntfy.sh/topic`. Raises UsageError."""
    parts = urlsplit(url)
    path, _, topic = parts.path.rstrip("/").rpartition("/")
    if not topic:
        raise UsageError("the address of ntfy has no topic", hint="Such as https://ntfy.sh/my-storage.")
    return urlunsplit((parts.scheme, parts.netloc, f"{path}/", "", "")), topic


def ntfy_document(alert: Alert, topic: str) -> Document:
    """Return the message as ntfy publishes it."""
    is_over = alert.phase is AlertPhase.OVER
    return {
        "topic": topic,
        "title": title(alert),
        "message": shortened(body(alert), LONGEST_TEXT),
        "priority": _PRIORITIES[Severity.INFO if is_over else alert.severity],
        "tags": [_OVER if is_over else _TAGS[alert.severity]],
    }


def slack_document(alert: Alert) -> Document:
    """Return the message for Slack, Mattermost and others; no name in it is markup or a mention."""
    text = f"{title(alert)}\n{body(alert)}"
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": escaped, "mrkdwn": False}


def alertmanager_document(
    holding: Iterable[DampedState], over: Iterable[Alert], now: float, *, valid_s: float
) -> Sequence[Document]:
    """Return the alerts that hold, each valid for a time, and those that are over.

    Alertmanager forgets alerts at a restart, and ends those that are not sent again: so all are sent, often.
    """
    holding_now = [
        _alertmanager(each.alert, each.since, now + valid_s, each.acknowledged_at) for each in holding
    ]
    return [*holding_now, *(_alertmanager(each, each.since or each.at, each.at) for each in over)]


def _alertmanager(alert: Alert, starts: float, ends: float, acknowledged_at: float | None = None) -> Document:
    labels = {
        "alertname": alert.id,
        "severity": alert.severity.word,
        "host": alert.key.host,
        "pool": alert.pool,
        "subject": alert.subject,
        "job": "zconsole",
    }
    annotations = {
        "summary": title_of_state(alert),
        "description": alert.what_to_do,
        "acknowledged": "" if acknowledged_at is None else _rfc3339(acknowledged_at),
    }
    return {
        "labels": _texts(labels, LONGEST_LABEL),
        "annotations": _texts(annotations, LONGEST_TEXT),
        "startsAt": _rfc3339(min(starts, ends)),
        "endsAt": _rfc3339(ends),
    }


def title_of_state(alert: Alert) -> str:
    """Return what holds, whether it was told as new, as worse or as flapping."""
    return f"{alert.key.host}: {alert.words}"


def _texts(values: dict[str, str], most: int) -> Document:
    return {key: shortened(visible(value), most) for key, value in values.items() if value}


def _rfc3339(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
