"""Syntax of actions on the command line."""

from __future__ import annotations

import shlex
from typing import Final

from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import ActionSpec, Argument
from zconsole.actions.intent import Intent, TargetKind

KINDS: Final = (  # target types in usage order
    (TargetKind.FILESYSTEM, "DATASET"), (TargetKind.VOLUME, "DATASET"), (TargetKind.SNAPSHOT, "SNAPSHOT"),
    (TargetKind.BOOKMARK, "BOOKMARK"), (TargetKind.POOL, "POOL"),
    (TargetKind.VDEV, "POOL"), (TargetKind.LEAF, "POOL"),
)  # fmt: skip
MOST_KINDS: Final = 3  # listed in a usage line


def usage_of(known: ActionSpec) -> str:
    """Usage of an action: `replace POOL [OLD] NEW`."""
    return " ".join([known.id, target_word(known), *map(_in_usage, known.arguments)])


def target_word(known: ActionSpec) -> str:
    """The first word of an action."""
    words = dict.fromkeys(word for kind, word in KINDS if kind in known.targets)
    return known.target_word or ("|".join(words) if len(words) <= MOST_KINDS else "TARGET")


def plan_command(wanted: Intent) -> str:
    """The command line that plans an action; missing words are argument names."""
    options: list[str] = []
    for name, value in wanted.options:
        options += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    needed = [each.name for each in spec(wanted.action).arguments if not each.is_optional]
    missing = needed[len(wanted.arguments) :]
    words = ["zconsole", "plan", wanted.action, wanted.target, *wanted.arguments, *missing, *options]
    return shlex.join(words)


def _in_usage(argument: Argument) -> str:
    word = f"{argument.name}..." if argument.is_repeated else argument.name
    return f"[{word}]" if argument.is_optional else word
