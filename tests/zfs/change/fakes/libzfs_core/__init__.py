"""A libzfs_core that keeps its pools in state.json beside it: as strict about types as the real one.

    {"snapshots": {"tank/a@1": {"holds": {"keep": 1}, "is_cloned": false, "bytes": 0}},
     "datasets": ["tank", "tank/a"], "receiving": [], "broken": {"lzc_hold": "AttributeError"}}

A function in `broken` does its work and then fails, as `lzc_hold` of PyPI's pyzfs 0.2.3 does under Python 3.
"""

from __future__ import annotations

import builtins
import json
from pathlib import Path
from typing import Any

from . import exceptions

STATE = Path(__file__).with_name("state.json")


def _read() -> dict[str, Any]:
    return json.loads(STATE.read_text())


def _write(state: dict[str, Any], function: str) -> None:
    STATE.write_text(json.dumps(state))
    if function in state["broken"]:
        raise getattr(builtins, state["broken"][function])("'dict' object has no attribute 'iteritems'")


def _texts(names: Any) -> list[str]:
    assert all(type(name) is bytes for name in names)
    return [name.decode() for name in names]


def _failed(kind: str, errors: list[Exception]) -> None:
    if errors:
        raise getattr(exceptions, kind)(errors, 0)


def lzc_exists(name: bytes) -> bool:
    (text,) = _texts([name])
    state = _read()
    if state["broken"].get("lzc_exists"):
        raise OSError(state["broken"]["lzc_exists"])
    return text in state["datasets"] or text in state["snapshots"]


def lzc_snapshot(snaps: list[bytes], props: None = None) -> None:
    state, errors = _read(), []
    for name in _texts(snaps):
        base = name.partition("@")[0]
        if name in state["snapshots"]:
            errors.append(exceptions.SnapshotExists(name.encode()))
        elif base not in state["datasets"]:
            errors.append(exceptions.FilesystemNotFound(name.encode()))
        elif base in state["receiving"]:
            errors.append(exceptions.DatasetBusy(name.encode()))
    if state.get("refuses_all"):
        errors = [exceptions.ZFSGenericError(state["refuses_all"], None, "Failed to create snapshot")]
    _failed("SnapshotFailure", errors)
    state["snapshots"].update({name: {"holds": {}, "bytes": 0} for name in _texts(snaps)})
    _write(state, "lzc_snapshot")


def lzc_destroy_snaps(snaps: list[bytes], defer: bool) -> None:
    assert defer is False
    state, errors = _read(), []
    for name in _texts(snaps):
        found = state["snapshots"].get(name, {})
        if found.get("holds"):
            errors.append(exceptions.SnapshotIsHeld(name.encode()))
        elif found.get("is_cloned"):
            errors.append(exceptions.SnapshotIsCloned(name.encode()))
    if state.get("more_errors"):
        errors.append(exceptions.ZFSGenericError(state["more_errors"], b"N_MORE_ERRORS", ""))
    _failed("SnapshotDestructionFailure", errors)
    for name in _texts(snaps):
        state["snapshots"].pop(name, None)
    _write(state, "lzc_destroy_snaps")


def lzc_snaprange_space(firstsnap: bytes, lastsnap: bytes) -> int:
    first, last = _texts([firstsnap, lastsnap])
    ordered = [each for each in _read()["snapshots"] if each.partition("@")[0] == last.partition("@")[0]]
    if last not in ordered:
        raise exceptions.SnapshotNotFound(lastsnap)
    if first not in ordered or ordered.index(first) > ordered.index(last):
        raise exceptions.SnapshotMismatch(lastsnap)
    part = ordered[ordered.index(first) : ordered.index(last) + 1]
    return sum(_read()["snapshots"][each]["bytes"] for each in part)


def lzc_rollback_to(name: bytes, snap: bytes) -> None:
    dataset, snapshot = _texts([name, snap])
    state = _read()
    ordered = [each for each in state["snapshots"] if each.partition("@")[0] == dataset]
    if snapshot not in ordered:
        raise exceptions.SnapshotNotFound(name)
    if snapshot != ordered[-1]:
        raise exceptions.SnapshotNotLatest(snap)
    state["rolled_back"] = snapshot
    _write(state, "lzc_rollback_to")


def lzc_hold(holds: dict[bytes, bytes], fd: None = None) -> list[bytes]:
    state = _read()
    named = {name.decode(): tag.decode("utf-8", "surrogateescape") for name, tag in holds.items()}
    present = {name: tag for name, tag in named.items() if name in state["snapshots"]}
    taken = [name for name, tag in present.items() if tag in state["snapshots"][name]["holds"]]
    _failed("HoldFailure", [exceptions.HoldExists(name.encode()) for name in taken])
    for name, tag in present.items():
        state["snapshots"][name]["holds"][tag] = 1
    _write(state, "lzc_hold")
    return [name.encode() for name in (*state.get("vanish", ()), *named) if name not in present]


def lzc_release(holds: dict[bytes, list[bytes]]) -> list[bytes]:
    state = _read()
    tags = [(name.decode(), tag.decode("utf-8", "surrogateescape")) for name in holds for tag in holds[name]]
    missing = [
        f"{name}#{tag}".encode()
        for name, tag in tags
        if state["snapshots"][name]["holds"].pop(tag, None) is None
    ]
    _write(state, "lzc_release")
    return [*missing, *(name.encode() for name in state.get("vanish", ()))]


def lzc_get_holds(snapname: bytes) -> dict[bytes, int]:
    (name,) = _texts([snapname])
    state = _read()
    if name not in state["snapshots"]:
        raise exceptions.SnapshotNotFound(snapname)
    holds = state["snapshots"][name]["holds"]
    return {tag.encode("utf-8", "surrogateescape"): since for tag, since in holds.items()}
