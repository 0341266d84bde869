"""Answers whose change is the way out of a refusal: another name, value or mount point, other disks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan, WayOut
from zconsole.base.lazy_dataclass import dataclass
from zconsole.zfs.vdev_arguments import parse_layout

TARGET: Final = ""  # the place of an answer that is the target itself
OPTION: Final = "--"
_MADE: Final = frozenset({"create", "snapshot", "create-pool", "receive", "syncoid"})  # whose target is new
_NAMES: Final = frozenset({"name", "tag", "text"})  # kinds of arguments that name something new
_SETTING: Final = "property"
_MOUNTPOINT: Final = "mountpoint"
_AMOUNTS: Final = frozenset({"size", "number"})  # kinds of options
_TITLES: Final = {WayOut.NAME: "name", WayOut.VALUE: "value", WayOut.MOUNTPOINT: "mount point"}
LAYOUT: Final = "layout"
DISK: Final = "disk"


@dataclass(frozen=True, slots=True)
class AnswerToChange:
    """One answer of an intent: where it stands, what it is now, and what it means."""

    way: WayOut
    place: str  # TARGET, the name of an argument, or that of an option behind OPTION
    value: str  # where the question begins
    help: str
    former: str = ""  # of the plan that was refused
    title: str = ""  # what it is, where that is more than the way out says
    before: tuple[str, ...] = ()  # of disks: the arguments in front of them
    disks: tuple[str, ...] = ()  # where their list begins

    @property
    def words(self) -> str:
        """What its key does: `another name than tank/gold`."""
        if self.way is WayOut.DISKS:
            are_several = len(self.disks) > 1
            return "choose other disks; these stay marked" if are_several else "choose another disk"
        than = f" than {self.value}" if self.value else ""
        return f"another {self.title or _TITLES[self.way]}{than}"

    def changed(self, spec: ActionSpec, intent: Intent, value: str) -> Intent:
        """The intent with this answer in place of the former one, and all others kept."""
        if self.place == TARGET:
            return replace(intent, target=value)
        if self.place.startswith(OPTION):
            options = dict(intent.options) | {self.place.removeprefix(OPTION): value}
            return replace(intent, options=tuple(sorted(each for each in options.items() if each[1] != "")))
        at = next(at for at, each in enumerate(spec.arguments) if each.name == self.place)
        arguments = intent.arguments
        return replace(intent, arguments=(*arguments[:at], value, *arguments[at + 1 :]))

    def with_disks(self, intent: Intent, disks: tuple[str, ...]) -> Intent:
        """The intent with these disks in place of the former ones."""
        return replace(intent, arguments=(*self.before, *disks))


def answers_to_change(spec: ActionSpec, plan: Plan) -> tuple[AnswerToChange, ...]:
    """The answers with which the refusals of a plan may end, each once."""
    ways = dict.fromkeys(each.way_out for each in plan.refusals if each.way_out is not None)
    found = (_answer(spec, plan.intent, way) for way in ways)
    known = (replace(each, former=each.value) for each in found if each is not None)
    return tuple({each.place: each for each in known}.values())


def _answer(spec: ActionSpec, intent: Intent, way: WayOut) -> AnswerToChange | None:
    places = {
        WayOut.NAME: _of_name,
        WayOut.VALUE: _of_value,
        WayOut.MOUNTPOINT: _of_mountpoint,
        WayOut.DISKS: _of_disks,
    }
    return next(places[way](spec, intent), None)


def _of_name(spec: ActionSpec, intent: Intent) -> Iterator[AnswerToChange]:
    yield from _arguments(spec, intent, WayOut.NAME, _NAMES, "") if spec.id not in _MADE else ()
    if spec.id in _MADE:
        yield AnswerToChange(WayOut.NAME, TARGET, intent.target, f"{spec.title}: its name")
    for option in spec.options:
        if option.name == "name":
            yield _option(intent, WayOut.NAME, option.name, option.help)


def _of_value(spec: ActionSpec, intent: Intent) -> Iterator[AnswerToChange]:
    for option in spec.options:
        if option.kind in _AMOUNTS and intent.text(option.name) is not None:
            size = _option(intent, WayOut.VALUE, option.name, option.help)
            yield replace(size, title=option.kind)
    yield from _arguments(spec, intent, WayOut.VALUE, frozenset({_SETTING}), "")


def _of_mountpoint(spec: ActionSpec, intent: Intent) -> Iterator[AnswerToChange]:
    for option in spec.options:
        if option.name in {_MOUNTPOINT, "altroot"}:
            yield _option(intent, WayOut.MOUNTPOINT, option.name, option.help)
    yield from _arguments(spec, intent, WayOut.MOUNTPOINT, frozenset({_SETTING}), f"{_MOUNTPOINT}=")
    if spec.id in _MADE or any(each.kind == "name" for each in spec.arguments):
        yield from _of_name(spec, intent)  # its mount point follows from its name


def _of_disks(spec: ActionSpec, intent: Intent) -> Iterator[AnswerToChange]:
    """The disks at the end of the words, where all of them are one answer: of one vdev, or of one class."""
    for at, argument in enumerate(spec.arguments[: len(intent.arguments)]):
        words = intent.arguments[at:]
        if argument.kind == DISK:
            words = disks = words[:1]
        elif argument.kind == LAYOUT:
            disks = tuple(each for group in parse_layout(words) for each in group.devices)
        else:
            continue
        kinds = words[: len(words) - len(disks)]
        if words == (*kinds, *disks):
            before = (*intent.arguments[:at], *kinds)
            yield AnswerToChange(WayOut.DISKS, argument.name, "", argument.help, before=before, disks=disks)


def _arguments(
    spec: ActionSpec, intent: Intent, way: WayOut, kinds: frozenset[str], begin: str
) -> Iterator[AnswerToChange]:
    for argument, value in zip(spec.arguments, intent.arguments, strict=False):
        if argument.kind in kinds and value.startswith(begin):
            yield AnswerToChange(way, argument.name, value, f"{argument.name}: {argument.help}")


def _option(intent: Intent, way: WayOut, name: str, explained: str) -> AnswerToChange:
    return AnswerToChange(way, f"{OPTION}{name}", intent.text(name) or "", f"{name}: {explained}")
