"""Argv of `zfs send` and `zfs receive`. Nothing here runs one, and none has -F.

`-L -e -c` keep block sizes and compression, `-w` encryption. Properties are not sent (`-p`, `-R`), because a
received mountpoint could hide the receiver's file systems. The received dataset is not mounted (`-u`), a new
copy is read-only so that only the next increment changes it, and an interrupted receive keeps its data
(`-s`).
"""

from __future__ import annotations

from typing import Final

from zconsole.zfs.stream.syncoid_progress import PV_NUMBERS

Argv = tuple[str, ...]
TOKEN: Final = "receive_resume_token"  # noqa: S105  # the name of a property


def send(snapshot: str, *, base: str = "", is_raw: bool = False, intermediates: bool = False) -> Argv:
    """Send a snapshot; with a base as an increment, with `intermediates` including the snapshots between."""
    flags = ("-w",) if is_raw else ("-L", "-e", "-c")
    since = ("-I" if intermediates else "-i", base) if base else ()
    return ("zfs", "send", *flags, *since, snapshot)


def send_rest(token: str) -> Argv:
    """Resume an interrupted receive."""
    return ("zfs", "send", "-t", token)


def measure(sending: Argv) -> Argv:
    """Estimate the size of such a stream. It sends nothing."""
    return (*sending[:2], "-nvP", *sending[2:])


def receive(dataset: str, *, is_new: bool = False) -> Argv:
    """Receive a stream from stdin."""
    return ("zfs", "receive", "-s", "-u", *(("-o", "readonly=on") if is_new else ()), dataset)


def abort_receive(dataset: str) -> Argv:
    """Discard the data of an interrupted receive."""
    return ("zfs", "receive", "-A", dataset)


def syncoid(source: str, target: str, *, is_new: bool = False, is_raw: bool = False) -> Argv:
    """Run syncoid (of sanoid) to replicate a dataset to another pool of its host.

    `--no-rollback` avoids receive -F; `--no-sync-snap` avoids syncoid's own snapshot. Its progress output is
    set to numbers, which are parsed.
    """
    raw = ("--sendoptions=w",) if is_raw else ()
    received = "u o readonly=on" if is_new else "u"
    kept = ("--no-sync-snap", "--no-rollback", PV_NUMBERS)
    return ("syncoid", *kept, *raw, f"--recvoptions={received}", source, target)
