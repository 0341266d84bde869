"""Sentences in the source: each literal of words, with its function, and a record of what it became.

Importing `zconsole` after `watch` compiles the modules of `ROOMS` so that each of their literals reports its
value when it is evaluated. Nothing is listed by hand: a new sentence is there as soon as it is written.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

ROOT: Final = Path(__file__).parents[2]
ROOMS: Final = (
    "zconsole/analysis/findings",
    "zconsole/analysis/repair/boot_disk.py",
    "zconsole/analysis/repair/common_cause/controller_or_shelf_failure.py",
    "zconsole/analysis/repair/departed_disk_evidence.py",
    "zconsole/analysis/repair/device_facts_of_pool.py",
    "zconsole/analysis/repair/device_trouble.py",
    "zconsole/analysis/repair/disk_or_cable.py",
    "zconsole/analysis/repair/disks_to_read_smart_data_first.py",
    "zconsole/analysis/repair/failure_cause.py",
    "zconsole/analysis/repair/measured_resilver_latency.py",
    "zconsole/analysis/repair/quiet_since_reconnect.py",
    "zconsole/analysis/repair/reasons_not_to_replace.py",
    "zconsole/analysis/repair/redundancy_and_data_safety_in_words.py",
    "zconsole/analysis/repair/returned_disk_search.py",
    "zconsole/analysis/repair/several_failed_devices.py",
    "zconsole/analysis/repair/spare_and_replacing_vdevs.py",
    "zconsole/analysis/repair/vdev_growth_progress.py",
    "zconsole/analysis/replication/coverage_findings.py",
    "zconsole/analysis/replication/stale_replicas_and_stopped_snapshots.py",
    "zconsole/analysis/vdevs/redundancy.py",
    "zconsole/analysis/vdevs/scan_eta.py",
    "zconsole/analysis/vdevs/smart_assessment.py",
    "zconsole/analysis/slow_disks",
    "zconsole/analysis/forecast",
    "zconsole/views/findings/slow_disk_document.py",
    "zconsole/views/findings/slow_disk_phrases.py",
    "zconsole/views/capacity/forecast.py",
    "zconsole/views/pools/pool_condition_phrases.py",
    "zconsole/reports/text/status.py",
)
COMPARED: Final = frozenset(  # words that are looked for in what ZFS says, and never said
    {
        "Some supported features are not enabled",
        "Some supported and requested features are not enabled",
        "Mismatch between pool hostid and system hostid",
        "ereport delay",
        "resource statechange",
        "ereport deadman",
        "ereport sitout",
    }
)
_HOOK: Final = "__said__"
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_VALUES_KEPT: Final = 500  # of one literal


@dataclass(frozen=True, slots=True)
class Threshold:
    """Constant that a function uses: its value as written, and the comment beside it."""

    name: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Place:
    """Function, or table of a module, in which words are made; `rule` is its docstring."""

    module: str
    function: str
    rule: str
    thresholds: tuple[Threshold, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """One literal: its fixed words, with the code of each value in braces."""

    place: Place
    number: int  # in its module
    words: str

    @property
    def key(self) -> tuple[str, int]:
        """Its identity within one version of the source."""
        return self.place.module, self.number


@cache
def templates() -> tuple[Template, ...]:
    """Every literal of words of the rooms, in the order of the files."""
    return tuple(each for file in _files() for each in _of_file(file))


@cache
def _files() -> tuple[Path, ...]:
    found: list[Path] = []
    for room in ROOMS:
        place = ROOT / room
        found += sorted(place.rglob("*.py")) if place.is_dir() else [place]
    return tuple(found)


def _of_file(file: Path) -> Iterator[Template]:
    text = file.read_text("utf-8")
    return templates_of(text, str(file.relative_to(ROOT)))


def templates_of(text: str, module: str) -> Iterator[Template]:
    """The literals of words of one module's source."""
    return (each for _, each in _of_tree(ast.parse(text), text, module))


def _of_tree(
    tree: ast.Module, text: str, module: str
) -> Iterator[tuple[ast.Constant | ast.JoinedStr, Template]]:
    constants = dict(_constants(tree, text.split("\n")))
    docs, number = _docstrings(tree), 0
    for top in tree.body:
        place = _place(module, top, constants)
        for node in _within(top):
            if id(node) not in docs and _is_said(node) and _shown(node) not in COMPARED:
                yield node, Template(place, number, _shown(node))
                number += 1


def _place(module: str, top: ast.stmt, constants: dict[str, Threshold]) -> Place:
    if isinstance(top, (ast.FunctionDef, ast.ClassDef)):
        used = {node.id for node in ast.walk(top) if isinstance(node, ast.Name)}
        thresholds = tuple(each for name, each in constants.items() if name in used)
        return Place(module, top.name, " ".join((ast.get_docstring(top) or "").split()), thresholds)
    return Place(module, "", "", ())


