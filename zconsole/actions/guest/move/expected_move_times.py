"""Times that a move of a guest's storage is expected to take, from how fast it is written.

Two snapshots are sent while the guest runs, and a third one while it is off. With W the rate of writing and V
that of sending, a dataset of S bytes takes S/V, and the first increment S/V * W/V. The last one, which the
guest waits for, has what was written meanwhile and during the shutdown: it takes W/V times that time. W is
the larger of what libvirt's counters tell of now and of the mean that `written` tells; V is not known before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.snapshots_of_moves import PREFIX
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.base.durations_in_words import estimated, lasting
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import MINUTE_S
from zconsole.model.dataset_names import short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import Guest
from zconsole.model.host.plan_facts import PlanFacts

FAST: Final = 100 * (1 << 20)  # bytes a second: a link of 1 Gbit/s, or a pool of disks
SLOW: Final = 25 * (1 << 20)  # the same over a slow cipher, or with small blocks
YOUNGEST_S: Final = 15 * MINUTE_S  # of a snapshot since when a mean tells something
COMMANDS_S: Final = 5.0  # of the steps behind the shutdown, and the look before each


@dataclass(frozen=True, slots=True)
class RemainingWork:
    """What is left of a move: bytes to send, the deadline of a shutdown, whether the guest is started."""

    to_send_bytes: int | None  # of a move that goes on the rest; None: not known, or nothing is sent
    shutdown_s: float | None  # None for a guest that is off
    starts: bool = True


@dataclass(frozen=True, slots=True)
class WriteRate:
    """How fast a guest writes, and how that is known."""

    bytes_per_s: float
    words: str


def tell_times(draft: Draft, guest: Guest, source: Dataset, facts: PlanFacts, work: RemainingWork) -> None:
    """How long what is to be sent takes, and how long the guest is off."""
    to_send, whole = work.to_send_bytes, source.referenced_bytes
    if to_send is None or not whole:
        return
    rest = "" if to_send == whole else f", about what remains of {size(whole)},"
    are = "are sent while it runs" if work.shutdown_s is not None else "are sent"
    taken = estimated(to_send / FAST, to_send / SLOW)
    told = f"{size(to_send)}{rest} {are} in {taken}: at {size(SLOW)}/s to {size(FAST)}/s, which is assumed"
    if work.shutdown_s is None:
        stays = f"until the last step: {taken}" if work.starts else "and this plan does not start it"
        draft.downtime += [f"{guest.name} is off already, {stays}", told]
        return
    beside = f"{guest.name}'s own shutdown (at most {lasting(work.shutdown_s)})"
    after = "its boot" if work.starts else "the time until it is started: this plan does not start it"
    rates = write_rates(guest, source, facts)
    if not rates:
        draft.downtime += [
            f"not known, beside {beside} and {after}",
            f"neither libvirt's counters nor a snapshot of {source.name} tell how fast it is written",
            told,
        ]
        return
    rate = rates[0].bytes_per_s
    if rate >= FAST:
        draft.warnings.append(f"{rates[0].words}: the increments do not become smaller")
    draft.downtime += [f"{_time_off(to_send, rate, work.shutdown_s)}, beside {beside} and {after}"]
    draft.downtime.append("; ".join(each.words for each in rates))
    draft.downtime.append(told)


def _time_off(to_send: int, rate: float, shutdown_s: float) -> str:
    """How long the last increment takes, and the commands behind it, in words."""
    if rate >= FAST:
        return "not known: what it writes meanwhile is not sent faster than it writes"
    least_s = rate / FAST * (to_send / FAST * rate / FAST)
    if rate >= SLOW:
        return f"{estimated(least_s, least_s + shutdown_s)} or much more, by how fast the data is sent"
    return estimated(least_s, rate / SLOW * (to_send / SLOW * rate / SLOW + shutdown_s) + COMMANDS_S)


def write_rates(guest: Guest, source: Dataset, facts: PlanFacts) -> tuple[WriteRate, ...]:
    """What is known of how fast a guest writes to a dataset, the larger rate first."""
    snapshots = snapshots_of(source.name, facts.datasets)
    known = (_rate_now(guest, source), _mean_rate(source, snapshots, facts.taken_at))
    return tuple(sorted(filter(None, known), key=lambda each: -each.bytes_per_s))


def _rate_now(guest: Guest, source: Dataset) -> WriteRate | None:
    """What its disks on the dataset are written at, by libvirt's counters."""
    rates = [
        disk.rates
        for disk in guest.disks
        if disk.is_written and any(source.name in image.places for image in disk.images[:1])
    ]
    known = [each for each in rates if each is not None and each.written_bytes_per_s is not None]
    if not known or len(known) < len(rates):
        return None
    written = sum(each.written_bytes_per_s or 0.0 for each in known)
    over = lasting(max(1.0, min(each.seconds for each in known)))
    words = f"{guest.name} writes {size(int(written))}/s now, by libvirt's counters over {over}"
    return WriteRate(written, words)


def _rounded(seconds: float) -> float:
    """Whole minutes, of what lasts some."""
    return seconds if seconds < 2 * MINUTE_S else seconds // MINUTE_S * MINUTE_S


def _mean_rate(source: Dataset, snapshots: Sequence[Dataset], now: float) -> WriteRate | None:
    """What it was written at since a snapshot of some age, none of a move; else since the oldest."""
    dated = [
        (each, age_s)
        for each in snapshots
        if each.creation is not None and not short_of(each.name).startswith(PREFIX)
        if (age_s := now - each.creation) > 0
    ]
    if not dated:
        return None
    since, age_s = next((each for each in reversed(dated) if each[1] >= YOUNGEST_S), dated[0])
    newer = snapshots[snapshots.index(since) + 1 :]
    written = [source.written_bytes, *(each.written_bytes for each in newer)]
    if None in written:
        return None
    rate = sum(each or 0 for each in written) / age_s
    words = (
        f"{source.name} was written at {size(int(rate))}/s on average over {lasting(_rounded(age_s))}, "
        f"since @{short_of(since.name)}"
    )
    return WriteRate(rate, words)
