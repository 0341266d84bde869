"""The examples of the manual are what the program prints."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.reports.schema import (
    ADVISE,
    ALERT,
    CAPACITY_COMPARE,
    CAPACITY_LAYOUT,
    CAPACITY_NEED,
    CAPACITY_WHAT_IF,
    CHECK,
    DISKS,
    FORECAST,
    GUESTS,
    JOURNAL,
    KEYS,
    PLAN,
    RECLAIM,
    REPAIRS,
    REPLICAS,
    RUN,
    SAMPLE,
    SLOW,
    SPACE_SAMPLE,
    STATUS,
    STREAM,
    SUDOERS,
    TREE,
    Shape,
    mismatch,
)

DOCS = Path(__file__).parents[2] / "docs"
SHAPES: dict[str, Shape] = {
    "status": STATUS,
    "check": CHECK,
    "advise": ADVISE,
    "disks": DISKS,
    "keys": KEYS,
    "guests": GUESTS,
    "repair": REPAIRS,
    "iostat": SAMPLE,
    "slow": SLOW,
    "sample": SPACE_SAMPLE,
    "forecast": FORECAST,
    "watch": ALERT,
    "sudoers": SUDOERS,
    "stream": STREAM,
    "tree": TREE,
    "replicas": REPLICAS,
    "capacity layout": CAPACITY_LAYOUT,
    "capacity need": CAPACITY_NEED,
    "capacity compare": CAPACITY_COMPARE,
    "capacity what-if": CAPACITY_WHAT_IF,
    "reclaim": RECLAIM,
    "plan": PLAN,
    "apply": RUN,
    "journal": JOURNAL,
}


def test_the_examples_have_the_documented_shape() -> None:
    text = (DOCS / "json.md").read_text()

    examples = dict(re.findall(r"^## ([\w -]+)\n.*?^```json\n(.*?)^```", text, re.DOTALL | re.MULTILINE))

    assert set(SHAPES) == set(examples)
    for name, example in examples.items():
        assert "" == mismatch(json.loads(example), SHAPES[name])
