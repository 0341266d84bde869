"""Numbers and vdevs in JSON: three ways to write a number, and what a device tells."""

from __future__ import annotations

import pytest

from zconsole.practice import create_world
from zconsole.practice.getopt import getopt
from zconsole.practice.world.vdev_names import Naming
from zconsole.practice.zpool_show.json_values import Style, json_property, vdev_identity

LONGS = {"json-int": ""}
TEBIBYTE = 1 << 40


@pytest.mark.parametrize(
    ("expected", "words"),
    [(TEBIBYTE, ["--json-int"]), (str(TEBIBYTE), ["-p"]), ("1T", [])],
)
def test_a_size_is_a_number_an_exact_text_or_for_people(expected: object, words: list[str]) -> None:
    assert expected == Style.of(getopt(words, "p", {"json-int": "json-int"})).size(TEBIBYTE)


def test_a_property_has_its_source() -> None:
    assert {"value": "on", "source": {"type": "LOCAL", "data": "-"}} == json_property("on", "LOCAL")


def test_only_a_device_is_somewhere() -> None:
    pool = create_world("mirror 0 1", disks=2).pools["tank"]
    (top,) = pool.present
    style = Style.of(getopt(["--json-int"], "", {"json-int": "json-int"}))

    group = vdev_identity(top, pool, style, Naming())
    leaf = vdev_identity(top.children[0], pool, style, Naming())

    assert {"name": "mirror-0", "vdev_type": "mirror", "guid": top.guid} == group
    assert {"path", "phys_path", "devid"} == leaf.keys() - group.keys()
