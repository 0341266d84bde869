"""docs/actions.md has every action and every reason why a plan is refused."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from zconsole.actions.catalogue import SPECS
from zconsole.actions.command_syntax import actions_table, usage_of

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "docs" / "actions.md").read_text()
BEGIN = "<!-- the table is generated from the list of actions -->\n"
END = "<!-- end of the generated table -->"
REFUSING = {"refuse", "RefusalReason", "Objection"}
SOURCES = sorted(
    path for folder in ("actions", "analysis", "live") for path in (ROOT / "zconsole" / folder).rglob("*.py")
)


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


def test_the_table_is_up_to_date() -> None:
    """Otherwise: put `actions_table()` between the two marks."""
    table = MANUAL.partition(BEGIN)[2].partition(END)[0]

    assert actions_table() == table


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


@pytest.mark.parametrize("known", SPECS, ids=lambda known: known.id)
def test_every_help_is_a_sentence_and_every_word_explained(known: object) -> None:
    action = known

    assert action.help[0].isupper()  # type: ignore[attr-defined]
    assert action.help.endswith(".")  # type: ignore[attr-defined]
    assert all(each.help for each in (*action.arguments, *action.options))  # type: ignore[attr-defined]
    assert usage_of(action).startswith(f"{action.id} ")  # type: ignore[arg-type, attr-defined]
