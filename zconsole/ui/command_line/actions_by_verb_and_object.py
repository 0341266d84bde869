"""Command line: an action with its object, such as `destroy tank/home`, `replace vault`, `history tank`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.intent import Target, TargetKind
from zconsole.base.lazy_dataclass import dataclass
from zconsole.ui.screens_by_name import screen_class
from zconsole.views.layout.screen_key_registry import ACTIONS, Action
from zconsole.views.layout.words_of_need import begins

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp
    from zconsole.ui.command_line.named_place import NamedPlace

OF_POOL: Final = ("host", "pool")  # what the screens of a pool are about
REPAIR: Final = "repair"
MOST: Final = 30
BY_NAME: Final = 0.9  # scores: the object has the words in its name
BY_PLACE: Final = 0.8  # it is in the pool, or on the host, that has them
SCREEN_FIRST: Final = 0.05  # a screen of an object before the actions on it


@dataclass(frozen=True, slots=True)
class NamedAction:
    """An action on an object that the words name, with how well they do."""

    words: str  # what completion writes
    where: str
    help: str
    score: float
    go: Callable[[], object]


def named_actions(app: ConsoleApp, known: Iterable[NamedPlace], query: str) -> list[NamedAction]:
    """The actions for a verb and words of an object, the best fit first; those of one fit as in `known`."""
    typed = query.split()
    if len(typed) < 2:  # a verb alone: see `verbs_without_object`
        return []
    places = [each for each in known if each.target is not None]
    found: dict[str, NamedAction] = {}
    for words in range(1, len(typed)):
        verb, wanted = " ".join(typed[:words]), " ".join(typed[words:])
        specs = named_specs(verb)
        screens = [each for each in ACTIONS if (each.opens or each.id == REPAIR) and begins(each.title, verb)]
        if not specs and not screens:
            continue
        for place in places:
            score = _fit(place, wanted)
            if score:
                for each in (*_screens(app, screens, place, score), *_actions(app, specs, place, score)):
                    found.setdefault(f"{each.words} {each.where}", each)
    return sorted(found.values(), key=lambda each: -each.score)[:MOST]


def named_specs(verb: str) -> list[ActionSpec]:
    """The actions on objects whose title or id has words that begin with these."""
    return [each for each in SPECS if begins(f"{each.id} {each.title}", verb)]


def title_of(spec: ActionSpec) -> str:
    """The title of an action in front of its object."""
    return spec.title.removesuffix(" ...")


def fits(spec: ActionSpec, target: Target) -> bool:
    """Whether an action is for an object; on a host it may be for a disk of it."""
    kinds = {target.kind, TargetKind.DISK} if target.kind is TargetKind.HOST else {target.kind}
    return bool(kinds & spec.targets)


def _fit(place: NamedPlace, wanted: str) -> float:
    """How well the words name an object: by its name, its beginning, a part of it, or where it is."""
    typed = wanted.casefold()
    names = [each.casefold() for each in (place.name, *place.aliases)]
    if typed in names:
        return 1.0
    if any(each.startswith(typed) for each in names):
        return (1.0 + BY_NAME) / 2
    if any(typed in each for each in names):
        return BY_NAME
    return BY_PLACE if begins(f"{place.kind} {place.name} {place.where}", wanted) else 0.0


def _actions(
    app: ConsoleApp, specs: Iterable[ActionSpec], place: NamedPlace, score: float
) -> Iterator[NamedAction]:
    target = place.target
    assert target is not None  # noqa: S101  # only such are looked through
    for spec in specs:
        if fits(spec, target):
            go = partial(app.act, place.host, target, spec.id)
            yield NamedAction(f"{title_of(spec)} {place.name}", place.where, spec.help, score, go)


def _screens(
    app: ConsoleApp, screens: Iterable[Action], place: NamedPlace, score: float
) -> Iterator[NamedAction]:
    """The screens of a pool."""
    target = place.target
    if target is None or target.kind is not TargetKind.POOL:
        return
    for action in screens:
        if action.id == REPAIR:
            go: Callable[[], object] = partial(app.open_repair, place.host, target.pool)
        elif screen_class(action.opens).ABOUT == OF_POOL:
            go = partial(app.open, action.opens, place.host, target.pool)
        else:
            continue
        yield NamedAction(f"{action.title} {place.name}", place.where, action.help, score + SCREEN_FIRST, go)
