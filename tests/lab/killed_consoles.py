"""Consoles that move a guest and are killed (-9), one behind each kind of step.

Each plans what remains by the same command, begins to carry it out, and is killed once it has done a step of
a kind behind which none before it was killed, and has sent the one behind. The last step has none behind it:
there the console is killed once it has sent it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from tests.ui.terminal.tty import ROOT
from zconsole.model.journal import Entry, StepEntry
from zconsole.storage.journal import Journal, journal_path

PROGRAM: Final = (sys.executable, "-m", "tests.lab.patient_console")
APPLY_S: Final = 1200.0
LOOK_S: Final = 0.2  # between two looks into the journal
MOST: Final = 20  # consoles: there are eleven kinds of steps
SENT_IN_FULL: Final = {
    "send all of it (live)",
    "go on with what was interrupted (live)",
}  # one or both are done
_ON: Final = re.compile("^on [^ ]+: ")  # how the journal begins where a step is for the other host
_TAKEN: Final = re.compile("zconsole-move-[0-9]+-(live|off)")


@dataclass(slots=True)
class KilledConsoles:
    """Those of one move; `command` is what stands behind `zconsole plan`.

    Behind kinds of steps that begin with the words of `spared` none is killed.
    """

    command: tuple[str, ...]
    file: Path
    spared: tuple[str, ...] = ()
    killed_behind: list[str] = field(default_factory=list)
    words: str = ""  # of the last one

    def go_on(self) -> bool:
        """One more goes on; False once the move is done."""
        assert len(self.killed_behind) < MOST, self.killed_behind
        before = last_run()
        if not self.kill_when(lambda: bool(self._newly_done(before))):
            return False
        self.killed_behind.append(self._newly_done(before))
        return True

    def kill_when(self, condition: Callable[[], bool]) -> bool:
        """One more begins what remains, and is killed once this is so; False where nothing is left of it."""
        plan = self.plan()
        if ["already-there"] == [each["rule"] for each in plan["refusals"]]:
            return False  # the start that was sent has arrived
        with self._applying(plan) as running:
            when(running, condition)
            running.kill()
            self.words, _ = running.communicate(timeout=APPLY_S)
        assert running.returncode <= 0, self.words
        return running.returncode < 0

    def plan(self) -> dict[str, Any]:
        """What remains, also saved to the file."""
        ended = subprocess.run(
            [*PROGRAM, "plan", *self.command, "--json", "-o", str(self.file)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT, timeout=APPLY_S, check=False,
        )  # fmt: skip
        assert ended.stdout, ended.stderr
        plan: dict[str, Any] = json.loads(ended.stdout)
        return plan

    def _applying(self, plan: dict[str, Any]) -> subprocess.Popen[str]:
        assert not plan["refusals"], plan["refusals"]
        confirm = ("--confirm", plan["confirm"]) if plan["confirm"] else ()
        return subprocess.Popen(
            [*PROGRAM, "apply", str(self.file), *confirm],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
        )  # fmt: skip

    def _newly_done(self, before: Entry | None) -> str:
        """The kind of step that the present console was the first to do; an empty string so far."""
        run = last_run()
        if run is None or (before is not None and run.id == before.id):
            return ""
        for step, behind in pairwise(run.steps):
            if step.state == "done" and behind.sent is not None and self._is_new(step):
                return kind(step)
        last = run.steps[-1]
        return kind(last) if last.sent is not None and self._is_new(last) else ""

    def _is_new(self, step: StepEntry) -> bool:
        return kind(step) not in self.killed_behind and not kind(step).startswith(self.spared)


def kind(step: StepEntry) -> str:
    """What a step is for, and whether what it takes or sends is of the running guest, or of what it left."""
    taken = _TAKEN.search(step.settled_by)
    words = _ON.sub("", step.why).partition(":")[0]
    return f"{words} ({taken[1]})" if taken is not None else words


def last_run() -> Entry | None:
    """The newest entry of the journal."""
    journal = Journal(journal_path())
    try:
        return max(journal.entries(), key=lambda each: each.started, default=None)
    finally:
        journal.close()


def when(running: subprocess.Popen[str], condition: Callable[[], bool]) -> None:
    """Return once the condition holds, or the program has ended."""
    while not condition():
        with suppress(subprocess.TimeoutExpired):
            running.wait(LOOK_S)
            return
