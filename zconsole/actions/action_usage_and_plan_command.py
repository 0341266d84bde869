"""Syntax of actions on the command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import ActionSpec, Argument
from zconsole.actions.intent import Intent, TargetKind
from zconsole.actions.plan import Plan
from zconsole.model.host.machine_identity import MachineIdentity

KINDS: Final = (  # target types in usage order
    (TargetKind.FILESYSTEM, "DATASET"), (TargetKind.VOLUME, "DATASET"), (TargetKind.SNAPSHOT, "SNAPSHOT"),
    (TargetKind.BOOKMARK, "BOOKMARK"), (TargetKind.POOL, "POOL"),
    (TargetKind.VDEV, "POOL"), (TargetKind.LEAF, "POOL"),
)  # fmt: skip
MOST_KINDS: Final = 3  # listed in a usage line
NAMING_A_HOST: Final = (
    "advise",
    "disks",
    "forecast",
    "guests",
    "reclaim",
    "replicas",
    "repair",
    "slow",
    "status",
    "tree",
)
_OF_A_HOST: Final = re.compile(rf"zconsole (?:plan [a-z][a-z-]*|{'|'.join(NAMING_A_HOST)})(?![\w-])")


def usage_of(known: ActionSpec) -> str:
    """Usage of an action: `replace POOL [OLD] NEW`."""
    return " ".join([known.id, target_word(known), *map(_in_usage, known.arguments)])


def target_word(known: ActionSpec) -> str:
    """The first word of an action."""
    words = dict.fromkeys(word for kind, word in KINDS if kind in known.targets)
    return known.target_word or ("|".join(words) if len(words) <= MOST_KINDS else "TARGET")


def plan_command(wanted: Intent, where: Sequence[str] = ()) -> str:
    """The command line that plans an action; missing words are argument names, `where` selects the host."""
    options: list[str] = []
    for name, value in wanted.options:
        options += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    needed = [each.name for each in spec(wanted.action).arguments if not each.is_optional]
    missing = needed[len(wanted.arguments) :]
    command = ["zconsole", "plan", wanted.action]
    words = [wanted.target, *wanted.arguments, *missing]
    if any(each.startswith("-") for each in words):
        return shlex.join([*command, *options, *where, "--", *words])
    return shlex.join([*command, *words, *options, *where])


def where_words(identity: MachineIdentity) -> tuple[str, ...]:
    """The words that select a machine in a command; none for this one, which has no key of an SSH host."""
    return ("--host", identity.label) if identity.host_key is not None else ()


def with_host(text: str, where: Sequence[str]) -> str:
    """A text in which each command of zconsole on a host names it, unless it names one already."""
    if not where:
        return text
    words, done, at = shlex.join(where), "", 0
    for found in _OF_A_HOST.finditer(text):
        rest = text[found.end() :].partition("zconsole ")[0]
        done += text[at : found.end()]
        if where[0].partition("=")[0] not in rest:
            done += f" {words}"
        at = found.end()
    return f"{done}{text[at:]}"


def plan_with_host(plan: Plan, where: Sequence[str]) -> Plan:
    """A plan whose sentences name the host in each command."""
    if not where:
        return plan
    return replace(
        plan,
        undo=None if plan.undo is None else with_host(plan.undo, where),
        undo_after=tuple(with_host(each, where) for each in plan.undo_after),
        undo_of_nothing_kept=with_host(plan.undo_of_nothing_kept, where),
        refusals=tuple(
            replace(each, reason=with_host(each.reason, where), instead=with_host(each.instead, where))
            for each in plan.refusals
        ),
        alternatives=tuple((with_host(why, where), wanted) for why, wanted in plan.alternatives),
        notes=tuple(with_host(each, where) for each in plan.notes),
        downtime=tuple(with_host(each, where) for each in plan.downtime),
        space=tuple(with_host(each, where) for each in plan.space),
        stays=tuple(with_host(each, where) for each in plan.stays),
        warnings=tuple(with_host(each, where) for each in plan.warnings),
        loses=tuple(with_host(each, where) for each in plan.loses),
    )


def _in_usage(argument: Argument) -> str:
    word = f"{argument.name}..." if argument.is_repeated else argument.name
    return f"[{word}]" if argument.is_optional else word
