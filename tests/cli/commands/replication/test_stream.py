"""`zconsole stream`: a folder of send streams, whole and broken, in sentences and as JSON."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import pytest

from tests.reports.schema import STREAM, mismatch
from tests.zfs.streams import Writer, package
from zconsole.cli import run

Screen = pytest.CaptureFixture[str]
FULL = bytes(Writer().snapshot("tank/home@a", 11).data)
STEP = bytes(Writer().snapshot("tank/home@b", 12, 11).data)
BETWEEN = package(
    "tank/home@d",
    [("tank/home@c", 13, 12), ("tank/home@d", 14, 13)],
    listed={
        "not_recursive": None,
        "fss": {"0x1": {"name": "tank/home", "snaps": {"b": 12, "c": 13, "d": 14}}},
    },
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A chain: in full, an increment, and what `-I` makes; compressed in two ways, one below a folder."""
    (tmp_path / "1.zfs.gz").write_bytes(gzip.compress(FULL))
    (tmp_path / "2.zfs.xz").write_bytes(lzma.compress(STEP))
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "3.zfs").write_bytes(BETWEEN)
    (tmp_path / "README").write_text("what is in here")
    (tmp_path / "link").symlink_to("1.zfs.gz")
    return tmp_path


def test_a_whole_chain_is_told_with_its_commands(folder: Path, capsys: Screen) -> None:
    assert 0 == run(["stream", str(folder)])
    said, err = capsys.readouterr()

    assert "" == err
    assert said.splitlines()[0] == f"{folder}: 3 files with send streams; 4 snapshots can be restored."
    assert "tank/home@b: filesystem, from guid 11, guid 12, of 2026-11-18 11:06:40 UTC" in said
    assert "  a package of tank/home@d, with its properties or snapshots between:" in said
    assert "No send streams: README." in said
    commands = [line.strip() for line in said.splitlines() if "zfs receive" in line]
    assert [
        "gzip -dc < 1.zfs.gz | zfs receive -u TARGET/home  # tank/home@a",
        "xz -dc < 2.zfs.xz | zfs receive -u TARGET/home  # tank/home@b",
        "zfs receive -u TARGET/home < later/3.zfs  # tank/home@c, tank/home@d",
    ] == commands


@pytest.mark.parametrize("verify", [[], ["--verify"]])
def test_the_document_has_the_documented_shape(verify: list[str], folder: Path, capsys: Screen) -> None:
    (folder / "cut").write_bytes(FULL[:2000])
    (folder / "odd").write_bytes(bytes(Writer(">").snapshot("tank/x@y", 31, 30, payload=b"").data))

    assert 1 == run(["stream", "--json", *verify, str(folder)])
    document = json.loads(capsys.readouterr().out)
    assert "" == mismatch(document, STREAM)
    assert [[], ["30"]] == [document["parents"], [link["guid"] for link in document["missing"]]]
    sent = document["files"][0]["streams"][0]["snapshots"][0]
    assert (True if verify else None) == sent["is_checksum_good"]
    problems = {file["name"]: file["problem"] for file in document["files"]}
    assert ("truncated", 2000) == (problems["cut"]["kind"], problems["cut"]["offset"])
    assert ("no stream", None) == (problems["README"]["kind"], problems["2.zfs.xz"])


def test_what_is_missing_and_what_is_broken_is_said(folder: Path, capsys: Screen) -> None:
    (folder / "2.zfs.xz").unlink()
    (folder / "later" / "3.zfs").write_bytes(BETWEEN[:-400])
    (folder / "0.zst").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(90))
    (folder / "4").write_bytes(b"")
    (folder / "5.gz").write_bytes(gzip.compress(FULL)[:-9])

    assert 1 == run(["stream", str(folder)])
    said = capsys.readouterr().out
    assert "Missing: tank/home@b (guid 12), on which tank/home@c builds" in said
    assert (
        f"Truncated: later/3.zfs at byte {len(BETWEEN) - 400}: it ends before the stream does. Send it again"
        in said
    )
    assert "Not restorable: tank/home@d in later/3.zfs: the file is truncated." in said
    assert "Unreadable: 0.zst: it is compressed with zstd; unpack it first: zstd -d 0.zst." in said
    assert "Truncated: 5.gz at byte" in said
    assert "of what is compressed in it: its compressed data is truncated" in said
    assert "No send streams: 4, README." in said


def test_a_damaged_file_is_found_by_its_checksums(folder: Path, capsys: Screen) -> None:
    data = bytearray(BETWEEN)
    data[BETWEEN.index(b"dddd") + 100] ^= 1
    (folder / "later" / "3.zfs").write_bytes(data)

    assert 0 == run(["stream", str(folder)])
    assert "Damaged" not in capsys.readouterr().out
    assert 1 == run(["stream", "--verify", str(folder)])
    said = capsys.readouterr().out
    assert "Damaged: later/3.zfs at byte" in said
    assert "the checksum of the preceding data does not match. Copy it again" in said
    assert "checksum good" in said


def test_names_from_streams_and_files_do_nothing(tmp_path: Path, capsys: Screen) -> None:
    (tmp_path / "a;rm -rf $HOME\x1b[2J").write_bytes(
        bytes(Writer().snapshot("tank/\x1b]0;x\x07@a b", 1).data)
    )

    assert 0 == run(["stream", str(tmp_path)])
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "zfs receive -u 'TARGET/^[]0;x^G' < 'a;rm -rf $HOME^[[2J'" in said


def test_one_file_is_a_folder_of_its_own(folder: Path, capsys: Screen) -> None:
    assert 0 == run(["stream", str(folder / "1.zfs.gz")])
    assert "1.zfs.gz" in capsys.readouterr().out


def test_what_is_not_there_is_wrong_words(tmp_path: Path, capsys: Screen) -> None:
    assert 2 == run(["stream", str(tmp_path / "none")])
    assert "none is not there" in capsys.readouterr().err
    assert 1 == run(["stream", str(tmp_path)])
    assert "nothing can be restored" in capsys.readouterr().out
