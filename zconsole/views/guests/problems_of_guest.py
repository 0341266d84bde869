"""What is wrong with a guest, and what ends it: its state, missing images, disks that two guests have."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.guests.broken_chain_of_images import broken_chain
from zconsole.analysis.guests.disks_shared_by_guests import DiskOfTwoGuests, shared_disks_of
from zconsole.analysis.guests.where_to_free_space import (
    NO_SPACE,
    ROOM_BYTES,
    bytes_left,
    dataset_to_look_at,
    where_to_free,
)
from zconsole.base.fixed_width_formatting import size
from zconsole.model.dataset_names import pool_of
from zconsole.model.guests.guest import Guest, GuestState, word_for
from zconsole.model.host.host_state import HostState
from zconsole.views.layout.screen_key_registry import key_of
from zconsole.views.layout.styled_text import EMPTY, Line, line

SHARED: Final = "⇄"  # before what a disk is on that another guest has too


def problems(
    guest: Guest,
    among: Sequence[Guest] = (),
    *,
    where: str | None = None,
    state: HostState | None = None,
) -> Iterator[Line]:
    """Everything that is wrong with a guest, and what ends it; `among` are all guests of its host.

    `state` is that of its host, by which it is known what is left where its disks are. What ends a problem is
    named by the keys of a screen, or by commands, with `where` as the words for its host.
    """
    if guest.status.is_paused_by_io_error:
        failed = [f"{each.error} for {each.disk.target}" for each in guest.disks if each.error]
        words = f"paused by an I/O error{': ' if failed else ''}{', '.join(failed)}"
        yield line((f"✗ {words}", "bad"))
        yield _quota_first(guest, state) or _way_on(guest, among, where, bytes_left(guest, state))
    elif guest.status.state is GuestState.CRASHED:
        yield line(("✗ crashed; its process is there, and has its disks open: virsh destroy ends it", "bad"))
    if guest.unread:
        yield line((f"not looked at: {guest.unread}; what it has is not known", "warn"))
    for disk, path in guest.missing:
        words = "it was there when it started" if guest.status.state.is_active else "it cannot start"
        yield line((f"✗ {disk.disk.target}: {path} does not exist: {words}", "bad"))
    for disk, path in guest.without_medium:
        yield line((f"{disk.disk.target}: {path} does not exist: it starts without (startupPolicy)", "dim"))
    for disk in guest.disks:
        if why := broken_chain(disk):
            words = "found so after it started" if guest.status.state.is_active else "it cannot start"
            yield line((f"✗ {disk.disk.target}: {why}: {words}", "bad"))
    for pair in shared_disks_of(guest, among):
        yield _shared_words(guest, pair)
    for disk in guest.disks:
        for each in disk.images:
            if each.image.is_corrupt:
                yield line((f"✗ {disk.disk.target}: {each.image.path} is marked corrupt", "bad"))


def _quota_first(guest: Guest, state: HostState | None) -> Line:
    """That a quota is what leaves a paused guest little, in a pool that has space; nothing otherwise."""
    place, left = dataset_to_look_at(guest), bytes_left(guest, state)
    known = None if state is None or not place else state.pool(pool_of(place))
    pool = None if known is None else known.pool.value
    if left is None or left >= ROOM_BYTES or pool is None or (pool.usable_available_bytes or 0) < ROOM_BYTES:
        return EMPTY
    return line(
        f"A quota leaves {size(left)} for {place}, its pool has more: raise the quota (zfs get "
        f"quota,refquota {shlex.quote(place)} shows it), or free space below it; then resume the guest"
    )


def _way_on(guest: Guest, among: Sequence[Guest], where: str | None, left: int | None) -> Line:
    """What is done, by the reason and by what is `left` for its disks."""
    if left is None or left < ROOM_BYTES:
        return _free_first(guest, among, where)
    resume = _command("zconsole plan guest-resume", where or "", word_for(guest, among))
    then = (f"resume it ({key_of('resume_guest')})", "key") if where is None else resume
    errors = [each.error for each in guest.disks if each.error]
    if NO_SPACE in errors:
        return line("There is space now: ", then)
    cause = "It is not for want of space" if errors else "If it was for want of space, there is some now"
    return line(f"{cause} ({size(left)} left): see zpool status, and mend the pool if it is ill; then ", then)


def _free_first(guest: Guest, among: Sequence[Guest], where: str | None) -> Line:
    """What is done before a paused guest is resumed, by keys, or by commands with the words for its host."""
    if where is not None:
        return line(
            f"Free space ({_command('zconsole reclaim', _place(guest), where)}), or mend the "
            f"pool; then {_command('zconsole plan guest-resume', where, word_for(guest, among))}"
        )
    return line(
        (f"Free space ({key_of('reclaim')})", "key"),
        f", see what holds it ({key_of('guest_dataset')}), or mend the pool; then ",
        (f"resume it ({key_of('resume_guest')})", "key"),
    )


def _command(*words: str) -> str:
    return " ".join(filter(None, words))


def _place(guest: Guest) -> str:
    """Where space is to be freed for a guest, as a word of a shell."""
    return shlex.quote(where_to_free(guest) or "DATASET")


def _shared_words(guest: Guest, pair: DiskOfTwoGuests) -> Line:
    """`⇄ vda: a disk of web02 too, both running: they destroy its file system`."""
    is_first = guest.definition.address == pair.guest.definition.address
    other = pair.other if is_first else pair.guest
    if pair.is_of_one_guest:
        what = f"{pair.path} is its {pair.target} and its {pair.second_target}"
        then = "QEMU does not start a guest with one disk twice"
    elif not pair.is_below:
        what = f"{pair.path} is a disk of {other.name} too"
        then = "both running, they destroy its file system" if pair.is_running else "never start both"
    elif is_first:
        what = f"{pair.path} is the backing file of a disk of {other.name}"
        then = f"what {guest.name} writes damages that disk"
    else:
        what = f"the backing file {pair.path} is a disk of {other.name}"
        then = f"what {other.name} writes damages the disk above it"
    return line((f"{SHARED} {what}: {then}", "bad" if pair.is_running else "warn"))
