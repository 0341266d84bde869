"""Datasets: every recorded listing, names with spaces, and lists cut short."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.datasets.dataset import Dataset
from zconsole.zfs.listing.datasets import DATASET_COLUMNS, list_datasets, parse_datasets
from zconsole.zfs.listing.root_dataset_space import parse_root_datasets, root_dataset

RECORDED = sorted(CAPTURES.glob("*/*/zfs_list_all.tsv"))
MIRRORS = (CAPTURES / "2.4" / "healthy-mirrors" / "zfs_list_all.tsv").read_text()
LOCKED = (CAPTURES / "2.4" / "encrypted-locked" / "zfs_list_all.tsv").read_text()


def line_of(**columns: str) -> str:
    values = dict.fromkeys(DATASET_COLUMNS, "-") | {"name": "tank/a", "type": "filesystem"} | columns
    return "\t".join(values.values()) + "\n"


def named(text: str) -> dict[str, Dataset]:
    return {dataset.name: dataset for dataset in parse_datasets(text)}


def test_what_is_asked_for_can_be_narrowed() -> None:
    columns = ",".join(DATASET_COLUMNS)

    assert ("zfs", "list", "-Hp", "-t", "filesystem,volume", "-o", columns) == list_datasets().argv
    assert ("-r", "--", "tank/with space") == list_datasets("tank/with space").argv[-3:]
    assert ("-d", "1", "--", "tank") == list_datasets("tank", types=["snapshot"], depth=1).argv[-4:]
    assert (columns, "--", "tank") == list_datasets("tank", recursive=False).argv[-3:]
    columns = "name,used,available,creation,compression,checksum,sync,dedup,copies,atime,relatime"
    assert ("zfs", "list", "-Hp", "-d", "0", "-o", columns, "tank") == root_dataset("tank").argv


def test_every_fact_has_a_column() -> None:
    assert len(fields(Dataset)) == len(DATASET_COLUMNS)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_every_recorded_listing_is_read_whole(path: Path) -> None:
    text = path.read_text()

    datasets = list(parse_datasets(text))

    lines = [line for line in text.split("\n") if line.count("\t") == len(DATASET_COLUMNS) - 1]
    in_pieces = text.count("\n") - len(lines)
    assert len(datasets) == len(lines) + in_pieces // 2
    by_name = {dataset.name: dataset for dataset in datasets}
    for line in lines:
        printed = dict(zip(DATASET_COLUMNS, line.split("\t"), strict=True))
        dataset = by_name[printed["name"]]
        assert dataset.type in {"filesystem", "volume", "snapshot", "bookmark"}
        assert printed["guid"] == str(dataset.guid)
        assert printed["used"] == ("-" if dataset.used_bytes is None else str(dataset.used_bytes))
        assert printed["avail"] == ("-" if dataset.available_bytes is None else str(dataset.available_bytes))
        assert printed["clones"] == (",".join(dataset.clones) or "-")
        assert printed["mounted"] == {True: "yes", False: "no", None: "-"}[dataset.is_mounted]


def test_a_real_mountpoint_may_hold_tabs_and_line_breaks() -> None:
    datasets = named((CAPTURES / "2.4" / "names" / "zfs_list_all.tsv").read_text())

    assert "/mnt/tab\tnew\nline" == datasets["my pool/white space"].mountpoint
    guid = (
        (CAPTURES / "2.4" / "names" / "zfs_list_all.tsv").read_text().partition("\nmy pool/white space\t")[2]
    )
    assert str(datasets["my pool/white space"].guid) in guid.partition("\nmy pool")[0].split("\t")
    assert 5 == len(datasets)


@pytest.mark.parametrize("mountpoint", ["/\t", "/a\n", "/\n\n\t\n", "/x\t-\t-", "/x" + "\t-" * 40, "/é\t\n"])
def test_a_mountpoint_with_white_space_moves_no_column(mountpoint: str) -> None:
    text = line_of(mountpoint=mountpoint, guid="7", used="5") + line_of(name="tank/b")

    first, second = parse_datasets(text)

    assert (mountpoint, 7, 5) == (first.mountpoint, first.guid, first.used_bytes)
    assert "tank/b" == second.name


def test_a_mountpoint_cannot_pass_for_another_dataset() -> None:
    """It can invent a dataset that nobody has; what is known of those that exist stays."""
    victim = "tank/victim\tfilesystem\t1\t2\t3\t/y"
    closing = "/x" + "\t-" * 27

    with pytest.raises(ParseError, match="listed twice"):
        named(line_of(mountpoint=f"{closing}\n{victim}") + line_of(name="tank/victim"))
    with pytest.raises(ParseError, match="reads like a dataset"):
        named(line_of(mountpoint=f"/x\n{victim}") + line_of(name="tank/victim"))
    with pytest.raises(ParseError, match="listed twice"):
        named(line_of() * 2)


def test_a_filesystem_with_its_facts() -> None:
    ann = named(MIRRORS)["tank/home/ann"]

    assert (
        Dataset(
            name="tank/home/ann",
            type="filesystem",
            used_bytes=94617600,
            available_bytes=979124224,
            referenced_bytes=31588352,
            mountpoint="/tank/home/ann",
            used_by_snapshots_bytes=63029248,
            used_by_dataset_bytes=31588352,
            used_by_children_bytes=0,
            used_by_refreservation_bytes=0,
            creation=1795218583,
            createtxg=9,
            guid=4392359896449494000,
            written_bytes=0,
            logical_used_bytes=94489088,
            compress_ratio=1.0,
            compression="lz4",
            recordsize_bytes=131072,
            dedup="off",
            copies=1,
            quota_bytes=1073741824,
            refquota_bytes=0,
            reservation_bytes=0,
            refreservation_bytes=0,
            encryption="off",
            is_mounted=True,
            canmount="on",
        )
        == ann
    )


def test_clones_holds_volumes_and_odd_names_are_understood() -> None:
    datasets = named(MIRRORS)

    assert ("tank/vm1", "tank/vm3", "tank/vm2") == datasets["tank/images@gold"].clones
    assert "tank/images@gold" == datasets["tank/vm1"].origin
    assert 1 == datasets["tank/home/ann@daily-1"].holds
    assert datasets["tank/home/ann@daily-1"].is_destroy_deferred is False
    assert 16384 == datasets["tank/vm-sparse"].volblocksize_bytes
    assert datasets["tank/home/ann#daily-1"].used_bytes is None
    assert {"tank/with space", "tank/odd:name_-.x"} < datasets.keys()
    assert "tank" == datasets["tank/home/ann@daily-1"].pool


def test_a_locked_dataset_says_so() -> None:
    assert "unavailable" == named(LOCKED)["vault/secret"].keystatus
    assert named(LOCKED)["vault/secret"].is_mounted is False
    assert named(LOCKED)["vault"].keystatus is None


def test_none_and_a_dash_are_unknown_and_a_nought_is_not() -> None:
    (dataset,) = parse_datasets(line_of(mountpoint="none", quota="0", used="-", compressratio="12.34x"))

    assert (None, 0, None, 12.34) == (
        dataset.mountpoint,
        dataset.quota_bytes,
        dataset.used_bytes,
        dataset.compress_ratio,
    )


def test_what_only_looks_like_a_line_break_is_data() -> None:
    (dataset,) = parse_datasets(line_of(mountpoint="/x\u2028\x0b[red]y[/red]"))

    assert "/x\u2028\x0b[red]y[/red]" == dataset.mountpoint


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tank\tfilesystem\n", "expected 33 fields, got 2"),
        ("\n", "expected 33 fields, got 1"),
        (line_of(name="tank/b", mountpoint="/x")[:-3] + "\n", "reads like a dataset"),
        (line_of(name="tank/b", mountpoint="/" + "x" * 20_000, used="K"), "not a count"),
        (line_of(name="tank/b", mountpoint="here\tx"), "not a mountpoint"),
        (line_of(name="tank/b", compression="[b]"), "not a word"),
        (line_of(used="1.5G"), "not a count"),
        (line_of(used="٣"), "not a count"),
        (line_of(used="9" * 21), "not a count"),
        (line_of(name="tank/\x1b[31m"), "not a name"),
        (line_of(clones="tank/a,[b]"), "not a name"),
        (line_of(mounted="maybe"), "neither yes nor no"),
        (line_of(compressratio="nan"), "not a ratio"),
    ],
)
def test_what_is_no_listing_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as refused:
        list(parse_datasets(line_of() + text + line_of(name="tank/c")))

    assert ("zfs list", 2) == (refused.value.tool, refused.value.line_no)


def test_a_listing_cut_at_any_byte_is_refused_after_the_lines_before_the_cut() -> None:
    text = MIRRORS[:3000].rpartition("\n")[0] + "\n"
    whole = list(parse_datasets(text))

    for end in range(len(text)):
        got: list[Dataset] = []
        with suppress(ParseError):
            got.extend(parse_datasets(text[:end]))
        assert whole[: len(got)] == got


@given(st.text(st.sampled_from("\t\n-01tank/@#yesnone\u2028\x00"), max_size=300))
def test_noise_is_refused_or_ignored_and_nothing_else(noise: str) -> None:
    with suppress(ParseError):
        list(parse_datasets(noise))
    with suppress(ParseError):
        parse_root_datasets(noise)


COUNTS = st.none() | st.integers(0, 2**64 - 1)


@given(
    st.lists(
        st.builds(
            Dataset,
            name=st.text(st.sampled_from("aZ09_.: -/@#%"), min_size=1),
            type=st.sampled_from(["filesystem", "volume", "snapshot", "bookmark"]),
            used_bytes=COUNTS,
            guid=COUNTS,
            mountpoint=st.none()
            | st.text(st.characters(exclude_characters="\t\n", exclude_categories=["Cs"])).map("/{}".format),
            clones=st.lists(st.sampled_from(["tank/a", "tank/b c", "tank/%recv"]), max_size=3).map(tuple),
            is_mounted=st.none() | st.booleans(),
        ),
        max_size=5,
        unique_by=lambda dataset: dataset.name,
    )
)
def test_parsing_inverts_printing(datasets: list[Dataset]) -> None:
    text = "".join(
        line_of(
            name=dataset.name,
            type=dataset.type,
            used="-" if dataset.used_bytes is None else str(dataset.used_bytes),
            guid="-" if dataset.guid is None else str(dataset.guid),
            mountpoint=dataset.mountpoint or "-",
            clones=",".join(dataset.clones) or "-",
            mounted={True: "yes", False: "no", None: "-"}[dataset.is_mounted],
        )
        for dataset in datasets
    )

    assert datasets == list(parse_datasets(text))
