"""The real program begins each exercise with its trouble."""

from __future__ import annotations

import pytest

from tests.ui.terminal.tty import Tty
from zconsole.model.exercise_names import EXERCISES
from zconsole.ui.key_filter import QUIET_S

TROUBLE = {
    "failed-disk": "tank: no redundancy left in mirror-0",
    "slow-disk": "tank: ZC13A1JN",
    "wrong-disk-pulled": "tank: no redundancy left in raidz2-0",
    "second-failure": "tank: DEGRADED",
    "new-disk-too-small": "tank: ZC13A01K has 7 read errors",
    "cable": "tank: 4 disks (bays 5-8) have errors",
    "full-pool": "tank: 100% of ",
}
STANDS = {"full-pool": "mail01 and shop01 do not run; tank has 0 B free."}
SERVING = {"slow-disk", "new-disk-too-small", "cable"}  # no vdev has lost redundancy yet


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("name", list(EXERCISES))
def test_an_exercise_begins_with_its_trouble(name: str) -> None:
    with Tty("zconsole", f"--demo={name}", size=(132, 36)) as tty:
        tty.until_shown(f"Exercise {name}")
        tty.read(
            QUIET_S + 0.5
        )  # a dialog that opens by itself takes no key until it has been there for a while
        tty.type("\r")
        tty.until(lambda shown: TROUBLE[name] in shown.screen.display[0])
        tty.type("\x11")

        assert 0 == tty.wait(20)
        stands = STANDS.get(name) or f"tank {_of_disks(name)}"
        assert f"Exercise {name}: {stands}" in tty.sent.decode()


def _of_disks(name: str) -> str:
    """How the redundancy stands at the beginning."""
    if name in SERVING:
        return "has its redundancy; 1 left to do."
    return "is not fully redundant yet."
