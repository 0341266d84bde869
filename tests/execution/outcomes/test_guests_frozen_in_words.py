"""What a run says of its guests is what the script has seen, and no more."""

from __future__ import annotations

import pytest

from zconsole.execution.outcomes.guests_frozen_in_words import guests_frozen_in_words
from zconsole.model.run import Run, RunState, StepRun
from zconsole.system.libvirt.frozen_snapshot_script import MARK, FrozenSnapshot, frozen_snapshot_argv

WEB = "8f14e45f-ceea-467f-a0e0-000000000001"
THAW = f"virsh -c qemu:///system domfsthaw {WEB}"
ARGV = frozen_snapshot_argv(FrozenSnapshot(10, ((WEB, "web01"),), ("zfs", "snapshot", "tank@a")))


def told(*rows: str, state: str = "done", argv: tuple[str, ...] = ARGV) -> str:
    said = "\n".join(f"{MARK} {row}" for row in rows)
    step = StepRun(argv, state, said=said, started=1.0)
    return guests_frozen_in_words(Run("1", "nas", "snapshot", "tank@a", RunState.DONE, (step,)))


@pytest.mark.parametrize(
    ("rows", "state", "words"),
    [
        ((f"froze {WEB} 2", f"held {WEB}", f"thawed {WEB} 2"), "done",
         "the file systems of web01 were frozen for it, and are thawed"),
        ((f"not-frozen {WEB} error: busy", f"crash {WEB}"), "done",
         "it is only crash-consistent for web01: error: busy"),
        ((), "done",
         "for which guests it is consistent was not seen: its property org.zconsole:frozen-guests tells"),
        ((f"froze {WEB} 2", f"stuck {WEB} error: x", f"crash {WEB}"), "failed",
         ("web01 may still be frozen: resume it if it is paused, start it if its memory was saved, then "
         f"{THAW}")),
        ((f"froze {WEB} 2", f"stuck {WEB} error: x", f"thawed {WEB} 0", f"crash {WEB}"), "failed", ""),
    ],
)  # fmt: skip
def test_each_outcome_is_told(rows: tuple[str, ...], state: str, words: str) -> None:
    assert words == told(*rows, state=state)


def test_another_run_says_nothing() -> None:
    assert "" == told(argv=("zfs", "snapshot", "tank@a"))
