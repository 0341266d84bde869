"""Every regular expression of the package, and the inputs that would make each of them slow.

Inputs are made from the expression itself: what leads to one of its repeats, then what that repeat and
whatever follows it take, over and over, then an end that does not fit.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from time import thread_time
from types import ModuleType
from typing import Any

import zconsole
from zconsole.actions.pool import set_property
from zconsole.zfs.iostat import row_parser

CALLS = frozenset({"compile", "match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer"})
METHODS = CALLS - {"compile"}
_WORDS = re.compile(rf"\bre\b|\.\s*(?:{'|'.join(sorted(METHODS))})\b")
UNKNOWN_USE = frozenset({"fullmatch", "search"})  # of one of which nothing is said where it stands
RUN_TIME = {  # made of what a user, a program's text or a pattern's own table says; each has tests of its own
    "zconsole.actions.pool.set_property": {"known.pattern"},  # the table is among the patterns here
    "zconsole.analysis.search.name_matcher": {"pattern.encode('ascii')"},  # likewise
    "zconsole.analysis.search.timed_regex": {
        "words",
        "re.escape(words)",
        "pattern",
    },  # likewise; it has a limit of time
    "zconsole.analysis.search.query_terms": {"translate(word.text)"},  # a user's, of a filter
    "zconsole.practice.system.coreutils": {"args[args.index('-e') + 1] if '-e' in args else ''"},  # our own
    "zconsole.practice.containers.cgroups_mounts_and_proxmox_files": {"pattern"},  # our own
    "zconsole.zfs.iostat.row_parser": {"b'\\\\t'.join(columns)"},  # made for each layout: see `expressions`
}
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_PROBES = "a1 -.:/(,)A\t\n=@_%\"'x0é"
_OUTSIDE = "\x00"
_PARTS = 7  # of a sequence that are fed together
_FEW = 24  # pumps that show what doubles with each of them
_SHORT, _LONG = 2 * 1024, 8 * 1024  # characters
_SUSPICIOUS_S = 0.001  # for the short one: fifty times what a linear one takes
_HANGS_S = 0.02
_GROWTH = 8.0  # four times as long: 4 is linear, 16 is quadratic
_PER_KB_S = 0.002


@dataclass(frozen=True)
class Expression:
    """One expression, where it stands, and what is done with it."""

    where: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


@dataclass(frozen=True)
class Slow:
    """An input that an expression takes too long for."""

    method: str
    prefix: str
    pump: str
    suffix: str
    per_kb_s: float
    growth: float


def modules() -> Iterator[ModuleType]:
    """Every module of the package."""
    for found in pkgutil.walk_packages(zconsole.__path__, "zconsole."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


@cache
def expressions() -> tuple[list[Expression], list[str]]:
    """All of them, and the calls of `re` whose expression could not be told."""
    sources = {module: source(module) for module in modules()}
    anywhere = _merged(each.uses for each in sources.values())
    found: dict[tuple[object, int], Expression] = {}
    unknown: list[str] = []

    def add(where: str, pattern: re.Pattern[Any], methods: frozenset[str]) -> None:
        key = (pattern.pattern, pattern.flags)
        known = found.get(key)
        found[key] = Expression(
            known.where if known else where, pattern, methods | (known.methods if known else frozenset())
        )

    for module, its in sources.items():
        here = its.uses
        in_module = frozenset().union(*here.values()) - {"split", "sub"} or UNKNOWN_USE
        for name, value in vars(module).items():
            for pattern in _patterns_in(value, set()):
                methods = here.get(name) or anywhere.get(name) if isinstance(value, re.Pattern) else None
                add(f"{module.__name__}.{name}", pattern, methods or in_module)
        for call in its.calls:
            words = ast.unparse(call.args[0])
            try:
                pattern = _evaluated(call, module)
            except NameError:
                if words not in RUN_TIME.get(module.__name__, ()):
                    unknown.append(f"{module.__name__}:{call.lineno}: {words}")
                continue
            method = call.func.attr if isinstance(call.func, ast.Attribute) else "compile"
            if method != "compile":
                add(f"{module.__name__}:{call.lineno}", pattern, frozenset({method}))
            elif (pattern.pattern, pattern.flags) not in found:
                add(f"{module.__name__}:{call.lineno}", pattern, in_module)
    for layout in row_parser.LAYOUTS.values():
        add("zconsole.zfs.iostat.row_parser._sound", row_parser._sound(layout), frozenset({"fullmatch"}))
    for known in set_property.POOL_PROPERTIES.values():
        add(
            "zconsole.actions.pool.set_property",
            re.compile(known.pattern, re.ASCII),
            frozenset({"fullmatch"}),
        )
    return sorted(found.values(), key=lambda each: each.where), unknown


def slow_inputs(expression: Expression) -> Iterator[Slow]:
    """The inputs that take more than linear time, or too long for each kB."""
    for method in sorted(expression.methods):
        call = _caller(expression.pattern, method)
        for prefix, pump, suffix in _attacks(expression.pattern):
            slow = _tried(call, method, prefix, pump, suffix)
            if slow is not None:
                yield slow


def _tried(call: Callable[[str], object], method: str, prefix: str, pump: str, suffix: str) -> Slow | None:
    def text(length: int) -> str:
        return prefix + pump * (length // len(pump) + 1) + suffix

    if _took(call, prefix + pump * _FEW + suffix) > _HANGS_S:
        return Slow(method, prefix, pump, suffix, float("inf"), float("inf"))
    if _took(call, text(_SHORT)) < _SUSPICIOUS_S:
        return None
    short = min(_took(call, text(_SHORT)) for _ in range(3))
    if short < _SUSPICIOUS_S:
        return None
    for _ in range(3):  # the machine may have been busy
        long = _took(call, text(_LONG))
        growth, per_kb_s = long / short, long / (_LONG / 1024)
        if growth <= _GROWTH and per_kb_s <= _PER_KB_S:
            return None
    return Slow(method, prefix, pump, suffix, per_kb_s, growth)


def _took(call: Callable[[str], object], text: str) -> float:
    """Seconds of the processor's, which nothing else on the machine adds to."""
    began = thread_time()
    call(text)
    return thread_time() - began


