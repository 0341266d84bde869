"""ZFS's own dry run of a destruction, as real hosts print it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.zfs.listing.destroy_dry_run import (
    DestroyDryRun,
    parse_destroy_dry_run,
    rehearse_destroy_dataset,
    rehearse_destroy_snapshots,
)

NAMES = st.text(alphabet="abz09_.: -/@#", min_size=1)


@pytest.mark.parametrize("series", ["2.1", "2.3", "2.4"])
def test_a_real_dry_run_is_read(series: str) -> None:
    text = (CAPTURES / series / "healthy-mirrors" / "refusals.txt").read_text("utf-8")
    said = text.partition("daily-1%daily-2\n")[2].partition("rc=")[0]

    found = parse_destroy_dry_run(said)

    assert ("tank/home/ann@daily-1", "tank/home/ann@daily-2") == found.destroys
    assert found.reclaims_bytes is not None
    assert found.reclaims_bytes > 60_000_000


@given(names=st.lists(NAMES), reclaims=st.none() | st.integers(0, 1 << 63))
def test_parsing_inverts_printing(names: list[str], reclaims: int | None) -> None:
    text = "".join(f"destroy\t{name}\n" for name in names)
    text += "" if reclaims is None else f"reclaim\t{reclaims}\n"

    assert DestroyDryRun(tuple(names), reclaims) == parse_destroy_dry_run(text)


@given(names=st.lists(NAMES, min_size=1, max_size=3), cut=st.integers(1, 200))
def test_a_cut_answer_is_refused_or_a_prefix(names: list[str], cut: int) -> None:
    text = "".join(f"destroy\t{name}\n" for name in names) + "reclaim\t12345\n"
    try:
        found = parse_destroy_dry_run(text[: min(cut, len(text))])
    except ParseError:
        return

    assert tuple(names)[: len(found.destroys)] == found.destroys


@pytest.mark.parametrize(
    "text",
    [
        "would destroy tank/a\n",
        "reclaim\t1.2M\n",
        "reclaim\t1\nreclaim\t2\n",
        "reclaim\t1\ndestroy\ta\n",
        "\n",
    ],
)
def test_what_it_never_prints_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        parse_destroy_dry_run(text)


def test_a_dry_run_has_the_flag_that_makes_it_one() -> None:
    assert ("zfs", "destroy", "-nvp", "tank/a@x,y") == rehearse_destroy_snapshots("tank/a", ["x", "y"])
    assert ("zfs", "destroy", "-nvpr", "tank/a") == rehearse_destroy_dataset("tank/a", recursive=True)
    assert ("zfs", "destroy", "-nvpR", "tank/a") == rehearse_destroy_dataset("tank/a", with_clones=True)
