"""What real hosts said of their pools: all of it parses, text and JSON agree, and a part is never a whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from tests.zfs.recorded import CAPTURES, STATUS_JSON, STATUS_TEXT, cuts, each, identity, recorded
from zconsole.base.errors import ParseError
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Count, Pool, PoolActivity, Scan, Vdev, VdevProgress
from zconsole.zfs.status.merge_guids import merge_guids
from zconsole.zfs.status.status import parse_status, parse_status_json, status
from zconsole.zfs.status.status_text import parse_status_text
from zconsole.zfs.status.text_layout import LISTED

WITH_PATHS = ("zpool_status_vsitpP.txt", "zpool_status_vPsit.txt")
AS_JSON = ("zpool_status_jvsitP.json", "zpool_status_P.json", "zpool_status.json")
MOVED_ON = {  # while text and JSON were recorded
    "2.3/disk-faulted",
    "2.4/removing",
    "2.4/raidz-expanded",
    "2.4/replacing-new-offline",
    "2.4/expansion-done",
    "2.4/helpers-pulled",
    "2.4/last-replica-pulled",
    "2.4/draid-second-spare-rebuilding",
    "2.4/draid-spare-rebuilding",  # of what a rebuild writes to, JSON marks nothing, and text each device
}
ANOTHER_SHAPE = {"2.3/disk-faulted", "2.4/removing"}  # of the tree by then
ROUNDING = 0.01  # text has three digits
ANNOUNCED = {
    "errors",
    "error_count",
    "error_files",
    "activities",
    "scan",
    "scans_beside",
    "vdevs",
    "children",
    "checkpoint_bytes",
}
NOT_IN_JSON = re.compile("[\U00010000-\U0010ffff]")  # ZFS drops them
NOT_IN_TEXT = {"guid", "phys_path", "devid", "size_bytes", "allocated_bytes", "free_bytes", "physical_bytes"}
CONFIGURATIONS = [
    path.parent
    for path in recorded("zpool_status.json")
    if any((path.parent / name).exists() for name in WITH_PATHS)
]


def text_of(folder: Path) -> tuple[Pool, ...]:
    """The pools of a recorded state, by text with full paths."""
    path = next(folder / name for name in WITH_PATHS if (folder / name).exists())
    return parse_status_text(words_of(path))


def words_of(path: Path) -> str:
    """A recorded text, as zconsole decodes it."""
    return path.read_bytes().decode("utf-8", "backslashreplace")


def json_of(folder: Path) -> tuple[Pool, ...]:
    """The pools of a recorded state, by JSON, best with full paths."""
    path = next(folder / name for name in AS_JSON if (folder / name).exists())
    return parse_status_json(path.read_bytes())


def the_pool(version: str, state: str) -> Pool:
    """The one pool of a recorded state, as zconsole reads it from that version."""
    folder = CAPTURES / version / state
    (pool,) = text_of(folder) if version == "2.1" else json_of(folder)
    return pool


@each(STATUS_TEXT)
def test_text_gives_every_vdev_that_it_shows(path: Path) -> None:
    text = words_of(path)
    shown = text.partition(LISTED)[0]  # behind it stand file names, which may look like anything

    pools = parse_status_text(text)

    assert shown.count("  pool: ") == len(pools)
    assert shown.count("\n\t  ") == sum(1 for pool in pools for _ in pool.walk())
    assert all(vdev.state for pool in pools for vdev in pool.walk())


@each(STATUS_JSON)
def test_json_gives_every_vdev_that_it_holds(path: Path) -> None:
    output = path.read_bytes()

    pools = parse_status_json(output)

    assert vdevs_in(json.loads(output)["pools"]) - len(pools) == sum(1 for pool in pools for _ in pool.walk())
    assert all(vdev.guid and vdev.state for pool in pools for vdev in pool.walk())


@pytest.mark.parametrize("folder", CONFIGURATIONS, ids=identity)
def test_text_and_json_of_a_pool_agree(folder: Path) -> None:
    pairs = list(zip(json_of(folder), text_of(folder), strict=True))

    differences = [difference for exact, told in pairs for difference in disagreements(exact, told)]

    assert (identity(folder) in MOVED_ON) == bool(differences), differences


@each(STATUS_TEXT)
def test_the_percentage_of_a_running_scan_is_what_zpool_prints(path: Path) -> None:
    """Of `13.1M / 363M issued` and `3.60% done`, each rounded, one follows from the other, up to 100 %.

    Of a sequential resilver the percentage follows from what was scanned.
    """
    for pool in parse_status_text(words_of(path)):
        scan = pool.scan
        if scan is None or not scan.is_running or scan.percent is None:
            continue

        assert scan.done_bytes is not None
        assert scan.to_do_bytes is not None

        done = min(100.0, 100 * scan.done_bytes / scan.to_do_bytes)
        assert scan.percent == pytest.approx(done, rel=0.02, abs=0.02)


def test_json_and_text_of_a_rebuild_tell_the_percentage_that_zpool_prints() -> None:
    """`213M / 603M scanned`, `118M / 509M issued`, `35.29% done`."""
    folder = CAPTURES / "2.4/draid-spare-rebuilding"
    (by_text,), (by_json,) = text_of(folder), json_of(folder)

    assert by_text.scan is not None
    assert by_json.scan is not None
    assert 35.29 == by_text.scan.percent
    assert "35.29" == f"{by_json.scan.percent:.2f}"
    assert 632512512 - 98476032 == by_json.scan.to_issue_bytes
    assert (223199232, 632512512) == (by_json.scan.done_bytes, by_json.scan.to_do_bytes)


def test_json_divides_what_is_issued_by_what_is_not_skipped() -> None:
    (pool,) = parse_status_json((CAPTURES / "2.4/replacing/zpool_status.json").read_bytes())

    assert pool.scan is not None
    assert 402120704 - 202375168 == pool.scan.to_issue_bytes
    assert 100 * 182239232 / (402120704 - 202375168) == pool.scan.percent
    assert pool.scan.is_running


@pytest.mark.parametrize("version", ["2.1", "2.3", "2.4"])
def test_every_class_is_told_in_every_version(version: str) -> None:
    pool = the_pool(version, "healthy-mirrors")

    assert [
        ("mirror-0", "mirror", "data"),
        ("mirror-1", "mirror", "data"),
        ("mirror-2", "mirror", "special"),
        ("wwn-0x5000c500a0000006", "disk", "log"),
        ("wwn-0x5000c500a0000007", "disk", "cache"),
        ("wwn-0x5000c500a0000008", "disk", "spare"),
    ] == [(vdev.name, vdev.type, vdev.vdev_class) for vdev in pool.vdevs]
    assert [vdev.vdev_class for vdev in pool.vdevs] == [next(top.leaves()).vdev_class for top in pool.vdevs]
    assert "/dev/disk/by-id/wwn-0x5000c500a0000000-part1" == next(pool.vdevs[0].leaves()).path
    assert 0 == pool.error_count
    assert None is pool.scan


@pytest.mark.parametrize("version", ["2.1", "2.3", "2.4"])
def test_a_distributed_spare_stands_in_the_group_and_among_the_spares(version: str) -> None:
    pool = the_pool(version, "draid-spare-in-use")
    group, spare = pool.vdevs
    within = next(vdev for vdev in group.walk() if vdev.type == "spare")

    assert ("draid2:4d:10c:1s-0", "draid2", "DEGRADED") == (group.name, group.type, group.state)
    assert ("draid2-0-0", "dspare", "spare", "INUSE") == (
        spare.name,
        spare.type,
        spare.vdev_class,
        spare.state,
    )
    assert "currently in use" == spare.note
    assert ("spare-2", ["disk", "dspare"]) == (within.name, [vdev.type for vdev in within.children])
    assert "external device fault" == within.children[0].note
    assert (VdevProgress("trim", "unsupported"),) == within.children[1].activities
    assert None is spare.path


def test_a_spare_inside_a_replacement_inside_a_mirror_keeps_its_nesting() -> None:
    pool = the_pool("2.1", "replacing")
    spare = pool.vdevs[1].children[1]

    assert ["spare-1", "replacing-0"] == [spare.name, spare.children[0].name]
    assert ["FAULTED", "ONLINE"] == [leaf.state for leaf in spare.children[0].children]
    assert [False, True, True] == [leaf.is_resilvering for leaf in spare.leaves()]
    assert Count(0) == spare.read_errors
    assert None is spare.slow_ios


@pytest.mark.parametrize("version", ["2.3", "2.4"])
def test_damaged_files_are_named_and_counted(version: str) -> None:
    files = ("<metadata>:<0x0>", "/scratch/f", "/scratch/one/victim")
    (told,) = text_of(CAPTURES / version / "data-errors")

    assert files == the_pool(version, "data-errors").error_files
    assert files == told.error_files
    assert {"2.3": 1030, "2.4": 855}[version] == the_pool(version, "data-errors").error_count
    assert None is told.error_count


@pytest.mark.parametrize("version", ["2.3", "2.4"])
def test_an_expansion_is_told_with_its_vdev(version: str) -> None:
    started = {"2.3": 1795218540, "2.4": 1795219565}[version]
    ended = started + 27

    running = the_pool(version, "raidz-expanding").activities
    over = the_pool(version, "raidz-expanded").activities

    assert (PoolActivity("raidz_expand", "raidz2-0", "active", 0.0, started),) == running
    assert (PoolActivity("raidz_expand", "raidz2-0", "finished", 100.0, started, ended),) == over


def test_a_removal_is_told_while_it_runs_and_afterwards() -> None:
    (running,) = text_of(CAPTURES / "2.4/removing")
    leaving = [vdev.name for vdev in running.walk() if vdev.is_removing]

    assert ["wwn-0x5000c500a0000002"] == leaving
    assert (
        PoolActivity("removal", "wwn-0x5000c500a0000002", "active", 0.01, 1795219750),
    ) == running.activities
    assert (PoolActivity("removal", "vdev 2", "finished", 100.0, 1795219750, 1795219752, 336),) == the_pool(
        "2.4", "removing"
    ).activities


@pytest.mark.parametrize("version", ["2.1", "2.3", "2.4"])
def test_a_checkpoint_has_a_size_and_an_age(version: str) -> None:
    pool = the_pool(version, "checkpoint")

    assert {"2.1": 221184, "2.3": 270336, "2.4": 270336}[version] == pool.checkpoint_bytes
    assert {"2.1": 1795220971, "2.3": 1795218180, "2.4": 1795218943}[version] == pool.checkpoint_created
    assert None is the_pool(version, "healthy-mirrors").checkpoint_bytes


def test_an_abbreviated_count_is_kept_as_rounded() -> None:
    (told,) = text_of(CAPTURES / "2.4/data-errors")

    assert Count(3287, is_rounded=True) == told.vdevs[0].checksum_errors
    assert Count(3285) == the_pool("2.4", "data-errors").vdevs[0].checksum_errors


@pytest.mark.parametrize("folder", CONFIGURATIONS, ids=identity)
def test_guids_are_matched_by_position(folder: Path) -> None:
    """The tree with guids for names is made of the JSON's, as the text of -g has it."""
    for exact, told in zip(json_of(folder), text_of(folder), strict=True):
        named_by_guid = replace(told, vdevs=tuple(only_guids(vdev) for vdev in exact.vdevs))
        merged = merge_guids(told, named_by_guid)
        if identity(folder) in ANOTHER_SHAPE:  # nothing is matched
            assert told == merged
            continue

        assert [vdev.guid for vdev in exact.walk()] == [vdev.guid for vdev in merged.walk()]
        assert [without_guids(vdev) for vdev in told.vdevs] == [without_guids(vdev) for vdev in merged.vdevs]


