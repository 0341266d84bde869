"""`zconsole plan`: read a host and print what an action would do. Nothing is changed."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.action_spec import FLAG, ActionSpec, Option
from zconsole.actions.action_usage_and_plan_command import plan_with_host, usage_of
from zconsole.actions.intent import Intent, OptionValue, TargetKind, intent
from zconsole.actions.plan import Plan
from zconsole.base.errors import HostError, UsageError, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.json_output import print_document
from zconsole.cli.options import Parser, add_host, add_unlock, natural, seconds, where_of
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.cli.target_host_with_policy_and_journal import acting_on
from zconsole.reports.json.json_line import as_line
from zconsole.reports.json.plan import plan_document
from zconsole.reports.text.plan import plan_lines
from zconsole.storage.atomic_file import replacing


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """`zconsole plan`."""

    intent: Intent
    where: HostSelection = field(default_factory=HostSelection)
    is_json: bool = False
    output: Path | None = None
    timeout_s: float | None = None
    unlocks: bool = False
    is_full: bool = False  # with long lists and channel programs in full


WIDTH: Final = 78  # columns of the lists that argparse does not wrap


REFUSED: Final = 3
TIMEOUT_S: Final = 600.0  # a listing of a million snapshots takes minutes


def run_plan(asked: PlanRequest, config: Config) -> int:
    """Print the plan, and save it if requested; 3 when it is refused."""
    plan = asyncio.run(_prepare(asked, config))
    where = asked.where.words_for(plan.identity.label)
    plan = plan_with_host(plan, where)
    document = as_line(plan_document(plan))
    if asked.output is not None:
        _save(asked.output, document)
    if asked.is_json:
        print_document(plan_document(plan))
    else:
        saved = "" if asked.output is None else str(asked.output)
        for line in plan_lines(plan, saved, where, is_full=asked.is_full):
            print(line)
    return REFUSED if plan.is_refused else 0


async def _prepare(asked: PlanRequest, config: Config) -> Plan:
    timeout_s = asked.timeout_s or TIMEOUT_S
    try:
        async with (
            asyncio.timeout(timeout_s),
            acting_on(asked.where, config, asked.intent, unlocks=asked.unlocks) as acting,
        ):
            return await acting.operator.prepare(acting.host, asked.intent)
    except TimeoutError:
        raise HostError(
            f"no answer from the host within {timeout_s:g} s",
            hint="A pool may be suspended or a disk may hang; --timeout waits longer.",
        ) from None


def _save(path: Path, document: str) -> None:
    if str(path) == os.devnull:
        return
    try:
        with replacing(path, is_synced=True) as file:
            file.write(f"{document}\n".encode("ascii"))
    except OSError as error:
        raise ZConsoleError(
            f"the plan cannot be saved in {path}: {error.strerror or error}",
            hint="Name another file with -o.",
        ) from error


def _intent(known: ActionSpec, found: argparse.Namespace) -> Intent:
    words: Sequence[str] = found.words
    fewest = 1 + sum(1 for argument in known.arguments if not argument.is_optional)
    most = None if any(each.is_repeated for each in known.arguments) else 1 + len(known.arguments)
    if len(words) < fewest or (most is not None and len(words) > most):
        wrong = "needs more words" if len(words) < fewest else f"does not know what to do with {words[-1]!r}"
        dashes = "; a name that begins with - goes behind --" if TargetKind.GUEST in known.targets else ""
        raise UsageError(f"{known.id} {wrong}", hint=f"zconsole plan {usage_of(known)}{dashes}")
    options: dict[str, OptionValue] = {
        option.name: value
        for option in known.options
        if (value := getattr(found, _destination(option.name))) is not None
    }
    return intent(known.id, *words, options=options)


def _add_option(parser: Parser, option: Option) -> None:
    names = (*((f"-{option.letter}",) if option.letter else ()), f"--{option.name}")
    if option.implies:
        implied = tuple(map(_destination, option.implies))
        parser.add_argument(
            *names, action=_WithImplied, const=implied, dest=_destination(option.name), help=option.help
        )
    elif option.kind == FLAG:
        parser.add_argument(
            *names, action="store_true", dest=_destination(option.name), default=None, help=option.help
        )
    elif option.choices:
        parser.add_argument(*names, choices=option.choices, dest=_destination(option.name), help=option.help)
    else:
        kind: Callable[[str], OptionValue] = natural if option.kind == "number" else str
        metavar = option.kind.upper()
        parser.add_argument(
            *names, type=kind, dest=_destination(option.name), metavar=metavar, help=option.help
        )


class _WithImplied(argparse.Action):
    """A flag whose letter gives others too, as `-R` of zfs(8) includes `-r`; `const` has these."""

    def __init__(self, option_strings: Sequence[str], dest: str, **given: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **given)

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        _values: object,
        option_string: str | None = None,
    ) -> None:
        is_letter = option_string is not None and not option_string.startswith("--")
        for name in (self.dest, *(self.const if is_letter else ())):
            setattr(namespace, name, True)


def _destination(option: str) -> str:
    """Namespace attribute of an action's option, distinct from the common options."""
    return f"option_{option}"


def _table(rows: Iterable[tuple[str, str]]) -> str:
    """Two-column table of names and descriptions."""
    listed = list(rows)
    width = max((len(name) for name, _ in listed), default=0)
    return "".join(
        fill(words, WIDTH, initial_indent=f"  {name:<{width}}  ", subsequent_indent=" " * (width + 4)) + "\n"
        for name, words in listed
    )


def _add_arguments(known: ActionSpec, parser: Parser) -> None:
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    for option in known.options:
        _add_option(parser, option)
    common = parser.add_argument_group("where, and in which form")
    add_host(common)
    common.add_argument("--json", action="store_true", help="as docs/json.md documents it")
    common.add_argument("--full", action="store_true", help="all names, and the texts of channel programs")
    common.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="save it, for `zconsole apply FILE`"
    )
    common.add_argument("--timeout", type=seconds, metavar="TIME", help="for all of it (default: 10m)")
    add_unlock(common)


def _read(known: ActionSpec, found: argparse.Namespace) -> PlanRequest:
    return PlanRequest(
        _intent(known, found),
        where_of(found),
        is_json=found.json,
        output=found.output,
        timeout_s=found.timeout,
        unlocks=found.unlock,
        is_full=found.full,
    )


def _planned(known: ActionSpec) -> Subcommand:
    arguments = _table((each.name, each.help) for each in known.arguments)
    return Subcommand(
        f"plan {known.id}",
        fill(known.help, WIDTH),
        partial(_add_arguments, known),
        partial(_read, known),
        run_plan,
        epilog=f"arguments:\n{arguments}" if arguments else "",
        usage=f"zconsole plan {usage_of(known)} [options]",
    )


_ACTIONS: Final = _table((known.id, known.help) for known in SPECS)
SUBCOMMAND: Final = Subcommand(
    "plan",
    "Print what an action would do, lose and change. Nothing is changed.",
    epilog=f"actions:\n{_ACTIONS}\n`zconsole plan ACTION --help` says more.",
    usage="zconsole plan ACTION ARGS... [--host HOST] [--json] [-o FILE]",
    children=tuple(map(_planned, SPECS)),
    noun="action",
)
