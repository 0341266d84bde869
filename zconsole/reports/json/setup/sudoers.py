"""`zconsole sudoers --json`: the rules of a user without root, command by command, and as a file."""

from __future__ import annotations

from zconsole.reports.json.json_line import SCHEMA, Document
from zconsole.reports.sudoers import Rules, changing, commands, reading, sudoers


def sudoers_document(rules: Rules) -> Document:
    """Return the rules. Raises UsageError for values that sudoers syntax does not allow."""
    text = sudoers(rules)  # refuses first what must not be granted
    return {
        "schema": SCHEMA,
        "user": rules.user,
        "asks_password": rules.asks_password,
        "equals_root": rules.is_old,
        "reads": list(commands(reading(rules.grants), rules)),
        "changes": list(commands(changing(rules.grants), rules)),
        "file": text,
    }
