"""Whoever is told to look at cables, slots or what disks share is told when: exported, or the host off.

A part that serves one disk may serve others, and a pool that loses too many of them suspends.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

SOURCE: Final = Path(__file__).parents[2] / "zconsole"
FOLDERS: Final = ("analysis", "actions", "views", "model")
_BLAMED: Final = r"[\w.]{1,30}blame[\w.]{0,30}"
_PART: Final = rf"cables?|slots?|backplane|controller|enclosure|shelf|power|WAY_PARTS|another bay|{_BLAMED}"
ADVICE: Final = re.compile(
    r"\b(?:check|reseat|move|exchange|reconnect|unplug|swap|change the) [^.;]{0,60}?"
    rf"(?<![-/\w])(?:{_PART})\b|\b(?:back|back first|reconnect it) \([^)]{{0,40}}\b(?:{_PART})\b"
    r"|\bcheck what [^.;]{0,60}\bshare",
    re.IGNORECASE,
)
SAFE: Final = re.compile(
    r"exported or the host|host (?:is )?shut down|host off|NOT_LIVE|PARTS_OF_OTHERS", re.IGNORECASE
)


def sentences(source: str) -> Iterator[str]:
    """Each literal of a module that is no docstring, whole, with the names of its values in braces."""
    tree = ast.parse(source)
    inner = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)
    }
    inner |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(_part(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            yield node.value


def _part(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "{" + ast.unparse(node.value if isinstance(node, ast.FormattedValue) else node) + "}"


def unsafe(source: str) -> list[str]:
    """The sentences that send somebody to a part, and do not say when."""
    return [each for each in sentences(source) if ADVICE.search(each) and not SAFE.search(each)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_sentence_about_cables_and_slots_says_when(folder: str) -> None:
    found = {
        each: str(path.relative_to(SOURCE))
        for path in sorted((SOURCE / folder).rglob("*.py"))
        for each in unsafe(path.read_text())
    }

    assert {} == found


@pytest.mark.parametrize(
    ("sentence", "is_unsafe"),
    [
        ("x = f'check {part}, then clear and scrub'", False),
        ("x = f'check the {said.blame.value} first'", True),
        ("x = 'Check the cable, then replace it.'", True),
        ("x = f'check what they share {WAY_PARTS}'", True),
        ("x = f'check what they share {WAY_PARTS} ({NOT_LIVE})'", False),
        ("x = 'Check what they share, and the load.'", True),
        ("x = 'put it back, or reconnect it (slot, cable, power)'", True),
        ("x = 'the cable comes first, with the pool exported or the host shut down'", False),
    ],
)
def test_what_is_taken_for_such_a_sentence(sentence: str, *, is_unsafe: bool) -> None:
    assert is_unsafe == bool(unsafe(sentence))
