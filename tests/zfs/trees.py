"""The trees of recorded pools, read from `zpool status -v` by indentation alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from zconsole.model.pool import Pool, Vdev

CLASSES = {"special": "special", "dedup": "dedup", "logs": "log", "cache": "cache", "spares": "spare"}


def pools_of(folder: Path) -> list[Pool]:
    """The pools of a recorded state: names, classes and nesting, and nothing else."""
    text = (folder / "zpool_status_v.txt").read_text()
    return [_pool(part) for part in re.split(r"(?m)^ *pool: ", text)[1:]]


def _pool(text: str) -> Pool:
    lines = text.split("CKSUM\n", 1)[1].split("\n\n", 1)[0].split("\n")
    name = lines[0].split()[0]
    return Pool(name, state="ONLINE", vdevs=tuple(_tops(lines[1:])))


def _tops(lines: list[str]) -> Iterator[Vdev]:
    vdev_class = "data"
    while lines:
        line = lines.pop(0)
        word = line.split()[0]
        if line.startswith("\t ") and not line.startswith("\t   "):
            below = [line]
            while lines and lines[0].startswith("\t   "):
                below.append(lines.pop(0))
            yield _vdev(below, vdev_class)
        else:
            vdev_class = CLASSES[word]


def _vdev(lines: list[str], vdev_class: str) -> Vdev:
    name = lines[0].split()[0]
    depth = _depth(lines[0])
    children: list[list[str]] = []
    for line in lines[1:]:
        if _depth(line) == depth + 2:
            children.append([])
        children[-1].append(line)
    return Vdev(
        name,
        type=re.sub(r"-\d+$", "", name) if children else "disk",
        vdev_class=vdev_class,
        state="ONLINE",
        children=tuple(_vdev(below, vdev_class) for below in children),
    )


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip("\t "))
