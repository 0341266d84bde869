"""What only the text of `zpool status` can look like, line by line as its source prints it."""

from __future__ import annotations

from tests.zfs.status.texts import HEADER, pool_of
from zconsole.model.pools.pool import Pool
from zconsole.zfs.status.status import status_guids
from zconsole.zfs.status.status_text import parse_status_text


def test_damaged_files_are_listed_even_with_odd_names() -> None:
    end = (
        "\nerrors: Permanent errors have been detected in the following files:\n\n"
        "        /tank/a  b\n"
        "        /tank/config: x\n"
        "        /tank/two\nlines\n"
        "        tank/ds@snap:<0x7>\n"
    )

    pool = pool_of(end=end)

    assert ("/tank/a  b", "/tank/config: x", "/tank/two\nlines", "tank/ds@snap:<0x7>") == pool.error_files
    assert None is pool.error_count


def test_a_pool_that_cannot_be_opened_has_no_word_about_errors() -> None:
    tree = (
        "\ttank        UNAVAIL      0     0     0  insufficient replicas\n"
        "\t  /dev/sdb1  UNAVAIL      0     0     0  cannot open\n"
    )
    header = HEADER.replace("  SLOW", "")

    (pool,) = parse_status_text(f"  pool: tank\n state: UNAVAIL\nconfig:\n\n{header}{tree}")

    assert ("UNAVAIL", None) == (pool.state, pool.error_count)
    assert "cannot open" == pool.vdevs[0].note


def test_a_configuration_that_cannot_be_determined_leaves_a_pool_without_vdevs() -> None:
    text = "  pool: tank\n state: UNAVAIL\nconfig: The configuration cannot be determined.\n"

    assert (Pool("tank", "UNAVAIL"),) == parse_status_text(text)


def test_a_suspended_pool_is_said_to_be_suspended() -> None:
    assert pool_of(state="SUSPENDED").is_suspended


def test_guids_are_asked_for_with_the_same_tree() -> None:
    assert ("zpool", "status", "-gP", "tank") == status_guids("tank").argv
