"""libzfs_core in a short-lived child: `python3 -m zconsole.zfs.change.libzfs_core_child VERB`, by JSON.

The program is this one file and imports nothing of zconsole, because it runs in whichever Python has
libzfs_core, often the system's (Debian: python3-pyzfs) and older than zconsole's. It is started by path and
with -I, so that neither environment nor working directory decides what root imports.

    probe                                                     {"done": true, "python": "3.13.5"}
    snapshot         {"snapshots": [...], "below": [...]}     {"done": true, "left_out": [...]}
    destroy-snaps    {"snapshots": [...]}                     {"done": true}
    snaprange-space  {"ranges": [[FIRST, LAST], ...]}         {"done": true, "bytes": 4096}
    rollback-to      {"dataset": NAME, "snapshot": NAME}      {"done": true}
    hold, release    {"tag": TAG, "snapshots": [...]}         {"done": true}

Snapshots have full names in one pool; a verb applies to all of them or to none. Those in `below`, which a
recursive snapshot includes, are left out while a receive is in progress, as by `zfs snapshot -r`.

Exit status: 0 done; 1 refused by ZFS; 2 invalid request; 3 libzfs_core does not work here. Then `done` is
false, `errors` has {"name", "error", "errno", "said"} per object, and stderr has `said`, worded like zfs.
When the library does not report whether ZFS did it, the child kills itself: the missing exit status makes the
caller read the facts.
"""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

DONE, REFUSED, MALFORMED, UNAVAILABLE = range(4)  # exit status
MOST_BYTES = 64 * 1024 * 1024  # of a request
MOST_NAMES = 100_000  # of one call, which is one txg
MOST_ERRORS = 100  # reported individually
EXCERPT = 120  # characters of foreign messages
LONGEST_NAME = 255  # bytes: ZFS_MAX_DATASET_NAME_LEN without its end
NEEDED = (
    "exceptions", "lzc_destroy_snaps", "lzc_exists", "lzc_get_holds", "lzc_hold", "lzc_release",
    "lzc_rollback_to", "lzc_snaprange_space", "lzc_snapshot",
)  # fmt: skip
_NO_POOL = b"zconsole"  # requested to see whether the library answers; need not exist
_PART = r"[A-Za-z0-9_.: -]+"
_DATASET = re.compile(rf"{_PART}(/{_PART})*", re.ASCII)
_SNAPSHOT = re.compile(rf"{_PART}(/{_PART})*@{_PART}", re.ASCII)
_MORE_ERRORS = b"N_MORE_ERRORS"  # in place of a name: the number of errors that ZFS did not list
_STANDARD = {  # zfs_standard_error_fmt in libzfs
    **dict.fromkeys((errno.EPERM, errno.EACCES), "permission denied"),
    **dict.fromkeys((errno.EIO, errno.ENXIO, errno.ENODEV, errno.EPIPE), "I/O error"),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "out of space"),
    errno.ECANCELED: "delegated administration is disabled on pool",
    errno.EFAULT: "bad address",
    errno.EINTR: "signal received",
    errno.ENOENT: "dataset does not exist",
    errno.EEXIST: "dataset already exists",
    errno.EBUSY: "dataset is busy",
    errno.EROFS: "pool is read-only",
    errno.ENAMETOOLONG: "dataset name is too long",
    errno.ENOTSUP: "unsupported version or feature",
    errno.EAGAIN: "pool I/O is currently suspended",
}
_REASONS = {  # distinguished by libzfs_core but not by errno
    "SnapshotIsCloned": "snapshot is cloned",
    "SnapshotIsHeld": "it's being held. Run 'zfs holds -r {}' to see holders.",
    "SnapshotMismatch": "not of one dataset, or not in their order",
    "HoldExists": "tag already exists on this dataset",
    "HoldNotFound": "no such tag on this dataset",
    "PoolNotFound": "dataset does not exist",
    "DuplicateSnapshots": "multiple snapshots of same fs not allowed",
}


