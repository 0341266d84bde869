"""Why a host, a pool or a subcommand has no document: the error in its place."""

from __future__ import annotations

from zconsole.base.errors import ZConsoleError
from zconsole.reports.json.json_line import SCHEMA, Document


def unread_document(error: ZConsoleError, host: str | None = None) -> Document:
    """Return the error as a document; `host` is null where it is of none, or of several."""
    return {
        "schema": SCHEMA,
        "host": host,
        "error": error.message,
        "said": str(getattr(error, "said", "")) or None,
        "hint": error.hint or None,
    }