@(
    each("zpool_status_gP.txt")
    if list(CAPTURES.glob("*/*/zpool_status_gP.txt"))
    else pytest.mark.skip("none is recorded yet")
)
def test_recorded_guids_match_the_recorded_tree(path: Path) -> None:
    for told, with_guids in zip(text_of(path.parent), parse_status_text(words_of(path)), strict=True):
        merged = merge_guids(told, with_guids)

        assert all(vdev.guid for vdev in merged.walk())


@each(STATUS_TEXT)
def test_text_cut_short_is_an_error_or_a_part(path: Path, request: pytest.FixtureRequest) -> None:
    whole = path.read_bytes()
    pools = parse_status_text(words_of(path))
    is_long = request.config.getoption("--long")

    for at in cuts(whole, is_long=is_long, samples=12):
        try:
            part = parse_status(whole[:at], ZfsVersion("zfs-2.1.11"))
        except ParseError:
            continue
        assert is_part(part, pools), f"cut at byte {at}"


@each(STATUS_JSON)
def test_json_cut_short_is_an_error(path: Path, request: pytest.FixtureRequest) -> None:
    whole = path.read_bytes()
    end = len(whole.rstrip())

    for at in cuts(whole[:end], is_long=request.config.getoption("--long"), samples=60):
        with pytest.raises(ParseError, match="zpool status"):
            parse_status_json(whole[:at])