def _caller(pattern: re.Pattern[Any], method: str) -> Callable[[str], object]:
    is_bytes = isinstance(pattern.pattern, bytes)
    of = {"sub": "findall", "subn": "findall", "finditer": "findall"}.get(method, method)
    run = getattr(pattern, of)
    return (lambda text: run(text.encode())) if is_bytes else run


def _attacks(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    tree = parser.parse(pattern.pattern, flags & ~re.DEBUG)
    prefixes: dict[str, None] = {"": None}
    pumps: dict[str, None] = {}
    _collect(tree, "", prefixes, pumps)
    for pump in filter(None, pumps):
        for prefix in prefixes:
            for suffix in ("", _OUTSIDE, "\n" + _OUTSIDE):
                yield prefix, pump, suffix


def _collect(
    items: Sequence[Any],
    prefix: str,
    prefixes: dict[str, None],
    pumps: dict[str, None],
    behind: Sequence[list[Any]] = (),
) -> None:
    """What may lead to each repeat of a sequence, and what may be fed to it over and over."""
    sequence = list(_parts(items))
    for start, part in enumerate(sequence):
        code, argument = part[0]
        rest = (*sequence[start + 1 :], *behind)[:_PARTS]
        texts = [_sample(each, at_least=1) for each in (part, *rest)]
        pumps.update(dict.fromkeys("".join(texts[:count]) for count in range(1, len(texts) + 1)))
        if code in REPEATS:
            _, most, body = argument
            prefixes[prefix] = None
            if most > 1:
                pumps.update(dict.fromkeys(_samples(body)))
            _collect(body, prefix, prefixes, pumps, rest)
        for inner in _inner(code, argument):
            _collect(inner, prefix, prefixes, pumps, rest)
        prefix += _sample(part, at_least=1)


def _parts(items: Sequence[Any]) -> Iterator[list[Any]]:
    """What stands one behind the other, plain text in one piece."""
    text: list[Any] = []
    for item in items:
        if item[0] is codes.LITERAL:
            text.append(item)
            continue
        if text:
            yield text
            text = []
        yield [item]
    if text:
        yield text


def _inner(code: object, argument: Any) -> Iterator[Sequence[Any]]:
    if code is codes.SUBPATTERN:
        yield argument[-1]
    elif code is codes.BRANCH:
        yield from argument[1]
    elif code is codes.ATOMIC_GROUP:
        yield argument
    elif code in (codes.ASSERT, codes.ASSERT_NOT):
        yield argument[1]


def _samples(items: Sequence[Any]) -> Iterator[str]:
    """Some texts that fit: for one character every kind that there is, else the shortest and a longer one."""
    sequence = list(items)
    while len(sequence) == 1 and sequence[0][0] is codes.SUBPATTERN:
        sequence = list(sequence[0][1][-1])
    if len(sequence) == 1 and sequence[0][0] in (codes.IN, codes.ANY, codes.NOT_LITERAL, codes.CATEGORY):
        yield from _characters(*sequence[0])
        return
    yield _sample(sequence, at_least=0)
    yield _sample(sequence, at_least=1)
    if len(sequence) == 1 and sequence[0][0] is codes.BRANCH:
        for branch in sequence[0][1][1]:
            yield _sample(branch, at_least=1)


def _sample(items: Sequence[Any], *, at_least: int) -> str:
    return "".join(_one(code, argument, at_least) for code, argument in items)


def _one(code: object, argument: Any, at_least: int) -> str:
    if code is codes.LITERAL:
        return chr(argument)
    if code in (codes.IN, codes.ANY, codes.NOT_LITERAL, codes.CATEGORY):
        return next(_characters(code, argument), "")
    if code in REPEATS:
        least, most, body = argument
        return _sample(body, at_least=at_least) * min(max(least, at_least), most)
    if code is codes.BRANCH:
        return _sample(argument[1][0], at_least=at_least)
    inner = _inner(code, argument)
    return (
        ""
        if code in (codes.ASSERT, codes.ASSERT_NOT)
        else "".join(_sample(each, at_least=at_least) for each in inner)
    )


def _characters(code: object, argument: Any) -> Iterator[str]:
    """The characters of each kind that a class takes."""
    for probe in _PROBES:
        if _takes(code, argument, probe):
            yield probe
    if code is codes.IN and argument[0][0] is not codes.NEGATE:
        for kind, value in argument:
            if kind is codes.LITERAL:
                yield chr(value)
            elif kind is codes.RANGE:
                yield chr(value[0])


def _takes(code: object, argument: Any, char: str) -> bool:
    at = ord(char)
    if code is codes.ANY:
        return char != "\n"
    if code is codes.NOT_LITERAL:
        return at != argument
    if code is codes.LITERAL:
        return bool(at == argument)
    if code is codes.RANGE:
        return bool(argument[0] <= at <= argument[1])
    if code is codes.CATEGORY:
        is_it = {
            codes.CATEGORY_DIGIT: char.isdigit(),
            codes.CATEGORY_SPACE: char.isspace(),
            codes.CATEGORY_WORD: char.isalnum() or char == "_",
        }
        opposite = {
            codes.CATEGORY_NOT_DIGIT: codes.CATEGORY_DIGIT,
            codes.CATEGORY_NOT_SPACE: codes.CATEGORY_SPACE,
            codes.CATEGORY_NOT_WORD: codes.CATEGORY_WORD,
        }
        return is_it[argument] if argument in is_it else not is_it[opposite[argument]]
    negated = argument[0][0] is codes.NEGATE
    return negated != any(_takes(*each, char) for each in argument if each[0] is not codes.NEGATE)


@dataclass(frozen=True)
class Source:
    """What a module's source has to do with expressions."""

    calls: tuple[ast.Call, ...] = ()  # of `re`
    uses: Mapping[str, frozenset[str]] = field(default_factory=dict)  # what is called of what has that name
    imports: tuple[str, ...] = ()  # how it comes by `re` other than under that name, which would hide calls


@cache
def source(module: ModuleType) -> Source:
    """Read in one walk; a source without any of the words has nothing."""
    assert module.__file__ is not None
    text = Path(module.__file__).read_text(encoding="utf-8")
    if not _WORDS.search(text):
        return Source()
    calls: list[ast.Call] = []
    uses: dict[str, set[str]] = {}
    imports: list[str] = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method)) if method in CALLS:
                calls.append(node)
            case ast.Attribute(value=holder, attr=method) if method in METHODS:
                name = holder.id if isinstance(holder, ast.Name) else getattr(holder, "attr", "")
                uses.setdefault(name, set()).add(method)
            case ast.ImportFrom(module="re"):
                imports.append(f"from re import {', '.join(each.name for each in node.names)}")
            case ast.Import():
                hidden = [each for each in node.names if each.name == "re" and each.asname]
                imports += [f"import re as {each.asname}" for each in hidden]
            case _:
                pass
    return Source(tuple(calls), {name: frozenset(methods) for name, methods in uses.items()}, tuple(imports))


