"""`zconsole journal`: what was done from here, and what became of it."""

from __future__ import annotations

from zconsole.cli.requests import ReadJournal
from zconsole.reports.json.document import as_line
from zconsole.reports.text.journal import entry_document, entry_lines
from zconsole.storage.journal import Journal


def run_journal(asked: ReadJournal) -> int:
    """Print the last runs, oldest first. Raises JournalError when the journal cannot be read."""
    journal = Journal()
    try:
        for entry in journal.entries(host=asked.host, most=asked.most):
            if asked.is_json:
                print(as_line(entry_document(entry)))
            else:
                for line in entry_lines(entry):
                    print(line)
    finally:
        journal.close()
    return 0
