"""Command line: a verb alone, a verb whose object it does not fit, and words that are nearly known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.intent import DATASETS, Target, TargetKind
from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.ui.command_line.actions_by_verb_and_object import NamedAction, fits, named_specs, title_of
from zconsole.ui.command_line.named_place import NamedPlace
from zconsole.ui.command_line.names_on_demand import snapshots_of
from zconsole.views.layout.screen_key_registry import ACTIONS, key_of
from zconsole.views.layout.words_of_need import verbs_named

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp
    from zconsole.ui.screens.shared.console_screen import ConsoleScreen

UNDER_CURSOR: Final = 0.6  # scores: the verb fits the row under the cursor
WHOLE_TITLE: Final = 1.1  # of several words, which may be a verb and a part of a name as well: `send to`
OTHERS: Final = 0.55  # it fits these objects
BY_PURPOSE: Final = 0.45  # its title has other words
NOTHING: Final = 0.01
MOST_OBJECTS: Final = 12
MOST_VERBS: Final = 8
MOST_SNAPSHOTS: Final = 8
SHELL: Final = frozenset({"zpool", "zfs", "zconsole", "sudo"})  # words in front of a verb in a shell
MOST_COMPARED: Final = 2000  # names, at each key typed that leads to nothing
CLOSE: Final = 0.7  # likeness from which a word may be meant
KINDS: Final = {
    TargetKind.HOST: "a host", TargetKind.POOL: "a pool", TargetKind.VDEV: "a vdev",
    TargetKind.LEAF: "a device", TargetKind.DISK: "a disk", TargetKind.FILESYSTEM: "a file system",
    TargetKind.VOLUME: "a volume", TargetKind.SNAPSHOT: "a snapshot", TargetKind.BOOKMARK: "a bookmark",
    TargetKind.FILE: "a file of a snapshot", TargetKind.GUEST: "a guest",
}  # fmt: skip
OF_SNAPSHOTS: Final = frozenset({TargetKind.SNAPSHOT, TargetKind.BOOKMARK, TargetKind.FILE})
OF_VDEVS: Final = frozenset({TargetKind.VDEV, TargetKind.LEAF, TargetKind.DISK})


def verbs_alone(
    app: ConsoleApp,
    screen: ConsoleScreen,
    known: Sequence[NamedPlace],
    query: str,
    in_trouble: frozenset[str] = frozenset(),
) -> Iterator[NamedAction]:
    """What a verb without an object does: on the row under the cursor, else on the objects that it fits."""
    by_title, by_purpose = verbs_named(query)
    here = screen.acted_on()
    wanted = query.strip().casefold()
    whole = [each for each in by_title if wanted in {each.id, title_of(each).casefold()}] or by_title
    for spec in (*by_title, *by_purpose)[:MOST_VERBS]:
        score = UNDER_CURSOR if spec in by_title else BY_PURPOSE
        if wanted == title_of(spec).casefold() and " " in wanted:
            score = WHOLE_TITLE
        title = title_of(spec)
        if not isinstance(here, str) and fits(spec, here[1]):
            host, target = here
            go = partial(app.act, host, target, spec.id)
            yield NamedAction(
                f"{title} {target.path or target.name}", "(under the cursor)", spec.help, score, go
            )
        elif whole == [spec]:
            yield from _objects_of(app, screen, spec, known, in_trouble)
        else:
            go_on = partial(app.open_command_line, f"{title.casefold()} ")
            yield NamedAction(title, f"takes {_kinds(spec)}", spec.help, score, go_on)


def verbs_of_others(
    app: ConsoleApp, screen: ConsoleScreen, known: Sequence[NamedPlace], query: str
) -> Iterator[NamedAction]:
    """What a verb takes that does not fit the object that was named with it, or names none."""
    typed = query.split()
    for words in range(len(typed) - 1, 0, -1):
        specs = named_specs(" ".join(typed[:words]))
        if not specs:
            continue
        wanted = " ".join(typed[words:])
        of = _meant(known, wanted) or _not_read(app, known, wanted)
        for spec in specs[:MOST_VERBS]:
            yield from _of_another_kind(app, screen, spec, of)
        return


def without_shell_word(query: str) -> str:
    """The words behind `zpool`, `zfs` or `zconsole`."""
    typed = query.split()
    return " ".join(typed[1:] if len(typed) > 1 and typed[0].casefold() in SHELL else typed)


def nearest(known: Iterable[NamedPlace], query: str) -> str:
    """The query with known words in the place of those that are nearly so; empty where none is near."""
    from difflib import get_close_matches  # noqa: PLC0415  # where nothing was found

    typed = query.casefold().split()
    meant = list(typed)
    titles = (f"{each.id} {each.title}" for each in SPECS)
    words = {
        word for text in (*titles, *(each.title for each in ACTIONS)) for word in text.casefold().split()
    }
    named = islice(known, MOST_COMPARED)
    words |= {name.casefold() for each in named for name in (*each.kind.split(), each.name, *each.aliases)}
    for at, word in enumerate(meant):
        if not any(word in each for each in words):
            meant[at] = next(iter(get_close_matches(word, words, n=1, cutoff=CLOSE)), word)
    near = " ".join(meant)
    return "" if near == " ".join(typed) else near


def not_found(app: ConsoleApp, query: str, near: str) -> NamedAction:
    """The line for words that name nothing: what may be meant, and where all names are."""
    if near:
        return NamedAction(f"Did you mean: {near}", "", "", NOTHING, partial(app.open_command_line, near))
    told = f"{key_of('keys')} lists all keys; the commands of the shell: zconsole --help"
    again = partial(app.open_command_line, query)
    return NamedAction(f"Nothing is named {query}", "", told, NOTHING, again)


def _objects_of(
    app: ConsoleApp,
    screen: ConsoleScreen,
    spec: ActionSpec,
    known: Sequence[NamedPlace],
    in_trouble: frozenset[str],
) -> Iterator[NamedAction]:
    """An action with each object that it fits, those with findings first; else what it takes."""
    found = [each for each in known if each.target is not None and fits(spec, each.target)]
    host, pool = screen.subject()
    found.sort(
        key=lambda each: (
            not in_trouble.intersection((each.name, *each.aliases)),
            bool(host) and each.host != host,
            each.target is not None and bool(pool) and each.target.pool != pool,
        )
    )
    here = screen.acted_on()
    snapshots = [] if isinstance(here, str) else _snapshots_below(app, spec, *here)
    offered = list(_with_each(app, spec, (*snapshots, *found)[:MOST_OBJECTS]))
    yield from offered or (_what_it_takes(app, screen, spec, None),)


def _of_another_kind(
    app: ConsoleApp,
    screen: ConsoleScreen,
    spec: ActionSpec,
    of: NamedPlace,
) -> Iterator[NamedAction]:
    target = of.target
    if target is None:
        has_place = bool(of.host) and bool(spec.targets & (DATASETS | OF_SNAPSHOTS))
        again = partial(app.open_command_line, f"{title_of(spec).casefold()} ")
        where = f"takes {_kinds(spec)}; none that was read is named {of.name}"
        if has_place:
            go = partial(_read_first, app, of, title_of(spec))
            yield NamedAction(title_of(spec), f"{where}: Enter reads them", spec.help, OTHERS, go)
        else:
            yield NamedAction(title_of(spec), where, spec.help, OTHERS, again)
        return
    offered = list(_with_each(app, spec, _snapshots_below(app, spec, of.host, target)))
    yield from offered or (_what_it_takes(app, screen, spec, of),)


def _read_first(app: ConsoleApp, of: NamedPlace, title: str) -> None:
    """Open the datasets that the name would be among, and say that nothing was planned."""
    of.go()
    if (front := app.front()) is not None:
        front.say(
            f"nothing is planned yet: these are read first; then {key_of('act')} on {of.name} has {title}"
        )


def _snapshots_below(app: ConsoleApp, spec: ActionSpec, host: str, target: Target) -> list[NamedPlace]:
    """The newest snapshots of a dataset, for an action that takes one; empty for other objects."""
    if TargetKind.SNAPSHOT not in spec.targets or target.kind not in DATASETS:
        return []
    return list(islice(snapshots_of(app, host, target.pool, target.name), MOST_SNAPSHOTS))


def _with_each(app: ConsoleApp, spec: ActionSpec, of: Iterable[NamedPlace]) -> Iterator[NamedAction]:
    """An action with each of these objects."""
    for each in of:
        if each.target is not None:
            act = partial(app.act, each.host, each.target, spec.id)
            yield NamedAction(f"{title_of(spec)} {each.name}", each.where, spec.help, OTHERS, act)


def _what_it_takes(
    app: ConsoleApp, screen: ConsoleScreen, spec: ActionSpec, of: NamedPlace | None
) -> NamedAction:
    """The kinds of objects that an action takes, and the screen that has them."""
    host, pool = screen.subject()
    target = of.target if of is not None else None
    if of is not None and target is not None:
        host, pool = of.host, target.pool or pool
    states = [each for each in app.states.newest() if each.host == host or not host]
    if not host and states:
        host = states[0].host
    pool = pool or next((each.name for state in states for each in state.pools), "")
    told = f"takes {_kinds(spec)}"
    go: Callable[[], object] = partial(app.to_first_screen, host)
    if TargetKind.GUEST in spec.targets:
        told, go = f"{told}: {key_of('guests')} lists them", partial(app.open, "guests", host)
    elif spec.targets <= OF_SNAPSHOTS and pool:
        dataset = target.name if target is not None and target.kind in DATASETS else ""
        told = f"{told}: {key_of('expand')} on Datasets lists those of {dataset or 'a dataset'}"
        go = partial(app.open, "datasets", host, pool, *([dataset] if dataset else []))
    elif spec.targets & DATASETS and pool:
        told, go = f"{told}: Datasets lists them", partial(app.open, "datasets", host, pool)
    elif spec.targets & OF_VDEVS and pool:
        told, go = f"{told}: the screen of the pool lists them", partial(app.open_pool, host, pool)
    return NamedAction(title_of(spec), told, spec.help, OTHERS, go)


def _not_read(app: ConsoleApp, known: Iterable[NamedPlace], wanted: str) -> NamedPlace:
    """A name that nothing has: without an object, at the pool that a dataset of this name would be in."""
    pool = next((each for each in known if each.kind == "pool" and each.name == pool_of(wanted)), None)
    if pool is None:
        return NamedPlace("", wanted, partial(app.open_command_line, wanted))
    go = partial(app.open, "datasets", pool.host, pool.name, dataset_of(wanted))
    return NamedPlace("", wanted, go, host=pool.host)


def _kinds(spec: ActionSpec) -> str:
    """`a file system, a volume or a snapshot`: what an action is for."""
    *first, last = [words for kind, words in KINDS.items() if kind in spec.targets]
    return f"{', '.join(first)} or {last}" if first else last


def _meant(known: Sequence[NamedPlace], wanted: str) -> NamedPlace | None:
    """The object that has the words as a name, at its end, or in it."""
    typed = wanted.casefold()
    named = [
        (name.casefold(), each)
        for each in known
        if each.target is not None
        for name in (each.words, each.name, *each.aliases)
    ]
    whole = (each for name, each in named if name == typed)
    at_end = (each for name, each in named if name.endswith(f"/{typed}"))
    part = (each for name, each in named if typed in name)
    return next(chain(whole, at_end, part), None)
