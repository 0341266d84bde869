"""The structure of the code in numbers: `python -m tests.house` prints them, `--write` puts them in the docs.

Used by `tests/test_house.py`, and for the table in docs/architecture.md.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "zconsole"
ARCHITECTURE: Final = ROOT / "docs" / "architecture.md"
RECIPES: Final = ROOT / "docs" / "contributing.md"
CALLED_BY_NAME: Final = ("action_", "on_", "_on_", "watch_")  # by Textual
LONGEST_NAME: Final = 120  # of a text that may name something: `module:Class`
BEGIN, END = "<!-- numbers -->", "<!-- end of numbers -->"


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name, packages by theirs."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def circles() -> list[tuple[str, ...]]:
    """Groups of modules that import each other, imports for typing only included."""
    graph = grimp.build_graph("zconsole", exclude_type_checking_imports=False)
    return strongly_connected({each: _runs(graph, each) for each in graph.modules})


def _runs(graph: grimp.ImportGraph, module: str) -> set[str]:
    """What a module imports, and the packages of that, whose `__init__` runs first."""
    found = graph.find_modules_directly_imported_by(module)
    return found | {each for name in found for each in _packages(name) if each not in _packages(module)}


def _packages(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def strongly_connected(graph: Mapping[str, Iterable[str]]) -> list[tuple[str, ...]]:
    """The strongly connected components of more than one node (Tarjan 1972), without recursion."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[tuple[str, ...]] = []
    for root in graph:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        work: list[tuple[str, Iterator[str]]] = [(root, iter(sorted(graph[root])))]
        while work:
            node, following = work[-1]
            for each in following:
                if each not in order:
                    order[each] = low[each] = len(order)
                    stack.append(each)
                    on_stack.add(each)
                    work.append((each, iter(sorted(graph.get(each, ())))))
                    break
                if each in on_stack:
                    low[node] = min(low[node], order[each])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    group = []
                    while not group or group[-1] != node:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    if len(group) > 1:
                        found.append(tuple(sorted(group)))
    return found


def folders() -> Counter[str]:
    """How many modules each folder holds, `__init__` not counted."""
    return Counter(
        str(path.parent.relative_to(ROOT)) for path in modules().values() if path.name != "__init__.py"
    )


def without_test() -> list[str]:
    """Modules that do something and have no test of their name in the folder of their name."""
    return [
        name
        for name, path in modules().items()
        if path.name not in {"__init__.py", "__main__.py"}
        and not (ROOT / "tests" / path.relative_to(PACKAGE).with_name(f"test_{path.name}")).exists()
        and can_fail(ast.parse(path.read_text(encoding="utf-8")))
    ]


def can_fail(module: ast.Module) -> bool:
    """Whether a module does anything: fields, constants and the empty methods of protocols do not."""
    return any(
        isinstance(node, ast.Lambda | ast.For | ast.While | ast.Try | ast.comprehension)
        or (isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_empty(node))
        or (isinstance(node, ast.If) and ast.unparse(node.test) != "TYPE_CHECKING")
        for node in ast.walk(module)
    )


