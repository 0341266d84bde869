"""Alert as JSON, and as facts in the environment of a program."""

from __future__ import annotations

import hashlib

from zconsole.model.alert import Alert
from zconsole.reports.json.json_line import SCHEMA, Document
from zconsole.reports.notifications.alert_in_words import body, title


def alert_document(alert: Alert) -> Document:
    """Return an alert with its identity: the same message, sent again, has the same `message_id`."""
    return {
        "schema": SCHEMA,
        "message_id": message_id(alert),
        "phase": alert.phase.value,
        "severity": alert.severity.word,
        "host": alert.key.host,
        "pool": alert.pool or None,
        "subject": alert.subject,
        "id": alert.id,
        "words": alert.words,
        "what_to_do": alert.what_to_do or None,
        "since": alert.since,
        "at": alert.at,
        "title": title(alert),
        "text": body(alert),
    }


def message_id(alert: Alert) -> str:
    """Return what tells a message from all others: what it is about, its phase and its time."""
    parts = (alert.key.host, alert.key.kind, alert.key.about, alert.phase.value, repr(alert.at))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def alert_environment(alert: Alert) -> dict[str, str]:
    """Return the facts for the environment of a program."""
    return {
        "ZCONSOLE_PHASE": alert.phase.value,
        "ZCONSOLE_SEVERITY": alert.severity.word,
        "ZCONSOLE_HOST": alert.key.host,
        "ZCONSOLE_POOL": alert.pool,
        "ZCONSOLE_SUBJECT": alert.subject,
        "ZCONSOLE_ID": alert.id,
        "ZCONSOLE_TITLE": title(alert),
        "ZCONSOLE_WORDS": alert.words,
        "ZCONSOLE_WHAT_TO_DO": alert.what_to_do,
    }
