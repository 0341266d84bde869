"""Whatever reads a file, a document or a database is found by itself, and is fed by a fuzzer.

A reader that none of `file_kinds.py` and `parsers.py` comes to fails here.
"""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import pytest

from tests.scenarios.fuzz.file_kinds import KINDS
from tests.scenarios.fuzz.parsers import PARSERS
from tests.scenarios.fuzz.sources import trees
from zconsole.base.errors import ZConsoleError

READING: Final = {
    *("read_bounded", "open_regular", "json.loads", "json.load", "tomllib.loads", "tomllib.load"),
    *("sqlite3.connect", "gzip.open", "lzma.open", "bz2.open", "os.read", "open", "os.readlink"),
}
METHODS: Final = {"read_text", "read_bytes", "readline", "readlines", "fromfile"}
NO_KIND: Final = {  # what reads, and no file of which anything is expected
    "zconsole.base.bounded_user_file": "it opens what the readers above it ask for",
    "zconsole.ui.terminal.input_reader": "keys; tests/scenarios/walks/walk.py presses them",
    "zconsole.hosts.local.local_file_reader": "files of this host as bytes; the parsers read them",
    "zconsole.hosts.prometheus_client": "an answer; tests/hosts/test_prometheus_client.py has it lie",
    "zconsole.cli.stdin_lines": "secrets, a line each, by whoever starts it; byte by byte, 64 KiB at most",
    "zconsole.cli.commands.setup.completion": "what a shell completes by, of the package itself",
    "zconsole.cli.commands.monitoring.exporter.shipped": "a file of the package itself",
    "zconsole.cli.commands.state.slow._run_input": "it opens the recording, which is a kind",
    "zconsole.zfs.change.libzfs_core_child": "the other end: a child process of ours on the storage host",
    "zconsole.system.libvirt.libvirt_python_child": "the same, on this machine",
    "zconsole.execution.run_context": "two files of /proc, of this machine's kernel",
    "zconsole.execution.outcomes.recover_runs": "an intent of the journal's rows: `journal` is a kind",
    "zconsole.actions.repair.journal_runs_of_repair": "the same",
}


def _readers() -> Iterator[tuple[str, int, str]]:
    """The file, the line and the name of each function that reads something itself."""
    for name, tree in trees():
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and any(
                map(_reads, _own(function))
            ):
                yield name, function.lineno, function.name


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """What a function does itself, without the functions in it."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
            yield from _own(child)


def _reads(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr == "open" and node.args:
        mode = node.args[0]
        return isinstance(mode, ast.Constant) and mode.value in {"r", "rb"}
    return ast.unparse(node.func) in READING or (
        isinstance(node.func, ast.Attribute) and node.func.attr in METHODS
    )


def _called(folder: Path) -> set[tuple[str, str]]:
    """Module and name of each function that the kinds of files and the parsers come to."""
    codes: set[CodeType] = set()

    def hear(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    prepared = []
    for kind in KINDS:
        place = folder / kind.name
        place.mkdir()
        prepared.append((kind, kind.make(place)))
    seeds = [(parser, min(parser.seeds(), key=len)) for parser in PARSERS]
    before = sys.getprofile()
    threading.setprofile(hear)
    sys.setprofile(hear)
    try:
        for kind, path in prepared:
            kind.read(path)
        for parser, seed in seeds:
            with suppress(ZConsoleError):
                parser.read(seed)
    finally:
        sys.setprofile(before)
        threading.setprofile(None)  # type: ignore[arg-type]  # as its documentation says
    return {(_module(code.co_filename), code.co_name) for code in codes if "zconsole" in code.co_filename}


def _module(file: str) -> str:
    parts = Path(file).with_suffix("").parts
    at = len(parts) - 1 - parts[::-1].index("zconsole") if "zconsole" in parts else 0
    return ".".join(parts[at:]).removesuffix(".__init__")


@pytest.mark.slow
def test_every_reader_is_fed_by_a_fuzzer(tmp_path: Path) -> None:
    readers = {(module, name) for module, _, name in _readers()}
    known = {
        (module, name)
        for module, name in readers
        if module in NO_KIND or f"{module}.{name}" in NO_KIND or module.rpartition(".")[0] in NO_KIND
    }

    assert 20 < len(readers)
    assert set() == readers - known - _called(tmp_path)


@pytest.mark.slow
def test_nothing_is_left_out_that_does_not_read() -> None:
    readers = {f"{module}.{name}" for module, _, name in _readers()}

    assert [] == [each for each in NO_KIND if not any(name.startswith(each) for name in readers)]
