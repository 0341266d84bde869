"""A run in the journal, as tests of what is said of it take it."""

from __future__ import annotations

import json

from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import RunState

ENTRY = Entry(
    "0a1b", 1_795_232_471.0, "boot:1:2", "root", "anna@laptop from 192.0.2.7", "storage1", "scrub",
    json.dumps({"action": "scrub", "target": "tank", "arguments": [], "options": {}}),
    "scrub tank", "tank", "routine", "f" * 64, RunState.DONE, "done", 1_795_232_472.0,
    undo="zpool scrub -s tank",
    steps=(StepEntry(("zpool", "scrub", "tank"), "scrub tank", state="done", status=0),),
)  # fmt: skip
