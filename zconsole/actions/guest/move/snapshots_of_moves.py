"""Snapshots of moves: their names, and what they tell of a move that was begun.

They are called `zconsole-move-N-live` while the guest runs and `-off` when it is shut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.actions.guest.move.move_progress import written_since
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.base.bounded_int import natural
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import Dataset

PREFIX: Final = "zconsole-move-"
LIVE, OFF = "live", "off"
_NAME: Final = re.compile(rf"{PREFIX}([0-9]{{1,6}})-({LIVE}|{OFF})", re.ASCII)


def next_number(shorts: Iterable[str]) -> int:
    """One more than any snapshot of a move has, on either side."""
    found = (_NAME.fullmatch(short) for short in shorts)
    return 1 + max((natural(each[1]) or 0 for each in found if each is not None), default=0)


def is_of_running_guest(short: str) -> bool:
    """Whether a move took the snapshot with this short name while the guest ran."""
    found = _NAME.fullmatch(short)
    return found is not None and found[2] == LIVE


def has_live(name: str, datasets: Sequence[Dataset]) -> bool:
    """Whether a dataset has a snapshot of a running guest: whether that ran when the move to it began."""
    return any(is_of_running_guest(short_of(each.name)) for each in snapshots_of(name, datasets))


def begun_with(source: Dataset, datasets: Sequence[Dataset]) -> tuple[str, str] | None:
    """The snapshot of a running guest with which a move from here was begun last, and its newest one.

    None where none was, or where the guest was written since it was shut off: it ran since. Of the snapshots
    of a guest that is off each but the first has nothing: a move planned again takes one more.
    """
    snapshots = snapshots_of(source.name, datasets)
    moves = [each for each in snapshots if _NAME.fullmatch(short_of(each.name))]
    if not moves:
        return None
    newest = moves[-1]
    is_live = is_of_running_guest(short_of(newest.name))
    if not is_live and written_since(source, short_of(newest.name), snapshots) != 0:
        return None
    first = ""
    for at in reversed(range(len(moves))):
        if is_of_running_guest(short_of(moves[at].name)):
            first = moves[at].name
        elif first:
            break
        elif at and not is_of_running_guest(short_of(moves[at - 1].name)) and moves[at].written_bytes:
            return None
    return (first, newest.name) if first else None
