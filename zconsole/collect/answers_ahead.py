"""Answers that were asked for before they are due, so that they come with those of the first moment.

A reading asks a question once it knows from another answer that it needs to. What is expected can be asked
together with the first question; an answer that nobody asks for is dropped. Each is used once: a reading that
is repeated, because something changed meanwhile, asks anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Command, Completed
from zconsole.zfs.listing.snapshots_and_their_datasets import list_details_in, list_snapshots_of

_Argv = tuple[str, ...]
_LISTINGS: Final = (list_snapshots_of(()).argv, list_details_in().argv)  # before the names of the datasets


@dataclass(frozen=True, slots=True)
class ExpectedQuestion:
    """Command that a reading will probably ask, with its kind and pool."""

    command: Command
    kind: str
    pool: str


class AskerAhead(Asker):
    """Asks what is expected with its first question; a listing of many datasets answers for each of them."""

    def __init__(self, asker: Asker, expected: Sequence[ExpectedQuestion]) -> None:
        super().__init__(asker.host)
        self._asker = asker
        self._expected = tuple(expected)
        self._answers: dict[_Argv, asyncio.Task[Completed]] = {}
        self._listings: dict[_Argv, tuple[asyncio.Task[Completed], set[str]]] = {}  # with names not asked for

    async def run(self, command: Command, *, kind: str, pool: str = "") -> Completed:
        """An answer that is there or under way, or a new one; see `Asker.run`."""
        self._begin()
        answer = self._answers.pop(command.argv, None) if command.stdin is None else None
        if answer is not None:
            return replace(await answer, command=command)
        kind_of_listing, names = _as_listing(command.argv)
        listing, listed = self._listings.get(kind_of_listing, (None, set()))
        if names and listing is not None and listed.issuperset(names):
            listed.difference_update(names)
            found = _lines_of(names, await asyncio.shield(listing))
            if found is not None:
                return replace(found, command=command)
        return await self._asker.run(command, kind=kind, pool=pool)

    def forget(self) -> None:
        """Drop what nobody has asked for."""
        self._expected = ()
        for each in (*self._answers.values(), *(listing for listing, _ in self._listings.values())):
            each.cancel()
        self._answers.clear()
        self._listings.clear()

    def _begin(self) -> None:
        expected, self._expected = self._expected, ()
        for each in expected:
            task = asyncio.create_task(self._asker.run(each.command, kind=each.kind, pool=each.pool))
            task.add_done_callback(_heard)
            argv = each.command.argv
            kind_of_listing, names = _as_listing(argv)
            if names and kind_of_listing not in self._listings:
                self._listings[kind_of_listing] = task, set(names)
            else:
                self._answers[argv] = task


def _as_listing(argv: _Argv) -> tuple[_Argv, tuple[str, ...]]:
    """The words of a listing of the snapshots of some datasets, and these; no names for other commands."""
    return next(((each, argv[len(each) :]) for each in _LISTINGS if argv[: len(each)] == each), ((), ()))


def _lines_of(names: Sequence[str], whole: Completed) -> Completed | None:
    """The lines of these datasets in a listing of more; None where it does not answer for them."""
    if not whole.is_done or whole.is_cut:
        return None
    wanted = {name.encode("utf-8", "surrogateescape") for name in names}
    lines = whole.stdout.splitlines(keepends=True)
    return replace(whole, stdout=b"".join(each for each in lines if each.partition(b"@")[0] in wanted))


def _heard(task: asyncio.Task[Completed]) -> None:
    """Take note of an error that nobody asked for."""
    if not task.cancelled():
        task.exception()