@pytest.mark.parametrize("path", sorted(CAPTURES.glob("*/*/zpool_status*.json.cut")), ids=identity)
def test_json_that_zfs_itself_cut_short_is_an_error_and_its_text_is_not(path: Path) -> None:
    """A damaged file's name that is no UTF-8 ends ZFS's JSON, exit code 0; text tells everything."""
    with pytest.raises(ParseError, match="truncated"):
        parse_status(path.read_bytes(), ZfsVersion("zfs-2.4.4"))

    text = next(path.parent / name for name in WITH_PATHS if (path.parent / name).exists())
    (pool,) = parse_status(text.read_bytes(), ZfsVersion("zfs-2.4.4"))

    assert r"/tank/files/bytes\xff\xfe" in pool.error_files


def test_two_disks_of_one_name_are_both_told() -> None:
    """JSON without -P holds one of them; the question that zconsole asks has -P."""
    folder = CAPTURES / "2.4/same-names"
    (pool,) = json_of(folder)

    assert ["wwn-0x5000c500a0000000", "wwn-0x5000c500a0000000"] == [vdev.name for vdev in pool.vdevs]
    assert 2 == len({vdev.guid for vdev in pool.vdevs})
    assert "-vsitP" in status("tank", version=ZfsVersion("zfs-2.4.4")).argv


