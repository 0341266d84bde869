"""The argv of sending a snapshot and receiving it. Nothing here runs one, and none of them has -F.

`-L -e -c` leave blocks as large and as compressed as they are, `-w` as encrypted. Properties are not sent
(`-p`, `-R`): a mountpoint of the sender would be mounted over what the receiver has. What is received is not
mounted (`-u`), a new copy is read-only, so that nothing but the next increment changes it, and what a receive
that was cut has got is kept (`-s`).
"""

from __future__ import annotations

from typing import Final

from zconsole.zfs.stream.syncoid_progress import PV_NUMBERS

Argv = tuple[str, ...]
TOKEN: Final = "receive_resume_token"  # noqa: S105  # the name of a property


def send(snapshot: str, *, base: str = "", is_raw: bool = False, intermediates: bool = False) -> Argv:
    """Send a snapshot; with a base only what came since that, with intermediates each snapshot between."""
    flags = ("-w",) if is_raw else ("-L", "-e", "-c")
    since = ("-I" if intermediates else "-i", base) if base else ()
    return ("zfs", "send", *flags, *since, snapshot)


def send_rest(token: str) -> Argv:
    """Send what is missing of a receive that was cut."""
    return ("zfs", "send", "-t", token)


def measure(sending: Argv) -> Argv:
    """What such a stream would come to. It sends nothing."""
    return (*sending[:2], "-nvP", *sending[2:])


def receive(dataset: str, *, is_new: bool = False) -> Argv:
    """Receive a stream that comes on stdin."""
    return ("zfs", "receive", "-s", "-u", *(("-o", "readonly=on") if is_new else ()), dataset)


def abort_receive(dataset: str) -> Argv:
    """Let go of what a receive that was cut has got."""
    return ("zfs", "receive", "-A", dataset)


def syncoid(source: str, target: str, *, is_new: bool = False, is_raw: bool = False) -> Argv:
    """Let syncoid of sanoid send a dataset's snapshots to another pool of its host.

    Without `--no-rollback` it receives with -F; without `--no-sync-snap` it takes a snapshot of its own.
    What goes by it counts in numbers, which are read as its progress.
    """
    raw = ("--sendoptions=w",) if is_raw else ()
    received = "u o readonly=on" if is_new else "u"
    kept = ("--no-sync-snap", "--no-rollback", PV_NUMBERS)
    return ("syncoid", *kept, *raw, f"--recvoptions={received}", source, target)
