"""`zpool get autosit,sit_out` of a raidz and its disks."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import Bench
from zconsole.base.errors import ParseError
from zconsole.model.pools.slow_disk import SitOuts
from zconsole.zfs.listing.sit_out import get_sit_outs, parse_sit_outs

TEXT = "100\tautosit\ton\n203\tautosit\t-\n203\tsit_out\toff\n204\tautosit\t-\n204\tsit_out\ton\n"
GUIDS = (100, 203, 204)


def test_switches_are_read_by_guid() -> None:
    assert SitOuts(((100, True),), ((203, False), (204, True))) == parse_sit_outs(TEXT, GUIDS)


def test_the_command_asks_one_pool_for_two_properties() -> None:
    assert "zpool get -Hp -o name,property,value autosit,sit_out tank 100 203" == " ".join(
        get_sit_outs("tank", (100, 203)).argv
    )


def test_an_output_that_is_cut_is_refused_or_a_beginning() -> None:
    for end in range(len(TEXT)):
        try:
            found = parse_sit_outs(TEXT[:end], GUIDS)
        except ParseError:
            continue
        assert TEXT[end - 1 : end] in {"", "\n"}
        assert set(found.sitting) <= {(203, False), (204, True)}


@pytest.mark.parametrize("line", ["100\tautosit", "100\tautosit\tmaybe", "7\tautosit\ton", "a\tautosit\ton"])
def test_what_was_not_asked_for_is_refused(line: str) -> None:
    with pytest.raises(ParseError):
        parse_sit_outs(f"{line}\n", GUIDS)


def test_the_practice_host_answers_so() -> None:
    """As OpenZFS 2.4 does: by the guids that were asked for, and no `sit_out` of what cannot."""
    bench = Bench("raidz1 0 1 2 mirror 3 4")
    bench.do("zpool set autosit=on tank raidz1-0", "zpool set sit_out=on tank {1}")
    pool = bench.world.pools["tank"]
    raidz, mirror = pool.root.children
    guids = [raidz.guid, *(leaf.guid for leaf in (*raidz.leaves(), *mirror.leaves()))]

    found = parse_sit_outs(bench.do(" ".join(get_sit_outs("tank", guids).argv)), guids)

    assert ((raidz.guid, True),) == found.autosit
    assert tuple((leaf.guid, at == 1) for at, leaf in enumerate(raidz.leaves())) == found.sitting
