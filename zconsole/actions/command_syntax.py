"""Syntax of actions: command line usage, and the table in the manual."""

from __future__ import annotations

import shlex
from typing import Final

from zconsole.actions.action_spec import FLAG, ActionSpec, Argument, Option
from zconsole.actions.catalogue import SPECS, spec
from zconsole.actions.intent import Intent, TargetKind

KINDS: Final = (  # target types in usage order
    (TargetKind.FILESYSTEM, "DATASET"), (TargetKind.VOLUME, "DATASET"), (TargetKind.SNAPSHOT, "SNAPSHOT"),
    (TargetKind.BOOKMARK, "BOOKMARK"), (TargetKind.POOL, "POOL"),
    (TargetKind.VDEV, "POOL"), (TargetKind.LEAF, "POOL"),
)  # fmt: skip
MOST_KINDS: Final = 3  # listed in a usage line
NAMED_OTHERWISE: Final = {
    "import": "POOL-OR-GUID",
    "create": "DATASET",
    "create-pool": "POOL",
    "labelclear": "DISK",
    "receive": "DATASET",
    "syncoid": "DATASET",
}


def usage_of(known: ActionSpec) -> str:
    """Usage of an action: `replace POOL [OLD] NEW`."""
    return " ".join([known.id, target_word(known), *map(_in_usage, known.arguments)])


def target_word(known: ActionSpec) -> str:
    """The first word of an action."""
    words = dict.fromkeys(word for kind, word in KINDS if kind in known.targets)
    return NAMED_OTHERWISE.get(known.id) or ("|".join(words) if len(words) <= MOST_KINDS else "TARGET")


def plan_command(wanted: Intent) -> str:
    """The command line that plans an action; missing words are argument names."""
    options: list[str] = []
    for name, value in wanted.options:
        options += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    needed = [each.name for each in spec(wanted.action).arguments if not each.is_optional]
    missing = needed[len(wanted.arguments) :]
    words = ["zconsole", "plan", wanted.action, wanted.target, *wanted.arguments, *missing, *options]
    return shlex.join(words)


def actions_table() -> str:
    """Table of actions for docs/actions.md: words, options, effect."""
    rows = ["| action | options | what it does |", "|---|---|---|"]
    for known in SPECS:
        options = ", ".join(f"`{_option(option)}`" for option in known.options)
        usage = usage_of(known).replace("|", "\\|")
        rows.append(f"| `{usage}` | {options} | {known.help} |")
    return "\n".join(rows) + "\n"


def _option(option: Option) -> str:
    return f"--{option.name}" if option.kind == FLAG else f"--{option.name} {option.kind.upper()}"


def _in_usage(argument: Argument) -> str:
    word = f"{argument.name}..." if argument.is_repeated else argument.name
    return f"[{word}]" if argument.is_optional else word