def _evaluated(call: ast.Call, module: ModuleType) -> re.Pattern[Any]:
    """The expression of a call of `re`, in the names of its module."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    place = {"compile": 1, "match": 2, "search": 2, "fullmatch": 2, "findall": 2, "finditer": 2}.get(method)
    flags: ast.expr = next((each.value for each in call.keywords if each.arg == "flags"), ast.Constant(0))
    if place is not None and len(call.args) > place:
        flags = call.args[place]

    def value(node: ast.expr) -> Any:
        code = compile(ast.fix_missing_locations(ast.Expression(node)), "expression", "eval")
        return eval(code, vars(module))  # noqa: S307 - the package's own source

    return re.compile(value(call.args[0]), value(flags))


def _merged(uses: Iterable[Mapping[str, frozenset[str]]]) -> dict[str, frozenset[str]]:
    """By the name of an expression, what is called of it anywhere."""
    found: dict[str, frozenset[str]] = {}
    for each in uses:
        for name, methods in each.items():
            found[name] = found.get(name, frozenset()) | methods
    return found


def _patterns_in(value: object, seen: set[int]) -> Iterator[re.Pattern[Any]]:
    """Those in a value of a module, in its classes and in its tables."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (tuple, list, set, frozenset)):
        for each in value:
            yield from _patterns_in(each, seen)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _patterns_in(each, seen)
    elif isinstance(value, type) and value.__module__.startswith("zconsole."):
        for name, each in list(vars(value).items()):
            if not name.startswith("__"):
                yield from _patterns_in(each, seen)
    elif type(value).__module__.startswith("zconsole.") and not callable(value):
        slots = [name for of in type(value).__mro__ for name in getattr(of, "__slots__", ())]
        for name in {*slots, *getattr(value, "__dict__", {})}:
            yield from _patterns_in(getattr(value, name, None), seen)
