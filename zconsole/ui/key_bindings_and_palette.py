"""Textual bindings and palette commands of the registry's actions. An action's method is `action_ID`."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from contextlib import suppress
from functools import cache, partial
from typing import Any, ClassVar, Final

from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import (
    Command,
    CommandInput,
    CommandList,
    CommandPalette,
    DiscoveryHit,
    Hit,
    Hits,
    Provider,
)
from textual.content import Content
from textual.worker import Worker, WorkerError

from zconsole.views.layout.screen_key_registry import (
    ACTIONS,
    EVERYWHERE,
    Action,
    actions,
    key_name,
    key_names,
)
from zconsole.views.layout.words_of_need import is_named

ON_ROWS: Final = frozenset((
    *("open", "histograms", "why", "datasets", "load", "arc", "planner", "fold", "kin", "diff", "browse"),
    *("copy", "act", "calendar", "reclaim", "mark_one", "mark_range", "destroy_marked", "repair", "unlock"),
    *("plan_offer", "host_key", "mark", "marks", "save", "refresh"),
))  # fmt: skip


LOW: Final = 16  # lines below which the command line has no frame: its list has them
SURE: Final = 3.0  # scores: an action whose title or key was typed, above everything else
BEGINNING: Final = 0.96  # of the title
PART: Final = 0.72  # of the title or the name
PURPOSE: Final = 0.5  # all words are said of what it does
ELSEWHERE: Final = 0.7  # the title of an action of a screen that a key opens
LETTERS: Final = 0.3  # the title has all letters in their order


def bindings(place: str) -> list[BindingType]:
    """The keys of one screen; those that work everywhere belong to the app."""
    return [_binding(action) for action in actions(place) if EVERYWHERE not in action.where]


def app_bindings() -> list[BindingType]:
    """The keys that work everywhere, also while text is typed."""
    return [_binding(action, is_priority=True) for action in ACTIONS if EVERYWHERE in action.where]


@cache
def keys_on_rows(place: str) -> frozenset[str]:
    """The keys whose actions are for the row under the cursor."""
    return frozenset(key for action in actions(place) if action.id in ON_ROWS for key in action.keys)


def _binding(action: Action, *, is_priority: bool = False) -> Binding:
    return Binding(
        ",".join(action.keys), action.id, action.title, show=False, priority=is_priority, id=action.id
    )


class Palette(CommandPalette):
    """Command line: what is typed is looked for, Enter takes the first line, Tab completes.

    It answers once: keys that arrive together would close the screen below as well.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", show=False, priority=True),
        Binding("enter", "take", show=False, priority=True),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (LOW, "-high")]  # noqa: RUF012  # declared by its base
    _is_answered = False
    _asked: str | None = None  # what is looked for, or was found last
    _search: Worker[Any] | None = None

    def __init__(self, *, typed: str = "", placeholder: str = "", id: str | None = None) -> None:  # noqa: A002  # its base's
        super().__init__(placeholder=placeholder, id=id)
        self._typed = typed

    def on_mount(self) -> None:
        """Begin with a text, as if it had been typed."""
        if self._typed:
            field = self.query_one(CommandInput)
            field.value = self._typed
            field.action_end()

    def _gather_commands(self, search_value: str) -> Worker[Any]:
        self._asked = search_value
        self._search = super()._gather_commands(search_value)
        return self._search

    async def action_take(self) -> None:
        """Carry out the command under the cursor, of what is written now: not of a moment ago."""
        wanted = self.query_one(CommandInput).value.strip()
        search = self._search
        if search is None or self._asked != wanted:
            search = self._gather_commands(wanted)
        with suppress(WorkerError):  # it was cancelled by the next one
            await search.wait()
        found = self.query_one(CommandList)
        if not found.option_count or not isinstance(found.get_option_at_index(0), Command):
            return
        if found.highlighted is None:
            found.action_first()
        self._action_command_list("select")

    def action_complete(self) -> None:
        """Write the command under the cursor into the field, without carrying it out."""
        found = self.query_one(CommandList)
        if found.highlighted is None or not found.option_count:
            return
        option = found.get_option_at_index(found.highlighted)
        if isinstance(option, Command):
            field = self.query_one(CommandInput)
            field.value = str(option.hit.text).partition("  (")[0]
            field.action_end()

    def dismiss(self, result: None = None) -> AwaitComplete:
        if self._is_answered or not self.is_active:
            return AwaitComplete()
        self._is_answered = True
        return super().dismiss(result)


class RegistryCommands(Provider):
    """Palette commands: every action that is possible on the screen below the palette."""

    def _known(self) -> list[Action]:
        return known_at(getattr(self.screen, "PLACE", ""))

    async def discover(self) -> Hits:
        for action in self._known():
            yield DiscoveryHit(
                Content(_name(action)), self._run(action), text=_name(action), help=action.help
            )

    async def search(self, query: str) -> Hits:
        for action in self._known():
            name, score = _name(action), likeness(action, query.strip())
            if score > 0:
                yield Hit(score, Content(name), self._run(action), text=name, help=action.help)
        for action, through in elsewhere(getattr(self.screen, "PLACE", ""), query.strip()):
            name = f"{action.title}  ({key_name(action.keys[0])} on {through.title})"
            yield Hit(ELSEWHERE, Content(name), self._run(through), text=action.title, help=action.help)

    def _run(self, action: Action) -> partial[Coroutine[object, object, bool]]:
        return partial(
            self.app.run_action, action.id, self.app if EVERYWHERE in action.where else self.screen
        )


def known_at(place: str) -> list[Action]:
    """The actions that the command line offers on a screen."""
    return [action for action in actions(place) if action.id != "palette"]


def names_a_key(place: str, typed: str) -> bool:
    """Whether a text names an action that a key has, here or on a screen that a key opens."""
    return any(likeness(each, typed) > 0 for each in known_at(place)) or any(elsewhere(place, typed))


def elsewhere(place: str, typed: str) -> Iterator[tuple[Action, Action]]:
    """Actions of other screens whose title has a text, each with the action here that opens the first one."""
    here = actions(place)
    keys = {each.meaning for each in here}
    opening = {each.id: each for each in here if each.opens}
    for action in ACTIONS:
        if (
            not typed
            or action in here
            or action.meaning in keys
            or typed.casefold() not in action.title.casefold()
        ):
            continue
        through = next((opening[each] for each in action.where if each in opening), None)
        if through is not None:
            yield action, through


def likeness(action: Action, typed: str) -> float:
    """How well an action fits a text; what its help says comes behind names that have the text."""
    wanted, title = typed.casefold(), action.title.casefold()
    if wanted == title or typed in map(key_name, action.keys):
        return SURE
    if title.startswith(wanted):
        return BEGINNING
    if wanted in title or wanted in action.id.replace("_", " "):
        return PART
    if is_named(action, wanted):
        return PURPOSE
    letters = iter(title)
    return LETTERS if all(each in letters for each in wanted) else 0.0


def _name(action: Action) -> str:
    return f"{action.title}  ({key_names(action)})"
