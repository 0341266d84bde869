"""The questions on a change name what it is of."""

from __future__ import annotations

import pytest

from tests.analysis.build import group
from tests.doubles.shelves import blank, leaf, serial, world
from zconsole.actions.action_catalogue import spec
from zconsole.actions.intent import Intent
from zconsole.ui.flows.ask_for_arguments import change_in_words

WORLD = world(group("raidz2-0", *(leaf(at) for at in range(4)), configured_ashift=12), disks=(blank(9),))


@pytest.mark.parametrize(
    ("expected", "wanted"),
    [
        (
            f"replace {leaf(1).name} of tank with {serial(9)}",
            Intent("replace", "tank", ("1001", serial(9))),
        ),
        ("Replace nothing", Intent("replace", "nothing", ("1001", serial(9)))),
        ("Replace tank", Intent("replace", "tank")),
        ("Scrub tank", Intent("scrub", "tank", ("x",))),
    ],
)
def test_the_heading_names_the_disk_and_not_only_the_pool(expected: str, wanted: Intent) -> None:
    assert expected == change_in_words(spec(wanted.action), wanted, WORLD)


def test_a_sequential_rebuild_is_closed_for_a_raidz() -> None:
    option = spec("replace").option("sequential")
    assert option is not None
    mirror = world(group("mirror-0", leaf(0), leaf(1), configured_ashift=12), disks=(blank(9),))
    wanted = Intent("replace", "tank", ("1001", serial(9)))

    assert "raidz2-0 is neither" in option.why_not(wanted, WORLD)
    assert "" == option.why_not(wanted, mirror) == option.why_not(Intent("replace", "tank"), WORLD)
