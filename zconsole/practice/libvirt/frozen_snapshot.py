"""The console's script for a snapshot of frozen guests, on the practice host: its steps, in its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from zconsole.practice.libvirt.guest_agent import agent
from zconsole.practice.libvirt.guests import PracticeGuest
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.host_world import World
from zconsole.practice.zfs.set_inherit import set_properties
from zconsole.practice.zfs.snapshots import snapshot

MARK: Final = "zconsole-freeze:"
PROPERTY: Final = "org.zconsole:frozen-guests"
NO_SNAPSHOT, NOT_FROZEN, STILL_FROZEN = 4, 5, 6  # exit status
FREEZE_STATUS: Final = '{"execute":"guest-fsfreeze-status"}'
_HEAD: Final = 7  # -s --, deadline, libvirt, policy, property, number of guests


def frozen_snapshot(world: World, args: Sequence[str]) -> Reply | None:
    """Answer that script; None for another."""
    if tuple(args[:2]) != ("-s", "--") or len(args) < _HEAD or args[5] != PROPERTY:
        return None
    policy, count = args[4], int(args[6])
    named = [(args[_HEAD + 2 * at], args[_HEAD + 2 * at + 1]) for at in range(count)]
    argv = args[_HEAD + 2 * count :]
    guests = {uuid: next(each for each in world.guests if each.uuid == uuid) for uuid, _ in named}
    rows = [why for guest in guests.values() if (why := _why_not(guest))]
    asked = []
    if not rows or policy == "where-possible":
        unasked = {row.split()[1] for row in rows}
        asked = [guest for uuid, guest in guests.items() if uuid not in unasked]
        rows += [_froze(guest) for guest in asked]
    is_whole = not any(row.startswith("not-frozen") for row in rows)
    said = ""
    is_taken = False
    if is_whole or policy == "where-possible":
        taken = _attempt(lambda: snapshot(world, argv[2:]))
        said, is_taken = taken.stderr, taken.status == 0
    if is_taken:
        rows += [f"{'held' if guest.is_frozen else 'lost'} {guest.uuid}" for guest in asked]
    held = {row.split()[1] for row in rows if row.startswith("held")}
    rows += [_thawed(guest) for guest in asked]
    others = [uuid for uuid in guests if uuid not in held]
    rows += [f"crash {uuid}" for uuid in others]
    names = dict(named)
    if held and is_taken:
        value = ",".join(name for uuid, name in named if uuid in held)
        for word in (word for word in argv if "@" in word):
            set_properties(world, [f"{PROPERTY}={value}", word])
    stuck = any(row.startswith("stuck") for row in rows)
    listed = ", ".join(names[uuid] for uuid in others)
    status = 0
    if stuck:
        said += f"a guest may still be frozen: {listed}; the host tries to thaw it for 15m\n"
        status = STILL_FROZEN
    elif not is_taken and not is_whole and policy != "where-possible":
        said += "no snapshot was taken, because not every guest could be frozen; all are thawed\n"
        said += "".join(f"{row.split(' ', 2)[2]}\n" for row in rows if row.startswith("not-frozen"))
        status = NO_SNAPSHOT
    elif not is_taken:
        said, status = f"{said}no snapshot was taken; all guests are thawed\n", NO_SNAPSHOT
    elif others and policy != "where-possible":
        said += f"the snapshot was taken, and is only crash-consistent for {listed}\n"
        status = NOT_FROZEN
    return Reply("".join(f"{MARK} {row}\n" for row in rows), said, status)


def _why_not(guest: PracticeGuest) -> str:
    """The row of a guest that is not asked to freeze: frozen already, or its agent does not answer."""
    reply = _attempt(lambda: agent("qemu-agent-command", (FREEZE_STATUS,), guest, is_read_only=False))
    if reply.status:
        return f"not-frozen {guest.uuid} {' '.join(reply.stderr.split())}"
    if guest.is_frozen:
        return f"not-frozen {guest.uuid} its file systems are frozen already, by something else"
    return ""


def _froze(guest: PracticeGuest) -> str:
    reply = _attempt(lambda: agent("domfsfreeze", (), guest, is_read_only=False))
    if reply.status == 0 and guest.file_systems:
        return f"froze {guest.uuid} {guest.file_systems}"
    return f"not-frozen {guest.uuid} {' '.join((reply.stderr or reply.stdout).split())}"


def _thawed(guest: PracticeGuest) -> str:
    before = guest.file_systems if guest.is_frozen else 0
    reply = _attempt(lambda: agent("domfsthaw", (), guest, is_read_only=False))
    if not guest.is_frozen and (reply.status == 0 or guest.is_active):
        return f"thawed {guest.uuid} {before}"
    if not guest.is_active and not guest.has_saved_memory:
        return f"off {guest.uuid}"
    return f"stuck {guest.uuid} {' '.join(reply.stderr.split())}"


def _attempt(act: Callable[[], Reply]) -> Reply:
    try:
        return act()
    except Refusal as refusal:
        return refusal.reply
