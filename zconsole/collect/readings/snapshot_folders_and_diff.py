"""Contents of a snapshot, compared with the live file system: folders, and `zfs diff`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from zconsole.analysis.snapshots.diff_summary import Differences, DiffSummary, DiffTally, below, files, sides
from zconsole.analysis.snapshots.dot_zfs_directory import path_in, snapshot_root, why_no_files
from zconsole.base.clock import Clock
from zconsole.base.errors import CommandFailed
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.folders_and_file_states import (
    read_files,
    read_folder,
    read_resolved,
)
from zconsole.collect.readings.storage_consumers import read_mounted
from zconsole.model.dataset_names import dataset_of, pool_of, short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshot_contents import FileChange, FolderComparison, Mounted
from zconsole.zfs.listing.dataset_get import get_properties, parse_properties
from zconsole.zfs.listing.diff import PERMISSION, DiffReader, diff

TOLD_EVERY_S: Final = 0.5
MOST_SIZED: Final = 1000  # changed files whose sizes are read
_KEYS: Final = ("type", "mountpoint", "canmount", "keystatus")

DiffProgress = Callable[[DiffSummary], None]


async def browse(asker: Asker, privilege: Privilege, snapshot: str, path: str) -> FolderComparison:
    """Folder of a snapshot and the same folder now. Raises HostError with the reason in words."""
    base, _, short = snapshot.partition("@")
    mounted = await read_place(asker, base)
    folder = path_in(snapshot_root(mounted, short), path)
    real = dict(await read_resolved(asker, privilege, (folder,))).get(folder)
    if real != folder:
        reason = "cannot be seen" if real is None else f"leads to {real}, out of the snapshot"
        raise CommandFailed(
            f"{folder} {reason}", hint="A snapshot that was just destroyed is not there either."
        )
    then = await read_folder(asker, privilege, folder)
    try:
        now = await read_folder(asker, privilege, path_in(mounted.mountpoint, path))
    except CommandFailed:
        now = None
    return FolderComparison(snapshot, path, then, now)


async def differences(
    asker: Asker, privilege: Privilege, pair: tuple[str, str], told: DiffProgress, clock: Clock
) -> Differences:
    """Differences between a snapshot and a later one, or the live file system; `told` receives progress.

    Raises HostError.
    """
    older, newer = pair
    base = dataset_of(newer)
    mounted = await read_place(asker, base)
    command = await privilege.to_read(diff(older, newer))
    tally, reader, told_at = DiffTally(mounted.mountpoint), DiffReader(), clock.monotonic()
    try:
        async with asker.host.stream(command) as chunks:
            async for chunk in chunks:
                for change in reader.feed(chunk):
                    tally.add(change)
                if clock.monotonic() - told_at >= TOLD_EVERY_S:
                    told_at = clock.monotonic()
                    told(tally.summary())
    except CommandFailed as ended:
        if ended.status != 0:
            raise CommandFailed(
                f"zfs diff {older} {newer} failed",
                said=ended.said or ended.message,
                hint=f"It takes root, or the permission `{PERMISSION}`: zfs allow USER {PERMISSION} {base}",
                status=ended.status,
            ) from None
    reader.end()
    summary = tally.summary(is_done=True)
    told(summary)
    changed = tuple(files(summary))
    sized = await _sizes(asker, privilege, mounted, pair, changed[:MOST_SIZED])
    return Differences(older, newer, summary, sized, has_all_sizes=len(changed) <= MOST_SIZED)


async def read_place(asker: Asker, dataset: str) -> Mounted:
    """Mount point of a dataset. Raises CommandFailed with the reason where unmounted."""
    for mounted in await read_mounted(asker) or ():
        if mounted.dataset == dataset:
            return mounted
    pool = pool_of(dataset)
    answer = await asker.ask(get_properties(_KEYS, (dataset,)), kind="get", pool=pool)
    found = parse_properties(answer.decode("utf-8", "surrogateescape"), _KEYS)
    values = {key: value for _, key, value, _ in found}
    told = Dataset(
        dataset,
        values.get("type", ""),
        mountpoint=values.get("mountpoint"),
        canmount=values.get("canmount"),
        keystatus=values.get("keystatus"),
    )
    raise CommandFailed(why_no_files(told))


async def _sizes(
    asker: Asker,
    privilege: Privilege,
    mounted: Mounted,
    pair: tuple[str, str],
    changed: Sequence[FileChange],
) -> dict[str, tuple[int | None, int | None]]:
    """Old and new size in bytes of changed files, by path."""
    before, after = sides(changed, mounted.mountpoint)
    old_root, new_root = (_root(mounted, name) for name in pair)
    old = await _lengths(asker, privilege, old_root, before)
    new = await _lengths(asker, privilege, new_root, after)
    where = mounted.mountpoint
    return {
        change.place: (old.get(below(change.path, where)), new.get(below(change.place, where)))
        for change in changed
    }


async def _lengths(asker: Asker, privilege: Privilege, root: str, paths: Sequence[str]) -> dict[str, int]:
    found = await read_files(asker, privilege, [path_in(root, path) for path in paths if path])
    return {below(each.path, root): each.size_bytes for each in found}


def _root(mounted: Mounted, name: str) -> str:
    short = short_of(name)
    return snapshot_root(mounted, short) if short else mounted.mountpoint
