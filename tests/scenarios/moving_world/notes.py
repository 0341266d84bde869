"""What a walked program wrote down: the screens it opened, what changed its hosts, and its journal."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from zconsole.model.journal import Entry
from zconsole.storage.journal import Journal

NOTES: Final = "notes.jsonl"
JOURNAL: Final = "journal.sqlite"


@dataclass(slots=True)
class Noted:
    """All of one program."""

    screens: Counter[str] = field(default_factory=Counter)
    changes: list[str] = field(default_factory=list)  # what ran, or what a pool says that ran
    journal: tuple[Entry, ...] = ()

    @property
    def runs(self) -> int:
        """How many the journal has."""
        return len(self.journal)


def read_notes(folder: Path) -> Noted:
    """What is in a folder."""
    found = Noted()
    path = folder / NOTES
    for row in path.read_text("utf-8").splitlines() if path.exists() else ():
        note: Mapping[str, object] = json.loads(row)
        if "screen" in note:
            found.screens[str(note["screen"])] += 1
        elif "ran" in note and isinstance(note["ran"], list):
            found.changes.append(shlex.join(map(str, note["ran"])))
        elif "history" in note:
            found.changes.append(str(note["history"]))
    if (folder / JOURNAL).exists():
        found.journal = Journal(folder / JOURNAL).entries(most=100_000)
    return found


def unconfirmed(found: Noted) -> list[str]:
    """The changes that belong to no step of a run in the journal."""
    steps = [step for entry in found.journal for step in entry.steps]
    known = {shlex.join(argv) for step in steps for argv in (step.argv, step.sent_argv) if argv}
    known |= {" ".join(argv) for step in steps for argv in (step.argv, step.sent_argv) if argv}
    return [change for change in found.changes if change not in known]
