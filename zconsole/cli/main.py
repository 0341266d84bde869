"""Dispatch of a request; every error ends in a sentence on stderr and an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Final

from zconsole.base.errors import ZConsoleError
from zconsole.base.escape_control_characters import visible
from zconsole.base.gc_tuning import disable_gc
from zconsole.base.notifications.silences import FILE, PRACTICE_FILE
from zconsole.base.size_units import SizeUnits, use_size_units
from zconsole.base.user_config_file import load_config
from zconsole.cli.error_messages import complain
from zconsole.cli.selected_hosts import HostSelection

PLAIN: Final[tuple[list[str], ...]] = ([], ["--demo"])  # command lines that need no parser
TLS: Final = "ssl"
UNKNOWN: Final = 3  # UNKNOWN of monitoring plugins, also for usage errors


def run_words(argv: Sequence[str]) -> int:
    """Run one command line; returns its exit code. Raises BrokenPipeError and KeyboardInterrupt."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names are printable in any locale
    if list(argv) in PLAIN:
        return _run_console(argv)
    from zconsole.cli.json_output import begin_documents, print_if_none
    from zconsole.cli.parse_command_line import subcommand_of, understood
    from zconsole.reports.text.ascii_stdout import print_ascii_if_asked

    wants_json = False
    begin_documents()
    try:
        if subcommand_of(argv) is None:
            disable_gc()
        command, asked = understood(argv)
        wants_json = _asks_for_json(asked)
        if not wants_json and subcommand_of(argv) is not None:
            print_ascii_if_asked(os.environ)
        config = load_config(silences_file=_silences_file(asked))
        use_size_units(SizeUnits.BINARY if wants_json else config.units)
        code = command.run(asked, config)
    except ZConsoleError as error:
        complain(error)
        code = error.exit_code
        if subcommand_of(argv) == "check":
            code = UNKNOWN
        if wants_json:
            print_if_none(error)
        elif subcommand_of(argv) == "check":
            print(f"ZFS UNKNOWN - {visible(error.message)}")  # monitoring shows stdout alone
    except SystemExit as done:  # argparse has printed its help
        code = done.code if isinstance(done.code, int) else 0
    sys.stdout.flush()
    return code


def _run_console(argv: Sequence[str]) -> int:
    """`zconsole` and `zconsole --demo`: argparse and all options cost time before the first frame."""
    disable_gc()
    try:
        config = load_config(silences_file=PRACTICE_FILE if argv else FILE)
        use_size_units(config.units)
        load_asyncio_without_tls()
        from zconsole.cli.console import ConsoleRequest, run_console

        code = run_console(ConsoleRequest(HostSelection(is_demo=bool(argv))), config)
    except ZConsoleError as error:
        complain(error)
        code = error.exit_code
    sys.stdout.flush()
    return code


def load_asyncio_without_tls() -> None:
    """Import asyncio as on a Python without OpenSSL, 5 ms and 1.4 MiB cheaper: no console needs its TLS.

    `import ssl` works as ever afterwards.
    """
    if TLS in sys.modules:
        return
    sys.modules[TLS] = None  # type: ignore[assignment]  # an import of it fails
    try:
        import asyncio  # noqa: F401
    finally:
        del sys.modules[TLS]


def _asks_for_json(asked: object) -> bool:
    """A script reads the sentences of JSON as well: they are the same for every user."""
    return any(getattr(asked, name, False) for name in ("json", "is_json", "is_jsonl"))


def _silences_file(asked: object) -> str:
    """The practice host has a file of its own: a real host may have its name."""
    where = getattr(asked, "where", None)
    return PRACTICE_FILE if isinstance(where, HostSelection) and where.is_demo else FILE
