"""A practice world of the shape that the captures were taken from, and commands run in it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.conftest import CAPTURES
from zconsole.practice import World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply

HEALTHY = CAPTURES / "2.4" / "healthy-mirrors"
LAYOUT = "mirror 0 1 mirror 2 3 special mirror 4 5 log 6 cache 7 spare 8"


def mirrors() -> World:
    """The pool of the capture `healthy-mirrors`, as full as it was there."""
    world = create_world(LAYOUT)
    for line in captured("zpool_list_Hpv.tsv").split("\n"):
        cells = line.strip().split("\t")
        pool = world.pools["tank"]
        for vdev in (*pool.root.children, *pool.caches):
            name = vdev.path.rpartition("/")[2].removesuffix("-part1") or f"mirror-{vdev.vdev_id}"
            if cells[0] == name and len(cells) > 2 and cells[2].isdigit():
                vdev.allocated = int(cells[2])
    return world


def captured(name: str, folder: Path = HEALTHY) -> str:
    """What the real command printed."""
    return (folder / name).read_text(encoding="utf-8")


def run(world: World, line: str) -> Reply:
    """Run one command line, split at blanks."""
    reply = answer(world, line.split())
    assert isinstance(reply, Reply)
    return reply


def shape(text: str) -> str:
    """A text with its numbers masked: lines, words, order and punctuation remain."""
    return re.sub(r"\d+(\.\d+)?[KMGT]?", "0", text)


def ordered(document: str) -> list[tuple[str, object]]:
    """Every member of a JSON document with its path, in the order in which it stands."""
    found: list[tuple[str, object]] = []

    def visit(value: object, path: str) -> None:
        if isinstance(value, dict):
            for key, member in value.items():
                visit(member, f"{path}/{key}")
        else:
            found.append((path, value))

    visit(json.loads(document), "")
    return found