class Failure(NamedTuple):
    """Failure of one object, or of all when it has no name."""

    said: str
    name: str = ""
    error: str = ""  # as libzfs_core calls it
    errno: int | None = None

    def as_json(self) -> dict[str, object]:
        """The failure as in the answer."""
        values = {"name": self.name or None, "error": self.error or None, "errno": self.errno}
        return {**values, "said": self.said}


class Says(NamedTuple):
    """Wording of zfs for a failure: of one object, of all, and of a missing one."""

    of_one: str
    of_all: str
    missing: str = "SnapshotNotFound"
    reasons: dict[str, str] = _REASONS

    def failures(self, error: Any) -> list[Failure]:
        """One failure per object, by name; one for all when ZFS names none."""
        of_each = [each for each in getattr(error, "errors", ()) if each.name != _MORE_ERRORS]
        found = [self._failure(each.name, type(each).__name__, each.errno) for each in of_each or [error]]
        return sorted(found, key=lambda each: each.name)

    def check(self, missing: Sequence[bytes]) -> None:
        """Raise Stopped if anything is missing; a hold is named SNAPSHOT#TAG."""
        if missing:
            names = [each.partition(b"#")[0] for each in missing]
            raise Stopped(REFUSED, [self._failure(each, self.missing, errno.ENOENT) for each in names])

    def _failure(self, name: bytes | str | None, kind: str, number: int | None) -> Failure:
        of = name.decode("utf-8", "replace") if isinstance(name, bytes) else ""
        reason = self.reasons.get(kind) or _STANDARD.get(number or 0) or os.strerror(number or 0)
        said = f"{self.of_one if of else self.of_all}: {reason}".replace("{}", of)
        return Failure(said, of, kind, number)


_CREATE = Says("cannot create snapshot '{}'", "cannot create snapshots")
_DESTROY = Says("cannot destroy snapshot {}", "cannot destroy snapshots")
_SPACE = Says("cannot determine the space freed up to '{}'", "cannot determine the space freed")
_HOLD = Says("cannot hold snapshot '{}'", "cannot hold")
_RELEASE = Says("cannot release hold from snapshot '{}'", "cannot release", missing="HoldNotFound")


class Stopped(Exception):
    """The verb was not performed."""

    def __init__(self, status: int, failures: Sequence[Failure]) -> None:
        super().__init__(failures[0].said)
        self.status = status
        self.failures = failures


def main(words: Sequence[str]) -> int:
    """Perform one verb; returns the exit status."""
    try:
        verb = VERBS.get(words[0]) if len(words) == 1 else None
        if verb is None:
            raise _malformed(f"expected one of {', '.join(VERBS)}; got {_short(' '.join(words))}")
        answer = verb()
    except Stopped as stopped:
        told = list(stopped.failures[:MOST_ERRORS])
        if len(told) < len(stopped.failures):
            told.append(Failure(f"and {len(stopped.failures) - len(told)} more"))
        _say([each.said for each in told])
        sys.stdout.write(f"{json.dumps({'done': False, 'errors': [each.as_json() for each in told]})}\n")
        return stopped.status
    sys.stdout.write(f"{json.dumps({'done': True, **answer})}\n")
    return DONE


def _say(lines: Iterable[str]) -> None:
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    sys.stderr.flush()


# Verbs


def _probe() -> dict[str, object]:
    _Library()
    return {"python": ".".join(map(str, sys.version_info[:3]))}


def _snapshot() -> dict[str, object]:
    request = _Request("snapshots", "below")
    wanted, below = request.snapshots("snapshots"), request.snapshots("below", may_be_empty=True)
    _check_pool([*wanted, *below])
    library = _Library()
    left_out: list[str] = []
    try:
        library.change(_CREATE, "lzc_snapshot", _encoded([*wanted, *below]))
    except Stopped as stopped:
        left_out = _in_receive(stopped.failures, below)
        if not left_out:
            raise
        rest = [each for each in below if each not in set(left_out)]
        library.change(_CREATE, "lzc_snapshot", _encoded([*wanted, *rest]))
    return {"left_out": left_out}


