"""`zconsole journal`: runs of this account and their outcomes."""

from __future__ import annotations

import argparse
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.cli.json_output import json_output
from zconsole.cli.options import JsonForm, Parser, add_json_or_lines, count
from zconsole.cli.subcommand import Subcommand
from zconsole.reports.json.journal import entry_document
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.storage.journal import Journal
from zconsole.views.changes.journal import document, nothing_carried_out


@dataclass(frozen=True, slots=True)
class JournalRequest:
    """`zconsole journal`."""

    host: str | None = None
    most: int = 1
    json: JsonForm | None = None
    is_full: bool = False


LAST: Final = 20  # runs printed by default


def run_journal(asked: JournalRequest) -> int:
    """Print the last runs, oldest first. Raises JournalError when the journal cannot be read."""
    journal = Journal()
    try:
        entries = journal.entries(host=asked.host, most=asked.most)
        if asked.json:
            with json_output(asked.json, "runs", is_one=False) as put:
                for entry in entries:
                    put(entry_document(entry))
            return 0
        if not entries:
            for line in printed(nothing_carried_out(asked.host)):
                print(line)
        for entry in entries:
            for line in printed(document(entry, is_full=asked.is_full)):
                print(line)
    finally:
        journal.close()
    return 0


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--host", metavar="HOST", help="only of this machine, by whatever name it was reached"
    )
    parser.add_argument("--last", type=count, default=LAST, metavar="N", help="only the last N (20)")
    parser.add_argument("--full", action="store_true", help="everything known of each, with all names")
    add_json_or_lines(parser, "with its `runs`", "run")


def _read(found: argparse.Namespace) -> JournalRequest:
    return JournalRequest(found.host, found.last, found.json, found.full)


SUBCOMMAND: Final = Subcommand(
    "journal",
    "Print the runs of this account, oldest first. No host is asked.",
    _add_arguments,
    _read,
    lambda asked, _config: run_journal(asked),
)
