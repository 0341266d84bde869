"""The source of every module of the package, one after the other: a tree of all at once would be large."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.scenarios.fuzz.expressions import modules

PRACTICE = "zconsole.practice"  # the other side of the wire


def trees() -> Iterator[tuple[str, ast.Module]]:
    """The name and the tree of each module but those of the practice host."""
    for module in modules():
        if module.__file__ is not None and not module.__name__.startswith(PRACTICE):
            yield module.__name__, ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
