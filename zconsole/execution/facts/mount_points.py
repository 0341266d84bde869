"""Reader of mount points: resolved path, contents, and mounts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import zconsole
from zconsole.analysis.dependencies.mount_safety import is_at_or_below
from zconsole.base.errors import CommandFailed, HostError, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.collect.readings.folders_and_file_states import read_files, read_folder, read_real_paths
from zconsole.collect.readings.storage_consumers import read_mounts
from zconsole.hosts.host import Outcome, is_here
from zconsole.model.datasets.snapshot_contents import FileType
from zconsole.model.host.mount_points import HostMount, MountTarget, MountTargets, TargetType
from zconsole.system.open_files import OPEN_FILES, OpenFile, parse_open_files

MOST_COUNTED: Final = 1000  # entries of one directory
MOST_FOLDERS: Final = 64  # directories whose entries are counted; further ones stay unknown
REMOTE: Final = frozenset({"autofs", "ceph", "cifs", "fuse.sshfs", "glusterfs", "nfs", "nfs4", "smb3"})


async def read_mount_targets(asker: Asker, privilege: Privilege, paths: Sequence[str]) -> MountTargets:
    """Read each of these absolute paths. Raises HostError when the host is unreachable.

    An unreadable path is unknown and does not affect others.
    """
    asked = tuple(dict.fromkeys(paths))
    mounts = await read_mounts(asker)
    table = None if mounts is None else tuple(
        HostMount(each.source, each.mountpoint, each.fstype) for each in mounts
    )  # fmt: skip
    real = await read_real_paths(asker, privilege, asked)
    types = await _types(asker, privilege, sorted(set(real.values())))
    folders = [path for path, found in types.items() if found is TargetType.DIRECTORY]
    remote = {each.mountpoint for each in table or () if each.fstype in REMOTE}
    counted = await _counted(
        asker, privilege, [each for each in folders if not any(is_at_or_below(each, far) for far in remote)]
    )
    full = [path for path in folders if counted.get(path, (None, False))[0] != 0]
    open_by = await _open_by(asker, privilege, full) if full else {}
    return MountTargets(
        table,
        tuple(_target(path, real.get(path), types, counted, open_by) for path in asked),
        _of_this_console() if is_here(asker.host) else (),
    )


def _target(
    path: str,
    real: str | None,
    types: Mapping[str, TargetType],
    counted: Mapping[str, tuple[int | None, bool]],
    open_by: Mapping[str, tuple[str, ...]],
) -> MountTarget:
    if real is None:
        return MountTarget(path)
    entries, has_more = counted.get(real, (None, False))
    kind = types.get(real, TargetType.UNKNOWN)
    return MountTarget(path, real, kind, entries, has_more, open_by.get(real, ()))


async def _types(asker: Asker, privilege: Privilege, paths: Sequence[str]) -> dict[str, TargetType]:
    try:
        found = {each.path: each.type for each in await read_files(asker, privilege, paths)}
    except (Stuck, ParseError):
        return {}
    return {
        path: TargetType.MISSING
        if path not in found
        else TargetType.DIRECTORY
        if found[path] is FileType.FOLDER
        else TargetType.OTHER
        for path in paths
    }


async def _counted(
    asker: Asker, privilege: Privilege, folders: Sequence[str]
) -> dict[str, tuple[int | None, bool]]:
    """Number of entries per directory, and whether there are more."""

    async def one(path: str) -> tuple[int | None, bool]:
        try:
            folder = await read_folder(asker, privilege, path, most=MOST_COUNTED)
        except (CommandFailed, ParseError, Stuck):
            return None, False
        except HostError:
            return None, False
        return len(folder.entries), not folder.is_whole

    few = folders[:MOST_FOLDERS]
    return dict(zip(few, await all_of(map(one, few)), strict=True))


async def _open_by(asker: Asker, privilege: Privilege, folders: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Processes with open files in these directories, by program and pid."""
    completed = await asker.run(await privilege.to_read(OPEN_FILES), kind="open-files")
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, asker.host.label)
    try:
        files = parse_open_files(completed.stdout.decode("utf-8", "surrogateescape"))
    except ParseError:
        files = ()
    programs = {each.process: each.path for each in files if each.how == "exe"}
    return {folder: tuple(_who_in(folder, files, programs)) for folder in folders}


def _who_in(folder: str, files: Iterable[OpenFile], programs: Mapping[int, str]) -> Iterable[str]:
    found = {each.process for each in files if is_at_or_below(each.path, folder)}
    for process in sorted(found):
        program = programs.get(process, "").rpartition("/")[2]
        yield f"process {process} ({program})" if program else f"process {process}"


def _of_this_console() -> tuple[tuple[str, str], ...]:
    """Paths of zconsole and its Python, on the local host."""
    places = {"zconsole itself": zconsole.__file__, "the Python that runs zconsole": sys.prefix}
    return tuple((str(Path(path).resolve()), what) for what, path in places.items())