def _constants(tree: ast.Module, lines: Sequence[str]) -> Iterator[tuple[str, Threshold]]:
    """Numbers of a module with the comments beside them."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            value = ast.unparse(node.value)
            if re.fullmatch(r"[\d_.eE+*/ ()-]+|[\d_.]+ \* [A-Z_]+", value):
                _, _, reason = lines[node.lineno - 1].partition("  # ")
                yield node.target.id, Threshold(node.target.id, value, reason)


def _docstrings(tree: ast.AST) -> set[int]:
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Constant, ast.JoinedStr))
    }


def _literals(top: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Strings outside annotations, patterns and the fixed parts of other strings."""
    annotation = getattr(top, "returns", None) or getattr(top, "annotation", None)
    for node in ast.iter_child_nodes(top):
        if node is annotation:
            continue
        if isinstance(node, ast.JoinedStr):
            yield node
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    yield from _within(part.value)
        elif isinstance(node, (ast.pattern, ast.arg)) or _is_regex(node):
            continue
        else:
            yield from _within(node)


def _is_regex(node: ast.AST) -> bool:
    """Whether it is a `re.compile(...)`, whose words are looked for."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"


def _within(node: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node
    elif isinstance(node, ast.JoinedStr):
        yield node
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from _within(part.value)
    elif isinstance(node, ast.match_case):
        for child in (node.guard, *node.body):
            yield from _within(child) if child is not None else ()
    else:
        yield from _literals(node)


def _shown(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else f"{{{_slot(_value_of(part))}}}"
        for part in node.values
    )


def _value_of(part: ast.expr) -> ast.expr:
    return part.value if isinstance(part, ast.FormattedValue) else part


def _slot(node: ast.expr) -> str:
    """What stands in a place of a sentence: the name of the value, or the words to choose from."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.removeprefix("_")
        case ast.Constant(value=value):
            return str(value)
        case ast.IfExp(body=first, orelse=second):
            return f"{_slot(first)}|{_slot(second)}"
        case ast.Call(args=[first, *_]):
            return _slot(first)
        case ast.Call(func=called):
            return _slot(called)
        case ast.Subscript(value=of) | ast.Starred(value=of):
            return _slot(of)
        case ast.JoinedStr():
            return _shown(node).strip()
        case ast.BinOp(left=first):
            return _slot(first)
        case ast.BoolOp(values=values):
            return "|".join(map(_slot, values))
        case _:
            return "..."


def _fixed(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return " ".join(str(part.value) if isinstance(part, ast.Constant) else "" for part in node.values)


def _is_said(node: ast.Constant | ast.JoinedStr) -> bool:
    """Whether a literal is words for a reader: two words, or one beside a value."""
    fixed = _fixed(node)
    least = 2 if isinstance(node, ast.Constant) else 1
    return " " in fixed.strip() and len(_WORD.findall(fixed)) >= least


RECORDED: Final[defaultdict[tuple[str, int], set[str]]] = defaultdict(set)


def _said(key: tuple[str, int], value: str) -> str:
    if len(RECORDED[key]) < _VALUES_KEPT:
        RECORDED[key].add(value)
    return value


class _Reports(ast.NodeTransformer):
    """Wraps each literal of words in a call that reports its value."""

    def __init__(self, keys: dict[int, tuple[str, int]]) -> None:
        self.keys = keys

    def visit(self, node: ast.AST) -> ast.AST:
        key = self.keys.get(id(node))
        made = self.generic_visit(node)
        if key is None or not isinstance(made, ast.expr):
            return made
        call = ast.Call(
            ast.Name(_HOOK, ast.Load()),
            [ast.Tuple([ast.Constant(each) for each in key], ast.Load()), made],
            [],
        )
        return ast.fix_missing_locations(ast.copy_location(call, made))


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        del fullname
        text = Path(self.path).read_text("utf-8")
        tree = ast.parse(text)
        found = _of_tree(tree, text, str(Path(self.path).relative_to(ROOT)))
        keys = {id(node): each.key for node, each in found}
        _Reports(keys).visit(tree)  # in place
        code: CodeType = compile(tree, self.path, "exec", dont_inherit=True)
        return code

    def exec_module(self, module: ModuleType) -> None:
        setattr(module, _HOOK, _said)
        super().exec_module(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the rooms before the ordinary finders do."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        del path, target
        file = ROOT / f"{fullname.replace('.', '/')}.py"
        if file not in _files():
            return None
        return importlib.util.spec_from_file_location(fullname, file, loader=_Loader(fullname, str(file)))


def watch() -> None:
    """Report the literals of every module of the rooms that is imported from here on."""
    names = {str(file.relative_to(ROOT).with_suffix("")).replace("/", ".") for file in _files()}
    if early := names & sys.modules.keys():
        raise RuntimeError(f"imported too early to be watched: {sorted(early)}")
    sys.meta_path.insert(0, _Finder())
