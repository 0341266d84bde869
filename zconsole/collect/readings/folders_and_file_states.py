"""Files of a host: attributes, folder contents, sizes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from zconsole.base.errors import CommandFailed, HostError, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.hosts.host import NOT_STARTED, Command, Outcome
from zconsole.model.datasets.snapshot_contents import Extent, FileState, FileType, Folder
from zconsole.system.file_programs import (
    AT_ONCE,
    FolderReader,
    count_inodes,
    list_folder,
    measure,
    measure_allocated,
    parse_all_resolved,
    parse_measured,
    parse_resolved,
    parse_stat_files,
    resolve,
    resolve_missing,
    stat_files,
)

MOST_ENTRIES: Final = 20_000  # entries of one folder
LISTING_WITHIN_S: Final = 60.0


async def read_files(asker: Asker, privilege: Privilege, paths: Sequence[str]) -> tuple[FileState, ...]:
    """Attributes of the existing paths. Raises HostError."""
    batches = [paths[at : at + AT_ONCE] for at in range(0, len(paths), AT_ONCE)]
    answers: list[FileState] = []
    for batch in batches:
        command = stat_files(batch)
        completed = await asker.run(await privilege.to_read(command), kind="stat")
        if completed.outcome is Outcome.UNKNOWN or completed.status in NOT_STARTED:
            raise failure(completed, asker.host.label)
        answers += parse_stat_files(completed.stdout)
    return tuple(answers)


async def read_resolved(
    asker: Asker, privilege: Privilege, paths: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Existing paths with their targets, symbolic links resolved. Raises HostError."""

    async def one(path: str) -> tuple[str, str] | None:
        completed = await asker.run(await privilege.to_read(resolve(path)), kind="realpath", pool=path)
        if completed.outcome is Outcome.UNKNOWN or completed.status in NOT_STARTED:
            raise failure(completed, asker.host.label)
        return (path, parse_resolved(completed.stdout)) if completed.is_done else None

    found = await all_of(one(path) for path in dict.fromkeys(paths))
    return tuple(each for each in found if each is not None)


async def read_real_paths(asker: Asker, privilege: Privilege, paths: Sequence[str]) -> dict[str, str]:
    """Where paths lead, existing or not; what cannot be resolved is left out. Raises HostError."""

    async def of(batch: Sequence[str]) -> dict[str, str]:
        completed = await asker.run(
            await privilege.to_read(resolve_missing(batch)), kind="realpath -m", pool=batch[0]
        )
        if completed.outcome is Outcome.UNKNOWN or completed.status in NOT_STARTED:
            raise failure(completed, asker.host.label)
        with suppress(ParseError):
            found = parse_all_resolved(completed.stdout)
            if completed.is_done and len(found) == len(batch):
                return dict(zip(batch, found, strict=True))
        if len(batch) == 1 or not completed.stdout:
            return {}
        halves = batch[: len(batch) // 2], batch[len(batch) // 2 :]  # one bad path costs its own answer
        return {path: real for each in [await of(half) for half in halves] for path, real in each.items()}

    batches = [paths[at : at + AT_ONCE] for at in range(0, len(paths), AT_ONCE)]
    answers = await all_of(map(of, batches))
    return {path: real for each in answers for path, real in each.items()}


async def read_extent(asker: Asker, privilege: Privilege, path: str) -> Extent:
    """Extent of a file or folder; unreadable or late parts are unknown. Raises HostError."""

    async def one(kind: str, command: Command) -> int | None:
        try:
            completed = await asker.run(await privilege.to_read(command), kind=kind, pool=path)
            return parse_measured(completed.stdout) if completed.is_done else None
        except (Stuck, ParseError, CommandFailed):
            return None

    sizes = await all_of(
        (
            one("du apparent", measure(path)),
            one("du", measure_allocated(path)),
            one("du inodes", count_inodes(path)),
        )
    )
    return Extent(*sizes)


async def read_folder(asker: Asker, privilege: Privilege, path: str, *, most: int = MOST_ENTRIES) -> Folder:
    """Entries of a folder, folders first, by name; at most `most`. Raises HostError."""
    command = await privilege.to_read(list_folder(path))
    reader, found = FolderReader(path), list[FileState]()
    try:
        async with asyncio.timeout(LISTING_WITHIN_S), asker.host.stream(command) as chunks:
            try:
                async for chunk in chunks:
                    found += reader.feed(chunk)
                    if len(found) > most:
                        return _in_order(path, found[:most], is_whole=False)
            except CommandFailed as ended:
                if ended.status != 0:
                    raise _why_unread(path, ended) from None
    except TimeoutError:
        raise HostError(f"{path} could not be listed within {LISTING_WITHIN_S:g} s") from None
    reader.end()
    return _in_order(path, found, is_whole=True)


def _why_unread(path: str, ended: CommandFailed) -> CommandFailed:
    return CommandFailed(f"{path} cannot be listed", said=ended.said or ended.message, status=ended.status)


def _in_order(path: str, found: Sequence[FileState], *, is_whole: bool) -> Folder:
    ordered = sorted(found, key=lambda each: (each.type is not FileType.FOLDER, each.name))
    return Folder(path, tuple(ordered), is_whole)
