"""Textual bindings and palette commands of the registry's actions. An action's method is `action_ID`."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import cache, partial
from typing import ClassVar, Final

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

from zconsole.views.layout.screen_key_registry import (
    ACTIONS,
    EVERYWHERE,
    Action,
    actions,
    key_name,
    key_names,
)

ON_ROWS: Final = frozenset((
    *("open", "histograms", "why", "datasets", "load", "arc", "planner", "fold", "kin", "diff", "browse"),
    *("copy", "act", "calendar", "reclaim", "mark_one", "mark_range", "destroy_marked", "repair", "unlock"),
    *("plan_offer", "host_key", "mark", "marks", "save", "refresh"),
))  # fmt: skip


SURE: Final = 3.0  # the score of an action whose title or key was typed


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

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", show=False, priority=True)]
    _is_answered = False

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
        place = getattr(self.screen, "PLACE", "")
        return [action for action in actions(place) if action.id != "palette"]

    async def discover(self) -> Hits:
        for action in self._known():
            yield DiscoveryHit(
                Content(_name(action)), self._run(action), text=_name(action), help=action.help
            )

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for action in self._known():
            name = _name(action)
            score = max(matcher.match(name), 0.9 * matcher.match(action.help))
            if query.casefold() == action.title.casefold() or query in map(key_name, action.keys):
                score = SURE
            if score > 0:
                yield Hit(score, Content(name), self._run(action), text=name, help=action.help)

    def _run(self, action: Action) -> partial[Coroutine[object, object, bool]]:
        return partial(
            self.app.run_action, action.id, self.app if EVERYWHERE in action.where else self.screen
        )


def _name(action: Action) -> str:
    return f"{action.title}  ({key_names(action)})"