def _is_empty(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it has a docstring or `...` and nothing else."""
    return all(isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) for each in function.body)


def expected_on_the_right() -> list[str]:
    """Asserts of tests that have what was found on the left of a value that is written down."""
    return [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert) and is_turned(node.test)
    ]


def is_turned(test: ast.expr) -> bool:
    """`found == 3`; `found is None` reads as a sentence that way round."""
    if not isinstance(test, ast.Compare) or not all(
        isinstance(each, ast.Eq | ast.NotEq) for each in test.ops
    ):
        return False
    return not _is_written(test.left) and _is_written(test.comparators[-1])


def _is_written(value: ast.expr) -> bool:
    """Whether a value stands in the test itself: a literal, or a collection of such."""
    match value:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_written(operand)
        case ast.BinOp(left=left, right=right):
            return _is_written(left) and _is_written(right)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return all(map(_is_written, parts))
        case ast.Dict(keys=keys, values=values):
            return all(_is_written(each) for each in (*keys, *values) if each is not None)
    return False


def names_of_several_classes() -> dict[str, list[str]]:
    """Public class names that more than one module uses, with those modules."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for module, path in modules().items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(module)
    return {name: where for name, where in found.items() if len(where) > 1}


def unused_names() -> dict[str, str]:
    """Functions, classes, methods and constants that no module of the package names, with where they are.

    What a decorator registers and what a framework calls by its name does not count.
    """
    used: set[str] = set()
    defined: dict[str, str] = {}
    for module, path in modules().items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            match node:
                case (
                    ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.keyword(arg=str(name))
                ):
                    used.add(name)
                case ast.Constant(value=str(text)):
                    used |= set(re.split(r"[.:]", text)) if len(text) < LONGEST_NAME else set()
        defined |= {name: f"{module}.{name}" for name in _defined(tree.body)}
    return {
        name: where
        for name, where in defined.items()
        if name not in used and not name.startswith(CALLED_BY_NAME) and not name.startswith("__")
    }


def _defined(body: Iterable[ast.stmt], *, is_class: bool = False) -> Iterator[str]:
    for node in body:
        match node:
            case (
                ast.FunctionDef(name=name, decorator_list=marks)
                | ast.AsyncFunctionDef(name=name, decorator_list=marks)
            ):
                if all(isinstance(each, ast.Name) for each in marks):
                    yield name
            case ast.ClassDef(name=name):
                yield name
                yield from _defined(node.body, is_class=True)
            case ast.Assign(targets=targets) if not is_class:
                yield from (each.id for each in targets if isinstance(each, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)) if not is_class:
                yield name


def superclasses() -> dict[str, int]:
    """How many classes of ours each class has above it; protocols and errors do not count."""
    bases: dict[str, list[str]] = {}
    for path in modules().values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [_name(each) for each in node.bases]

    def above(name: str) -> int:
        ours = [each for each in bases.get(name, ()) if each in bases and each != name]
        return max((1 + above(each) for each in ours), default=0)

    return {name: above(name) for name in bases if not _is_error(name, bases)}


def _is_error(name: str, bases: Mapping[str, list[str]]) -> bool:
    return any(
        each in {"Exception", "BaseException"} or (each in bases and each != name and _is_error(each, bases))
        for each in bases.get(name, ())
    )


def _name(node: ast.expr) -> str:
    match node:
        case ast.Subscript(value=value):
            return _name(value)
        case ast.Attribute(attr=attr):
            return attr
        case ast.Name(id=name):
            return name
    return ""


def lines(*, of_practice: bool) -> int:
    """Lines of Python in the package, of the practice world or of everything else."""
    return sum(
        path.read_text(encoding="utf-8").count("\n")
        for name, path in modules().items()
        if name.startswith("zconsole.practice") is of_practice
    )


def recipes() -> dict[str, int]:
    """How many files each recipe of docs/contributing.md names: its numbered steps."""
    text = RECIPES.read_text(encoding="utf-8")
    parts = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
    return {part.split("\n", 1)[0]: len(re.findall(r"^\d+\. ", part, re.MULTILINE)) for part in parts}


def numbers() -> list[tuple[str, str, str, str]]:
    """Question, before (at the start of the second floor plan), now, goal."""
    largest, most = folders().most_common(1)[0]
    deepest = max(superclasses().items(), key=lambda each: each[1])
    found = circles()
    rows = [
        ("modules", "645", str(len(modules())), ""),
        ("lines without the practice world", "67.5k", f"{lines(of_practice=False) / 1000:.1f}k", ""),
        ("lines of the practice world", "15.6k", f"{lines(of_practice=True) / 1000:.1f}k", "15.6k"),
        ("circles (modules in them)", "3 (35)", f"{len(found)} ({sum(map(len, found))})", "0"),
        ("modules in the largest folder", "72 (live)", f"{most} ({largest.removeprefix('zconsole/')})", "20"),
        ("modules without a test of their name", "385", str(len(without_test())), "< 100"),
        ("longest chain of superclasses", "7", f"{deepest[1]} ({deepest[0]})", "3"),
    ]
    return rows + [(f"files for {name.lower()}", "", str(count), "") for name, count in recipes().items()]


def table() -> str:
    """The numbers as a table of Markdown."""
    head = ("", "before", "now", "goal")
    return "\n".join(
        ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
        + ["| " + " | ".join(row) + " |" for row in numbers()]
    )


def main(words: list[str]) -> None:
    """Print the table, or write it into the docs."""
    if words != ["--write"]:
        sys.stdout.write(table() + "\n")
        return
    text = ARCHITECTURE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    ARCHITECTURE.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
