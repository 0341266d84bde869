"""Calls of `zfs/change/libzfs_core_child.py`: the argv and stdin of each, and its answers.

The request has one name per line, for display in a plan.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from zconsole.base.bounded_json import load_json
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.dataset_names import dataset_of
from zconsole.zfs.change import libzfs_core_child
from zconsole.zfs.change.dataset_argv import Argv

MOST_NAMES: Final = libzfs_core_child.MOST_NAMES
PROBE_TIMEOUT_S: Final = 30.0  # a slow machine under load needs time to start Python
PROGRAM: Final = libzfs_core_child.__file__
SNAPSHOT, DESTROY, SPACE, ROLLBACK, HOLD, RELEASE = (
    "snapshot", "destroy-snaps", "snaprange-space", "rollback-to", "hold", "release",
)  # fmt: skip
_SYSTEM: Final = "/usr/bin/python3"  # distributions package libzfs_core for it, matching the host's OpenZFS
_ISOLATED: Final = "-I"  # no PYTHONPATH, no user packages, nothing from the working directory
_TOOL: Final = "libzfs_core"


@dataclass(frozen=True, slots=True)
class CoreCall:
    """One call, of libzfs_core or of the equivalent command, which gets no stdin."""

    argv: Argv
    stdin: str | None = None


def ways() -> tuple[Argv, ...]:
    """The possible argv prefixes: the system's Python, and the one that runs zconsole."""
    return tuple(
        (python, _ISOLATED, PROGRAM) for python in dict.fromkeys((_SYSTEM, sys.executable)) if python
    )


def probe(way: Argv) -> Command:
    """Test whether libzfs_core works with this prefix; exit status 0 means yes."""
    return Command((*way, "probe"), timeout_s=PROBE_TIMEOUT_S)


def snapshot(way: Argv, names: Sequence[str], below: Sequence[str]) -> CoreCall:
    """Take snapshots in one txg; those in `below` are skipped while they are being received."""
    return _call(way, SNAPSHOT, {"snapshots": names, "below": below})


def destroy_snapshots(way: Argv, names: Sequence[str]) -> CoreCall:
    """Destroy snapshots of one pool, all or none, in one txg."""
    return _call(way, DESTROY, {"snapshots": names})


def snaprange_space(way: Argv, ranges: Sequence[tuple[str, str]]) -> CoreCall:
    """Space freed by ranges of snapshots, given as first and last; changes nothing."""
    return _call(way, SPACE, {"ranges": ranges})


def rollback_to(way: Argv, snapshot_name: str) -> CoreCall:
    """Roll a dataset back to its newest snapshot, provided that it is this one."""
    dataset = dataset_of(snapshot_name)
    return _call(way, ROLLBACK, {"dataset": dataset, "snapshot": snapshot_name})


def hold(way: Argv, tag: str, names: Sequence[str]) -> CoreCall:
    """Hold snapshots, all or none."""
    return _call(way, HOLD, {"tag": tag, "snapshots": names})


def release(way: Argv, tag: str, names: Sequence[str]) -> CoreCall:
    """Release a hold of snapshots that all have it."""
    return _call(way, RELEASE, {"tag": tag, "snapshots": names})


def is_call(argv: Sequence[str]) -> bool:
    """Whether this is one of these calls, with or without sudo."""
    return PROGRAM in argv[-2:-1]


def is_snaprange_space(argv: Sequence[str]) -> bool:
    """Whether this call determines the space that ranges of snapshots would free."""
    return is_call(argv) and argv[-1] == SPACE


def parse_space(text: str) -> int:
    """The bytes in its answer. Raises ParseError."""
    try:
        found: Any = load_json(_TOOL, text)
        size = found["bytes"] if found["done"] is True else None
    except (KeyError, TypeError) as error:
        raise ParseError(_TOOL, 1, text, "expected an answer in JSON") from error
    if isinstance(size, bool) or not isinstance(size, int) or not 0 <= size < 2**64:
        raise ParseError(_TOOL, 1, text, "expected bytes")
    return size


def _call(way: Argv, verb: str, request: Mapping[str, object]) -> CoreCall:
    return CoreCall((*way, verb), f"{json.dumps(request, indent=1)}\n")
