"""`syncoid` between two pools of the practice host, without a snapshot of its own or a rollback."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zconsole.practice.program_reply import Refusal, Reply, Sending
from zconsole.practice.send_receive.receive import receive
from zconsole.practice.send_receive.send import send
from zconsole.practice.world.datasets import PracticeDataset, Snapshot
from zconsole.practice.world.host_world import World
from zconsole.practice.zfs.dataset_lookup import look_up

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
    reply = _sync(world, names[0], names[1], sending, receiving)
    return reply if "--pv-options=-n -b" in args else replace(reply, stderr="")


def _sync(world: World, source: str, target: str, sending: list[str], receiving: list[str]) -> Reply:
    found, there = look_up(world, source), look_up(world, target)
    if not isinstance(found, PracticeDataset) or not found.snapshots:
        raise Refusal(
            f"CRITICAL ERROR: no snapshots exist on source {source}, and you asked for --no-sync-snap.\n", 1
        )
    said, counted = "", ""
    base: Snapshot | None = None
    if isinstance(there, PracticeDataset):
        known = {each.guid for each in there.snapshots}
        base = next((each for each in reversed(found.snapshots) if each.guid in known), None)
        if base is None:
            raise Refusal("CRITICAL ERROR: Target exists but has no snapshots matching with source!\n", 2)
    else:
        base = found.snapshots[0]
        passed = _pass(world, [*sending, base.full_name], [*receiving, target])
        about = readablebytes(passed[-1])
        said += f"INFO: Sending oldest full snapshot {base.full_name} (~ {about}) to new target filesystem:\n"
        counted += "".join(f"{each}\n" for each in passed)
    newest = found.snapshots[-1]
    if base is not newest:
        passed = _pass(world, [*sending, "-I", f"@{base.name}", newest.full_name], [*receiving, target])
        about = readablebytes(passed[-1])
        doing = (
            "Sending" if isinstance(there, PracticeDataset) else "INFO: Updating new target filesystem with"
        )
        said += f"{doing} incremental {base.full_name} ... {newest.name} (~ {about}):\n"
        counted += "".join(f"{each}\n" for each in passed)
    return Reply(said, counted)


def readablebytes(count: int) -> str:
    """As syncoid writes sizes: `12 KB`, `60.1 MB`, `1.5 GB`."""
    if count > 1 << 30:
        return f"{count / (1 << 30):.1f} GB"
    return f"{count / (1 << 20):.1f} MB" if count > 1 << 20 else f"{count // 1024} KB"


def _pass(world: World, sending: list[str], receiving: list[str]) -> list[int]:
    """One stream, to its end: the bytes that went by at half of it, and at its end."""
    given, taking = send(world, sending), receive(world, receiving)
    if isinstance(given, Reply):
        raise Refusal(given.stderr)
    if isinstance(taking, Reply):
        raise Refusal(taking.stderr)
    assert isinstance(given, Sending)  # noqa: S101 - a stream it is
    passed = 0
    for chunk in given.chunks:
        passed += len(chunk)
        if taking.feed(chunk) is not None:
            break
    reply = taking.end()
    if reply.status:
        raise Refusal(f"{reply.stderr}CRITICAL ERROR: zfs send | zfs receive failed: 256\n", 2)
    return [passed // 2, passed]
