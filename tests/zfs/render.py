"""Pools as `zpool status` prints them, laid out as its source does: to read back what was made up."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import count

from hypothesis import strategies as st

from zconsole.model.pools.pool import Count, Pool, Vdev, VdevProgress

HEADINGS = {"dedup": "dedup", "special": "special", "log": "logs", "cache": "cache", "spare": "spares"}
JSON_CLASSES = {"data": "normal", "log": "log", "cache": "l2cache", "spare": "spare"}
JSON_GROUPS = HEADINGS | {"cache": "l2cache"}
STATES = ("ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "UNAVAIL", "REMOVED", "SPLIT", "SOMETHING_NEW")
NOTES = ("", "external device fault", "too many errors", "cannot open", "corrupted data")
AUX = {"external device fault": "EXTERNAL", "too many errors": "ERR_EXCEEDED", "cannot open": "OPEN_FAILED"}
SHAPES = {"data": ("disk", "mirror", "raidz1", "raidz2", "raidz3", "draid2"), "log": ("disk", "mirror")}
COUNTS = st.one_of(st.just(0), st.integers(0, 10**6), st.integers(0, 2**64 - 1)).map(Count)
DATES = st.integers(1_000_000_000, 4_000_000_000)
POOL_NAMES = st.from_regex(r"[a-zA-Z][a-zA-Z0-9_.: -]{0,30}[a-zA-Z0-9_.-]", fullmatch=True)


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    """Any pool whose every value both the text and the JSON can tell."""
    numbers = count()
    vdevs: list[Vdev] = []
    for vdev_class in ("data", "special", "dedup", "log", "cache", "spare"):
        least = 1 if vdev_class == "data" else 0
        vdevs += [draw(tops(vdev_class, numbers)) for _ in range(draw(st.integers(least, 3)))]
    return Pool(
        name=draw(POOL_NAMES),
        state=draw(st.sampled_from(("ONLINE", "DEGRADED", "SUSPENDED"))),
        vdevs=tuple(vdevs),
        read_errors=draw(COUNTS),
        write_errors=draw(COUNTS),
        checksum_errors=draw(COUNTS),
        error_count=0,
    )


@st.composite
def tops(draw: st.DrawFn, vdev_class: str, numbers: Iterator[int]) -> Vdev:
    """A top-level vdev, with a spare or a replacement inside at times."""
    if vdev_class in ("cache", "spare"):
        return draw(leaves(vdev_class, numbers))
    kind = draw(st.sampled_from(SHAPES.get(vdev_class, ("disk", "mirror"))))
    if kind == "disk":
        return draw(leaves(vdev_class, numbers))
    members = [draw(members_of(vdev_class, numbers)) for _ in range(draw(st.integers(1, 4)))]
    layout = f":{len(members)}d:9c:1s" if kind == "draid2" else ""
    return draw(groups(kind, vdev_class, f"{kind}{layout}-{next(numbers)}", tuple(members)))


@st.composite
def members_of(draw: st.DrawFn, vdev_class: str, numbers: Iterator[int], depth: int = 0) -> Vdev:
    """A device, or a `spare-1` or `replacing-0` of devices."""
    kind = draw(st.sampled_from(("disk", "disk", "disk", "spare", "replacing"))) if depth < 2 else "disk"
    if kind == "disk":
        return draw(leaves(vdev_class, numbers))
    below = tuple(draw(members_of(vdev_class, numbers, depth + 1)) for _ in range(2))
    return draw(groups(kind, vdev_class, f"{kind}-{next(numbers)}", below))


@st.composite
def groups(draw: st.DrawFn, kind: str, vdev_class: str, name: str, children: tuple[Vdev, ...]) -> Vdev:
    return Vdev(
        name=name,
        type=kind,
        vdev_class=vdev_class,
        state=draw(st.sampled_from(STATES)),
        read_errors=draw(COUNTS),
        write_errors=draw(COUNTS),
        checksum_errors=draw(COUNTS),
        note=draw(st.sampled_from(("", "insufficient replicas"))),
        children=children,
    )


@st.composite
def leaves(draw: st.DrawFn, vdev_class: str, numbers: Iterator[int]) -> Vdev:
    """A disk by any of its names, a file with blanks in its name, or a device that is not there."""
    number = next(numbers)
    name, path = draw(
        st.sampled_from(
            (
                (f"wwn-0x{number:016x}", f"/dev/disk/by-id/wwn-0x{number:016x}-part1"),
                (f"ata-Disk_{number}-part3", f"/dev/disk/by-id/ata-Disk_{number}-part3"),
                (f"nvme{number}n1", f"/dev/nvme{number}n1p1"),
                (f"slot {number}", f"/dev/disk/by-vdev/slot {number}-part1"),
                (f"/files/a  b {number}", f"/files/a  b {number}"),
                (f"/files/ß-{number}", f"/files/ß-{number}"),
            )
        )
    )
    guid, note = None, draw(st.sampled_from(NOTES))
    if draw(st.booleans()) and draw(st.booleans()):
        guid = draw(st.integers(1, 2**54 - 1)) << 10 | number  # no two of one guid
        name, note = str(guid), f"was {path}"
    is_spare = vdev_class == "spare"
    return Vdev(
        name=name,
        type="disk" if path.startswith("/dev/") else "file",
        vdev_class=vdev_class,
        state=draw(st.sampled_from(("AVAIL", "INUSE", "FAULTED") if is_spare else STATES)),
        guid=guid,
        path=path,
        read_errors=None if is_spare else draw(COUNTS),
        write_errors=None if is_spare else draw(COUNTS),
        checksum_errors=None if is_spare else draw(COUNTS),
        slow_ios=None if is_spare else draw(COUNTS),
        note=note,
        is_removing=draw(st.booleans()),
        activities=draw(progresses()),
    )


@st.composite
def progresses(draw: st.DrawFn) -> tuple[VdevProgress, ...]:
    found = []
    for kind in ("initialize", "trim"):
        state = draw(st.sampled_from(("", "active", "suspended", "complete", "unsupported")))
        if state == "unsupported" and kind == "trim":
            found.append(VdevProgress(kind, state))
        elif state in ("active", "suspended", "complete"):
            percent = 100 if state == "complete" else draw(st.integers(0, 100))
            found.append(VdevProgress(kind, state, float(percent), draw(DATES)))
    return tuple(found)


def as_text(pool: Pool) -> str:
    """`zpool status -vsitpP`."""
    width = max(10, *(len(path_of(vdev).encode()) + 2 * depth for depth, vdev in nested(pool)))
    head = f"  pool: {pool.name}\n state: {pool.state}\nconfig:\n\n"
    header = f"\t{'NAME':<{width}}  {'STATE':<8} {'READ':>5} {'WRITE':>5} {'CKSUM':>5}  SLOW\n"
    exact = [pool.read_errors, pool.write_errors, pool.checksum_errors]
    numbers = " ".join(f"{one.value if one else 0:>5}" for one in exact)
    body = f"\t{pool.name:<{width}}  {pool.state:<8} {numbers}     0\n"
    for vdev_class in ("data", *HEADINGS):
        tops_of_class = pool.of_class(vdev_class)
        if tops_of_class and vdev_class != "data":
            body += f"\t{HEADINGS[vdev_class]}{'' if vdev_class in ('cache', 'spare') else chr(9)}\n"
        for top in tops_of_class:
            body += "".join(lines(top, width, 1))
    return f"{head}{header}{body}\nerrors: No known data errors\n"


def lines(vdev: Vdev, width: int, depth: int) -> Iterator[str]:
    name = path_of(vdev)
    padding = " " * (width - 2 * depth - len(name.encode()))
    line = f"\t{'  ' * depth}{name}{padding}  {vdev.state:<8}"
    if vdev.vdev_class != "spare":
        for one in (vdev.read_errors, vdev.write_errors, vdev.checksum_errors, vdev.slow_ios):
            line += f" {one.value if one else 0:>5}"
    line += f"  {vdev.note}" if vdev.note else ""
    line += "  (removing)" if vdev.is_removing else ""
    line += "".join(brackets(vdev)) if vdev.is_leaf else ""
    yield f"{line}\n"
    for child in vdev.children:
        yield from lines(child, width, depth + 1)


def brackets(vdev: Vdev) -> Iterator[str]:
    words = {"active": "started at", "suspended": "suspended, started at", "complete": "completed at"}
    for kind, done, nothing in (
        ("initialize", "initialized", "uninitialized"),
        ("trim", "trimmed", "untrimmed"),
    ):
        progress = next((one for one in vdev.activities if one.kind == kind), None)
        if progress is None:
            yield f"  ({nothing})"
        elif progress.state == "unsupported":
            yield "  (trim unsupported)"
        else:
            date = time.asctime(time.gmtime(progress.at))
            yield f"  ({progress.percent:.0f}% {done}, {words[progress.state]} {date})"


def as_json(pool: Pool, *, is_exact: bool = True) -> bytes:
    """`zpool status -j --json-int -vsit`; without --json-int numbers and dates are strings."""
    root = {"name": pool.name, "vdev_type": "root", "state": pool.state, **counters(pool)}
    root["vdevs"] = {vdev.name: as_node(vdev) for vdev in pool.of_class("data")}
    body = {"name": pool.name, "state": pool.state, "vdevs": {pool.name: root}, "error_count": 0}
    for vdev_class, heading in JSON_GROUPS.items():
        if found := pool.of_class(vdev_class):
            body[heading] = {vdev.name: as_node(vdev) for vdev in found}
    top = {"output_version": {"command": "zpool status"}, "pools": {pool.name: body}}
    return json.dumps(top if is_exact else as_strings(top), ensure_ascii=False).encode()


def as_node(vdev: Vdev) -> dict[str, object]:
    vdev_class = JSON_CLASSES.get(vdev.vdev_class, vdev.vdev_class)
    kind = vdev.type.rstrip("123") if vdev.type.startswith(("raidz", "draid")) else vdev.type
    node: dict[str, object] = {"name": vdev.name, "vdev_type": kind, "class": vdev_class, "state": vdev.state}
    node |= {"path": vdev.path} if vdev.path else {}
    node |= {"guid": vdev.guid} if vdev.guid else {}
    node |= counters(vdev) if vdev.vdev_class != "spare" else {}
    node |= {"slow_ios": vdev.slow_ios.value} if vdev.slow_ios else {"slow_ios": 0}
    if vdev.vdev_class == "spare" or not vdev.is_leaf:
        del node["slow_ios"]
    if vdev.note.startswith("was "):
        node |= {"not_present": 1, "was": vdev.path}
    elif vdev.note:
        node["aux"] = {"corrupted data": "CORRUPT_DATA", "insufficient replicas": "NO_REPLICAS"}.get(
            vdev.note, AUX.get(vdev.note, vdev.note)
        )
    node |= {"removing": 1} if vdev.is_removing else {}
    for progress in vdev.activities:
        node |= progress_fields(progress)
    node |= {"vdevs": {child.name: as_node(child) for child in vdev.children}} if vdev.children else {}
    return node


def progress_fields(progress: VdevProgress) -> dict[str, object]:
    if progress.state == "unsupported":
        return {"trim_state": "UNTRIMMED", "trim_notsup": 1}
    state, done, total, at = {
        "initialize": ("init_state", "initialized", "to_initialize", "init_time"),
        "trim": ("trim_state", "trimmed", "to_trim", "trim_time"),
    }[progress.kind]
    return {state: progress.state.upper(), done: int(progress.percent or 0), total: 100, at: progress.at}


def counters(of: Pool | Vdev) -> dict[str, object]:
    exact = {"read_errors": of.read_errors, "write_errors": of.write_errors}
    exact |= {"checksum_errors": of.checksum_errors}
    return {name: one.value if one else 0 for name, one in exact.items()}


def as_strings(value: object, key: str = "") -> object:
    """The same with numbers in strings, and dates as ctime has them."""
    if isinstance(value, dict):
        return {name: as_strings(item, name) for name, item in value.items()}
    if isinstance(value, int):
        return time.asctime(time.gmtime(value)) if key.endswith("_time") else str(value)
    return value


def nested(pool: Pool) -> Iterator[tuple[int, Vdev]]:
    """Every vdev with its depth."""

    def below(vdev: Vdev, depth: int) -> Iterator[tuple[int, Vdev]]:
        yield depth, vdev
        for child in vdev.children:
            yield from below(child, depth + 1)

    for top in pool.vdevs:
        yield from below(top, 1)


def path_of(vdev: Vdev) -> str:
    """What -P prints for a name."""
    return vdev.name if vdev.path is None or vdev.guid is not None else vdev.path