@pytest.mark.parametrize("version", sorted({path.parts[-3] for path in recorded("zpool_status_v.txt")}))
def test_a_name_in_a_list_of_errors_passes_for_nothing_else(version: str) -> None:
    folder = CAPTURES / version / "error-names-forged"
    if not folder.exists():
        pytest.skip("not recorded on this version")
    (pool,) = text_of(folder)

    assert ("tank", "ONLINE", None) == (pool.name, pool.state, pool.error_count)
    assert any("errors: No known data errors" in name and "pool: evil" in name for name in pool.error_files)


def vdevs_in(node: dict[str, Any]) -> int:
    """How many vdevs there are in JSON, roots included."""
    below = [value for key, value in node.items() if isinstance(value, dict) and not key.endswith("_stats")]
    return int("vdev_type" in node) + sum(map(vdevs_in, below))


def is_part(part: tuple[Pool, ...], whole: tuple[Pool, ...]) -> bool:
    """Whether a parse gave the first pools, of the last one at most the damaged files unknown."""
    if not part:
        return True
    *complete, last = part
    twin = whole[len(complete)]
    told = last.error_files
    is_known = last.error_count == twin.error_count
    known = replace(twin, error_files=told, error_count=twin.error_count if is_known else None)
    is_start = "\n".join(twin.error_files).startswith("\n".join(told))  # the last name may hold line breaks
    return is_start and tuple(complete) == whole[: len(complete)] and last == known


