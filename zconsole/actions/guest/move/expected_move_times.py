"""Times that a move of a guest's storage is expected to take, from what was written to it before.

Two snapshots are sent while the guest runs, and a third one while it is off. With W the mean rate at which
the dataset was written since its newest snapshot and V the rate of sending, a dataset of S bytes takes S/V,
the first increment S/V * W/V, and the last one, which the guest waits for, S/V * (W/V)^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.base.durations_in_words import lasting
from zconsole.base.fixed_width_formatting import size
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import Dataset

ASSUMED: Final = 100 * (1 << 20)  # bytes a second: a link of 1 Gbit/s, or a pool of disks


@dataclass(frozen=True, slots=True)
class RemainingWork:
    """What is left to do of a move: bytes to send, and the deadline of a shutdown."""

    to_send_bytes: int | None  # of a move that goes on the rest; None: not known, or nothing is sent
    shutdown_s: float | None  # None for a guest that is off


def tell_times(
    draft: Draft, source: Dataset, snapshots: Sequence[Dataset], now: float, work: RemainingWork
) -> None:
    """How long what is to be sent takes, and how long the guest is off."""
    to_send, shutdown_s, whole = work.to_send_bytes, work.shutdown_s, source.referenced_bytes
    if to_send is None or not whole:
        return
    whole_s = to_send / ASSUMED
    rest = "" if to_send == whole else f", about what remains of {size(whole)},"
    draft.notes.append(
        f"at {size(ASSUMED)}/s, which is assumed and not measured, {size(to_send)}{rest} are sent "
        f"in {lasting(max(1.0, whole_s))}"
    )
    newest = snapshots[-1] if snapshots else None
    if shutdown_s is None:
        return
    if newest is None or newest.creation is None or source.written_bytes is None or newest.creation >= now:
        draft.notes.append(
            f"how long the guest is off is not known: {source.name} has no snapshot that tells how fast it "
            "is written"
        )
        return
    rate = source.written_bytes / (now - newest.creation)
    since = f"{source.name} was written at {size(int(rate))}/s on average since @{short_of(newest.name)}"
    if rate >= ASSUMED:
        draft.warnings.append(f"{since}: the increments do not become smaller")
        return
    last_s = whole_s * (rate / ASSUMED) ** 2
    draft.notes.append(
        f"{since}: at that rate the last increment is about {size(int(last_s * ASSUMED))}. Expected "
        f"downtime: {lasting(max(1.0, last_s))} for it, beside the shutdown (at most {lasting(shutdown_s)}) "
        "and the start"
    )
