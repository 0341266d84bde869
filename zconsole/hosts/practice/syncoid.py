"""`syncoid` between two pools of the practice host, without a snapshot of its own or a rollback."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.hosts.practice.dataset import Dataset, Snapshot
from zconsole.hosts.practice.nice import nicebytes
from zconsole.hosts.practice.reply import Refusal, Reply, Sending
from zconsole.hosts.practice.world import World
from zconsole.hosts.practice.zfs.find import look_up
from zconsole.hosts.practice.zfs.receiving import receive
from zconsole.hosts.practice.zfs.sending import send

VERSION = "2.2.0"


def syncoid(world: World, args: Sequence[str]) -> Reply:
    """Answer `syncoid [options] SOURCE TARGET`."""
    if "--version" in args:
        return Reply(f"/usr/sbin/syncoid version {VERSION}\n")
    names = [word for word in args if not word.startswith("--")]
    if len(names) != 2:
        raise Refusal("Source or target not found!\n", 2)
    if "--no-sync-snap" not in args or "--no-rollback" not in args:
        raise Refusal("syncoid: the practice host does this only without a rollback\n")
    options = next((word.partition("=")[2] for word in args if word.startswith("--recvoptions=")), "")
    receiving = ["-s", *(["-u"] if "u" in options.split() else [])]
    if "readonly=on" in options:
        receiving += ["-o", "readonly=on"]
    sending = ["-w"] if "--sendoptions=w" in args else []
    return _sync(world, names[0], names[1], sending, receiving)


def _sync(world: World, source: str, target: str, sending: list[str], receiving: list[str]) -> Reply:
    found, there = look_up(world, source), look_up(world, target)
    if not isinstance(found, Dataset) or not found.snapshots:
        raise Refusal(
            f"CRITICAL ERROR: no snapshots exist on source {source}, and you asked for --no-sync-snap.\n", 1
        )
    said = ""
    base: Snapshot | None = None
    if isinstance(there, Dataset):
        known = {each.guid for each in there.snapshots}
        base = next((each for each in reversed(found.snapshots) if each.guid in known), None)
        if base is None:
            raise Refusal("CRITICAL ERROR: Target exists but has no snapshots matching with source!\n", 2)
    else:
        base = found.snapshots[0]
        said += f"INFO: Sending oldest full snapshot {base.full_name} (~ {nicebytes(base.referenced)})\n"
        _pass(world, [*sending, base.full_name], [*receiving, target])
    if base is not found.snapshots[-1]:
        said += f"INFO: Sending incremental {base.full_name} ... {found.snapshots[-1].name}\n"
        _pass(world, [*sending, "-I", f"@{base.name}", found.snapshots[-1].full_name], [*receiving, target])
    return Reply(said)


def _pass(world: World, sending: list[str], receiving: list[str]) -> None:
    """One stream, to its end."""
    given, taking = send(world, sending), receive(world, receiving)
    if isinstance(given, Reply):
        raise Refusal(given.stderr)
    if isinstance(taking, Reply):
        raise Refusal(taking.stderr)
    assert isinstance(given, Sending)  # noqa: S101 - a stream it is
    for chunk in given.chunks:
        if taking.feed(chunk) is not None:
            break
    reply = taking.end()
    if reply.status:
        raise Refusal(f"{reply.stderr}CRITICAL ERROR: zfs send | zfs receive failed: 256\n", 2)