def _destroy_snaps() -> dict[str, object]:
    """ZFS ignores missing snapshots; here a missing one is an error."""
    names = _Request("snapshots").snapshots("snapshots")
    _check_pool(names)
    library = _Library()
    library.check_there(_DESTROY, names)
    library.change(_DESTROY, "lzc_destroy_snaps", _encoded(names), False)
    return {}


def _snaprange_space() -> dict[str, object]:
    ranges = _Request("ranges").ranges("ranges")
    library = _Library()
    sizes = [library.ask(_SPACE, "lzc_snaprange_space", *_encoded(each)) for each in ranges]
    return {"bytes": sum(sizes)}


def _rollback_to() -> dict[str, object]:
    request = _Request("dataset", "snapshot")
    dataset, snapshot = request.name("dataset", _DATASET), request.name("snapshot", _SNAPSHOT)
    if snapshot.partition("@")[0] != dataset:
        raise _malformed(f"{snapshot!r} is not a snapshot of {dataset!r}")
    cannot = f"cannot rollback '{dataset}'"
    reasons = {
        "SnapshotNotLatest": f"there is a snapshot or bookmark more recent than '{snapshot}'",
        "SnapshotNotFound": f"'{snapshot}' is not found among snapshots of '{dataset}'",
    }
    says = Says(cannot, cannot, reasons={**_REASONS, **reasons})
    _Library().change(says, "lzc_rollback_to", *_encoded([dataset, snapshot]))
    return {}


def _hold() -> dict[str, object]:
    """ZFS holds the existing snapshots and reports the others; here it is all or none."""
    request = _Request("tag", "snapshots")
    tag, names = request.tag("tag"), request.snapshots("snapshots")
    _check_pool(names)
    library = _Library()
    library.check_there(_HOLD, names)
    _HOLD.check(library.change(_HOLD, "lzc_hold", dict.fromkeys(_encoded(names), tag)))
    return {}


def _release() -> dict[str, object]:
    request = _Request("tag", "snapshots")
    tag, names = request.tag("tag"), request.snapshots("snapshots")
    _check_pool(names)
    library = _Library()
    found = {each: library.ask(_RELEASE, "lzc_get_holds", each) for each in _encoded(names)}
    _RELEASE.check([each for each, tags in found.items() if tag not in tags])
    _RELEASE.check(library.change(_RELEASE, "lzc_release", {each: [tag] for each in found}))
    return {}


VERBS: dict[str, Callable[[], dict[str, object]]] = {
    "probe": _probe,
    "snapshot": _snapshot,
    "destroy-snaps": _destroy_snaps,
    "snaprange-space": _snaprange_space,
    "rollback-to": _rollback_to,
    "hold": _hold,
    "release": _release,
}


def _in_receive(failures: Sequence[Failure], below: Sequence[str]) -> list[str]:
    """Names in `below` that are being received, with their descendants; empty if anything else failed."""
    busy = [each.name for each in failures if each.errno == errno.EBUSY]
    if len(busy) != len(failures) or not set(busy) <= set(below):
        return []
    bases = tuple(f"{each.partition('@')[0]}/" for each in busy)
    return [each for each in below if each in busy or each.startswith(bases)]


# Request


class _Request:
    """JSON object from stdin with exactly these keys; values are read by type."""

    def __init__(self, *keys: str) -> None:
        try:
            found = json.loads(_stdin().decode("utf-8"), object_pairs_hook=_no_doubles)
        except (ValueError, RecursionError) as error:
            raise _malformed(f"the request is not JSON: {_short(error)}") from None
        if not isinstance(found, dict) or set(found) != set(keys):
            raise _malformed(f"the request is not an object of {', '.join(keys)}")
        self._values = found

    def name(self, key: str, form: re.Pattern[str]) -> str:
        return _name(self._values[key], key, form)

    def tag(self, key: str) -> bytes:
        value = self._values[key]
        if not isinstance(value, str):
            raise _malformed(f"{key} is not a string")
        try:
            tag = value.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            raise _malformed(f"{key} is not text") from None
        if not 0 < len(tag) <= LONGEST_NAME or b"\0" in tag or tag[:1] == b".":
            raise _malformed(f"{key} is not a tag: 1 to {LONGEST_NAME} bytes that do not begin with a dot")
        return tag

    def snapshots(self, key: str, *, may_be_empty: bool = False) -> list[str]:
        return [_name(each, key, _SNAPSHOT) for each in self._list(key, may_be_empty=may_be_empty)]

    def ranges(self, key: str) -> list[list[str]]:
        pairs = self._list(key)
        if any(not isinstance(each, list) or len(each) != 2 for each in pairs):
            raise _malformed(f"{key} is not a list of pairs")
        return [[_name(name, key, _SNAPSHOT) for name in each] for each in pairs]

    def _list(self, key: str, *, may_be_empty: bool = False) -> list[Any]:
        value = self._values[key]
        if not isinstance(value, list) or not (value or may_be_empty):
            raise _malformed(f"{key} is not a list" + ("" if may_be_empty else " with at least one"))
        if len(value) > MOST_NAMES:
            raise _malformed(f"{key} has more than {MOST_NAMES}")
        return value


