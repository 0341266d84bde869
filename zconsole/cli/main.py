"""Run what was asked for; whatever goes wrong ends in a sentence on stderr and an exit code."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import Final, assert_never

from zconsole.base.config import Config, load_config
from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.cli.command_line import parse
from zconsole.cli.error_messages import complain
from zconsole.cli.first_word import subcommand_of
from zconsole.cli.requests import (
    Apply,
    CapacityCompare,
    CapacityLayout,
    CapacityNeed,
    CapacityWhatIf,
    Check,
    Console,
    FindReclaim,
    Forecast,
    Invocation,
    Iostat,
    Prepare,
    ReadJournal,
    Record,
    Replicas,
    Sample,
    ShowTree,
    Slow,
    Status,
    Stream,
    Sudoers,
    Trust,
)

UNKNOWN: Final = 3  # what monitoring plugins end with when they cannot tell, wrong words included


def run_words(argv: Sequence[str]) -> int:
    """Run one command line; returns its exit code. Raises BrokenPipeError and KeyboardInterrupt."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # no locale makes a name an error
    try:
        code = _run(parse(argv), load_config())
    except UsageError as error:
        complain(error)
        code = UNKNOWN if subcommand_of(argv) == "check" else error.exit_code
    except ZConsoleError as error:
        complain(error)
        code = error.exit_code
    except SystemExit as done:  # argparse has printed its help
        code = done.code if isinstance(done.code, int) else 0
    sys.stdout.flush()
    return code


def _run(asked: Invocation, config: Config) -> int:
    """Hand over to the subcommand; each is imported only when it is asked for."""
    match asked:
        case Console():
            from zconsole.base.gc_tuning import look_not_yet

            look_not_yet()
            from zconsole.cli.commands.console import run_console

            return run_console(asked, config)
        case Status():
            from zconsole.cli.commands.status import run_status

            return run_status(asked, config)
        case Check():
            from zconsole.cli.commands.check import run_check

            return run_check(asked, config)
        case Iostat():
            from zconsole.cli.commands.iostat import run_iostat

            return run_iostat(asked, config)
        case Slow():
            from zconsole.cli.commands.slow import run_slow

            return run_slow(asked, config)
        case Stream():
            from zconsole.cli.commands.stream import run_stream

            return run_stream(asked)
        case ShowTree():
            from zconsole.cli.commands.tree import run_tree

            return run_tree(asked, config)
        case Forecast():
            from zconsole.cli.commands.forecast import run_forecast

            return run_forecast(asked, config)
        case Sample():
            from zconsole.cli.commands.sample import run_sample

            return run_sample(asked, config)
        case Replicas():
            from zconsole.cli.commands.replicas import run_replicas

            return run_replicas(asked, config)
        case FindReclaim():
            from zconsole.cli.commands.reclaim import run_reclaim

            return run_reclaim(asked, config)
        case Record():
            from zconsole.cli.commands.record import run_record

            return run_record(asked, config)
        case Trust():
            from zconsole.cli.commands.trust import run_trust

            return run_trust(asked, config)
        case Prepare():
            from zconsole.cli.commands.plan import run_plan

            return run_plan(asked, config)
        case Apply():
            from zconsole.cli.commands.apply import run_apply

            return run_apply(asked, config)
        case ReadJournal():
            from zconsole.cli.commands.journal import run_journal

            return run_journal(asked)
        case Sudoers():
            from zconsole.cli.commands.sudoers import run_sudoers

            return run_sudoers(asked)
        case CapacityLayout() | CapacityNeed() | CapacityCompare():
            from zconsole.cli.commands.capacity import run_capacity

            return run_capacity(asked)
        case CapacityWhatIf():
            from zconsole.cli.commands.capacity_what_if import run_what_if

            return run_what_if(asked, config)
        case _:
            assert_never(asked)