def only_guids(vdev: Vdev) -> Vdev:
    """A vdev as `zpool status -g` shows it."""
    children = tuple(only_guids(child) for child in vdev.children)
    return replace(
        vdev,
        name=str(vdev.guid),
        type="unknown",
        path=None,
        phys_path=None,
        devid=None,
        configured_ashift=None,
        children=children,
    )


def without_guids(vdev: Vdev) -> Vdev:
    """A vdev as text without -g shows it."""
    return replace(vdev, guid=None, children=tuple(without_guids(child) for child in vdev.children))


def disagreements(exact: Pool, told: Pool) -> Iterator[str]:
    """Where the model of JSON and of the text that was recorded some seconds before differ in truth."""
    yield from differing(exact, told, exact.name)
    if told.error_count is not None and exact.error_count != told.error_count:
        yield "error_count"
    if exact.error_files != tuple(NOT_IN_JSON.sub("", name) for name in told.error_files):
        yield "error_files"
    if (exact.checkpoint_bytes is None) != (told.checkpoint_bytes is None):
        yield "checkpoint_bytes"
    if known(exact.activities) != known(told.activities):
        yield f"activities: {exact.activities} {told.activities}"
    yield from differing_scans(exact.scan, told.scan)
    yield from (f"beside: {each}" for each in beside(told) - beside(exact))
    yield from differing_trees(exact.vdevs, told.vdevs)


def beside(pool: Pool) -> set[tuple[str, str | None, str]]:
    """Scans that are told beside the newest one: the text leaves out those that ended before it."""
    return {(each.function, each.vdev, each.state) for each in pool.scans_beside}


def differing(exact: Pool | Vdev, told: Pool | Vdev, name: str) -> Iterator[str]:
    for field in fields(exact):
        if field.name in NOT_IN_TEXT | ANNOUNCED:
            continue
        ours, theirs = getattr(exact, field.name), getattr(told, field.name)
        if isinstance(theirs, Count) and theirs.is_rounded:
            is_same = theirs.value == pytest.approx(ours.value, rel=ROUNDING)
        else:
            is_same = ours == theirs
        if not is_same:
            yield f"{name}.{field.name}: {ours!r} {theirs!r}"


def differing_trees(exact: tuple[Vdev, ...], told: tuple[Vdev, ...]) -> Iterator[str]:
    if len(exact) != len(told):
        yield f"{len(exact)} and {len(told)} vdevs"
        return
    for ours, theirs in zip(exact, told, strict=True):
        yield from differing(ours, theirs, ours.name)
        if known(ours.activities) != known(theirs.activities):
            yield f"{ours.name}.activities"
        yield from differing_trees(ours.children, theirs.children)


def differing_scans(exact: Scan | None, told: Scan | None) -> Iterator[str]:
    if exact is None or told is None:
        if exact is not told:
            yield "scan: none"
        return
    for name in ("function", "state", "start", "end"):
        if getattr(exact, name) != getattr(told, name) and not (name == "start" and told.start is None):
            yield f"scan.{name}"
    if told.state != "finished":
        return
    if (exact.percent, exact.errors) != (told.percent, told.errors):
        yield "scan.percent or scan.errors"
    if exact.repaired_bytes != pytest.approx(told.repaired_bytes, rel=ROUNDING):
        yield "scan.repaired_bytes"


def known(activities: tuple[VdevProgress, ...] | tuple[PoolActivity, ...]) -> list[tuple[object, ...]]:
    """What does not move by itself, and what text tells: it forgets what was canceled."""
    return [
        (one.kind, one.state, one.at if isinstance(one, VdevProgress) else (one.vdev, one.end))
        for one in activities
        if one.state != "canceled"
    ]
