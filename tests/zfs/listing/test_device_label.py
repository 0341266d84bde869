"""The label of a device: which pool it belongs to, or did."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.model.host.plan_facts import DiskLabel
from zconsole.zfs.listing.device_label import STATES, parse_label, read_label

PATH = "/dev/disk/by-id/ata-A-part1"
RULE = "-" * 36
NONE = "".join(f"failed to unpack label {index}\n" for index in range(4))
MIRROR = """\
    vdev_tree:
        type: 'mirror'
        id: 0
        guid: 13986806997119143778
        metaslab_array: 256
        metaslab_shift: 29
        ashift: 12
        asize: 4279762944
        is_log: 0
        create_txg: 4
        children[0]:
            type: 'disk'
            id: 0
            guid: 4017044877757514431
            path: '/dev/disk/by-id/ata-A-part1'
            whole_disk: 1
            create_txg: 4
        children[1]:
            type: 'disk'
            id: 1
            guid: 1127427398112447659
            path: '/dev/disk/by-id/ata-B-part1'
            whole_disk: 1
            create_txg: 4
    features_for_read:
        com.delphix:hole_birth
        com.delphix:embedded_data
"""


def label_text(number: int = 0, *, name: str = "tank", state: int = 0, txg: int = 772) -> str:
    """One configuration, as zdb prints it."""
    return (
        f"{RULE}\nLABEL {number} \n{RULE}\n"
        f"    version: 5000\n    name: '{name}'\n    state: {state}\n    txg: {txg}\n"
        "    pool_guid: 1016284841641641178\n    errata: 0\n    hostid: 8323329\n"
        "    hostname: 'storage24'\n    top_guid: 13986806997119143778\n"
        f"    guid: 4017044877757514431\n    vdev_children: 1\n{MIRROR}    labels = {number} \n"
    )


def uberblock(slot: int, txg: int, timestamp: int) -> str:
    """One uberblock, as zdb prints it."""
    return (
        f"    Uberblock[{slot}]\n\tmagic = 0000000000bab10c\n\tversion = 5000\n\ttxg = {txg}\n"
        f"\tguid_sum = 9045970794941528051\n\ttimestamp = {timestamp} UTC = Tue Feb 21 17:34:51 2017\n"
        "\tmmp_magic = 00000000a11cea11\n\tmmp_delay = 0\n\tcheckpoint_txg = 0\n"
        "\traidz_reflow state=0 off=0\n        labels = 0 1 2 3 \n"
    )


WHOLE = label_text() + uberblock(0, 770, 1_487_727_281) + uberblock(4, 772, 1_487_727_291)


def test_a_member_names_its_pool_its_host_and_the_last_write() -> None:
    """Hexadecimal hostid, as hostid(1) prints it; ashift of the top-level vdev."""
    assert DiskLabel(
        PATH,
        "tank",
        pool_guid=1016284841641641178,
        vdev_guid=4017044877757514431,
        state="active",
        hostname="storage24",
        hostid="007f0101",
        txg=772,
        last_txg=772,
        last_written=1_487_727_291,
        ashift=12,
        top_type="mirror",
        is_log=False,
        top_vdevs=1,
    ) == parse_label(PATH, WHOLE)


def test_a_device_without_a_label_has_none() -> None:
    """Zdb says so four times, and ends with a status above zero."""
    assert parse_label(PATH, NONE) is None


def test_of_labels_that_differ_the_newest_counts() -> None:
    """A device that vanished between two copies of its label bears two configurations."""
    text = label_text(0, name="old", txg=7) + label_text(1, name="new", txg=8)

    newest = parse_label(PATH, text)

    assert newest is not None
    assert ("new", 8) == (newest.pool, newest.txg)


def test_a_label_that_is_damaged_in_part_is_read() -> None:
    """Two copies unreadable, and one whose checksum is bad."""
    bad = label_text(2).replace("LABEL 2 \n", "LABEL 2 (Bad label cksum)\n")

    found = parse_label(PATH, "failed to unpack label 0\nfailed to read label 1\n" + bad)

    assert found is not None
    assert "tank" == found.pool


@pytest.mark.parametrize(("number", "state"), STATES.items())
def test_every_state_has_its_word(number: str, state: str) -> None:
    found = parse_label(PATH, label_text(state=int(number)))

    assert found is not None
    assert state == found.state


def test_a_spare_names_no_pool_and_a_cache_more_than_its_label() -> None:
    """What zdb prints of the cache's contents is not taken for a label."""
    spare = f"{RULE}\nLABEL 0 \n{RULE}\n    version: 5000\n    state: 3\n    guid: 7\n    labels = 0 1 2 3 \n"
    cache = spare.replace("state: 3", "state: 4") + f"{RULE}\nL2ARC device header\n{RULE}\n    magic: 1\n"

    found = [parse_label(PATH, text) for text in (spare, cache)]

    assert [("spare", "", 7), ("cache", "", 7)] == [
        (label.state, label.pool, label.vdev_guid) for label in found if label is not None
    ]


def test_a_newer_state_is_kept_as_it_is() -> None:
    found = parse_label(PATH, label_text(state=9))

    assert found is not None
    assert "9" == found.state


def test_names_of_children_are_not_the_pools() -> None:
    """Fields deep in the tree have the same keys."""
    text = label_text().replace("            id: 1\n", "            id: 1\n            name: 'other'\n")

    found = parse_label(PATH, text)

    assert found is not None
    assert "tank" == found.pool


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "hello\n",
        f"{RULE}\n",
        "cannot open '/dev/x': No such device\n",
        label_text().replace("    labels = 0 \n", ""),
    ],
)
def test_what_is_no_answer_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_label(PATH, text)


def test_cut_at_every_byte_it_is_an_error_or_less_of_the_same() -> None:
    """Never another pool, never another device."""
    whole = parse_label(PATH, WHOLE)
    assert whole is not None

    for at in range(len(WHOLE)):
        try:
            found = parse_label(PATH, WHOLE[:at])
        except ParseError:
            continue
        assert found is not None
        assert (whole.pool, whole.pool_guid, whole.vdev_guid, whole.state, whole.txg) == (
            found.pool, found.pool_guid, found.vdev_guid, found.state, found.txg,
        )  # fmt: skip


@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ParseError):
        parse_label(PATH, text)


@given(
    pool=st.from_regex(r"[a-zA-Z][\w.:-]{0,20}", fullmatch=True),
    txg=st.integers(1, 2**63),
    blocks=st.lists(
        st.tuples(st.integers(1, 2**40), st.integers(1, 2**32)), max_size=6, unique_by=lambda b: b[0]
    ),
)
def test_what_zdb_prints_is_read_back(pool: str, txg: int, blocks: list[tuple[int, int]]) -> None:
    text = label_text(name=pool, txg=txg) + "".join(
        uberblock(slot, *block) for slot, block in enumerate(blocks)
    )

    found = parse_label(PATH, text)

    assert found is not None
    assert (pool, txg) == (found.pool, found.txg)
    assert max(blocks, default=(None, None)) == (found.last_txg, found.last_written)


def test_the_path_is_a_word_of_its_own() -> None:
    assert ("zdb", "-l", "-u", PATH) == read_label(PATH).argv
