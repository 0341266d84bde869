"""A run in the journal as JSON is as it is documented."""

from __future__ import annotations

import json

from tests.reports.entries import ENTRY
from tests.reports.schema import JOURNAL, mismatch
from zconsole.reports.json.journal import entry_document
from zconsole.reports.json.json_line import as_line


def test_the_document_is_as_it_is_documented() -> None:
    assert "" == mismatch(json.loads(as_line(entry_document(ENTRY))), JOURNAL)