def _stdin() -> bytes:
    if sys.stdin is None:
        raise _malformed("there is no stdin")
    text = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise _malformed(f"the request has more than {MOST_BYTES} bytes")
    return text


def _name(value: object, key: str, form: re.Pattern[str]) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_NAME or not form.fullmatch(value):
        raise _malformed(f"{key}: not a full name: {_short(value)}")
    return value


def _check_pool(names: Sequence[str]) -> None:
    pools = {each.partition("@")[0].partition("/")[0] for each in names}
    if len(pools) != 1:
        raise _malformed(f"these are in several pools: {', '.join(sorted(pools))}")
    if len(set(names)) != len(names):
        raise _malformed("a snapshot is named twice")


def _no_doubles(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key!r} is there twice")
        found[key] = value
    return found


def _short(value: object) -> str:
    text = str(value) if isinstance(value, Exception) else ascii(value)
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}..."


def _malformed(said: str) -> Stopped:
    return Stopped(MALFORMED, [Failure(said)])


# Library


class _Library:
    """libzfs_core after its first answer. Any exception before that means that it does not work."""

    def __init__(self) -> None:
        try:
            import libzfs_core  # noqa: PLC0415 - in the child only, and only once there is something to do

            lacking = [each for each in NEEDED if not hasattr(libzfs_core, each)]
            if not lacking:
                libzfs_core.lzc_exists(_NO_POOL)
        except Exception as error:  # noqa: BLE001 - a foreign module, and a library behind it, raise anything
            raise _unavailable(_short(error)) from None
        if lacking:
            raise _unavailable(f"it is too old: it lacks {lacking[0]}")
        self._module = libzfs_core

    def ask(self, says: Says, function: str, *arguments: object) -> Any:
        """Result of a call that changes nothing."""
        try:
            return getattr(self._module, function)(*arguments)
        except self._module.exceptions.ZFSError as error:
            raise Stopped(REFUSED, says.failures(error)) from None
        except Exception as error:  # noqa: BLE001 - as above
            raise _unavailable(_short(error)) from None

    def change(self, says: Says, function: str, *arguments: object) -> Any:
        """Result of a call that changes something; anything but done or refused is unknown."""
        try:
            return getattr(self._module, function)(*arguments)
        except self._module.exceptions.ZFSError as error:
            raise Stopped(REFUSED, says.failures(error)) from None
        except Exception as error:  # noqa: BLE001 - as above
            _not_known(function, error)

    def check_there(self, says: Says, names: Sequence[str]) -> None:
        """Raise Stopped for snapshots that do not exist."""
        says.check([each for each in _encoded(names) if not self.ask(says, "lzc_exists", each)])


def _encoded(names: Iterable[str]) -> list[bytes]:
    return [each.encode("ascii") for each in names]


def _unavailable(reason: str) -> Stopped:
    return Stopped(UNAVAILABLE, [Failure(f"libzfs_core does not work here: {reason}")])


def _not_known(function: str, error: Exception) -> NoReturn:
    _say([f"{function} failed unexpectedly, and ZFS may have done it: {_short(error)}"])
    os.kill(os.getpid(), signal.SIGKILL)
    raise error  # not reached


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
