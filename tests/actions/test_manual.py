"""docs/actions.md has every action and every reason why a plan is refused."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "docs" / "actions.md").read_text()
REFUSING = {"refuse", "refuse_for_space", "RefusalReason", "MountObjection", "DeviceObjection"}
ROOMS = ("actions", "analysis", "execution", "collect")
SOURCES = sorted(path for room in ROOMS for path in (ROOT / "zconsole" / room).rglob("*.py"))


def rules_in(tree: ast.Module) -> Iterator[str]:
    """The first words of everything that refuses, constants of the module resolved."""
    constants = {
        node.target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if name in REFUSING:
                yield from _words(node.args[0], constants)
            elif name == "refuse_answer":  # whose first word is what to answer otherwise
                yield from _words(node.args[1], constants)


def _words(node: ast.expr, constants: dict[str, object]) -> Iterator[str]:
    match node:
        case ast.Constant(str() as word):
            yield word
        case ast.Name(name) if isinstance(constants.get(name), str):
            yield str(constants[name])
        case ast.IfExp():
            yield from _words(node.body, constants)
            yield from _words(node.orelse, constants)
        case _:
            pass  # passed on from where it is written


def test_every_rule_is_in_the_manual() -> None:
    rules = {rule for path in SOURCES for rule in rules_in(ast.parse(path.read_text()))}

    assert len(rules) > 50
    assert [] == sorted(rule for rule in rules if f"`{rule}`" not in MANUAL)


def test_the_manual_has_no_rule_that_is_gone() -> None:
    rules = {rule for path in SOURCES for rule in rules_in(ast.parse(path.read_text()))}
    rows = MANUAL.partition("## Why a plan is refused")[2].splitlines()
    named = {
        word.strip("` ") for row in rows if row.startswith("| `") for word in row.split("|")[1].split(",")
    }

    assert [] == sorted(named - rules)
