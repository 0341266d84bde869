"""Keys of the console as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.reports.json.json_line import SCHEMA, Document
from zconsole.views.layout.screen_key_registry import EVERYWHERE, Action, key_name


def keys_document(actions: Iterable[Action]) -> Document:
    """The actions with their keys, the first of which the footer shows; `screens` is null for everywhere."""
    return {
        "schema": SCHEMA,
        "keys": [
            {
                "name": action.id,
                "keys": [key_name(key) for key in action.keys],
                "usual_keys": [key_name(key) for key in action.usual_keys],
                "title": action.title,
                "help": action.help,
                "group": action.group,
                "screens": None if EVERYWHERE in action.where else list(action.where),
            }
            for action in actions
        ],
    }
