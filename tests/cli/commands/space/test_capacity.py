"""`zconsole capacity`: answers in JSON and in sentences, and one sentence for what cannot be."""

from __future__ import annotations

import json
import shlex

import pytest

from tests.cli.fakes import nas, reach
from tests.reports.schema import CAPACITY_COMPARE, CAPACITY_LAYOUT, CAPACITY_NEED, CAPACITY_WHAT_IF, mismatch
from zconsole.cli import run

Screen = pytest.CaptureFixture[str]


def answer(line: str, capsys: Screen) -> dict[str, object]:
    """What `zconsole capacity LINE --json` prints."""
    assert 0 == run(["capacity", *shlex.split(line), "--json"])
    out, err = capsys.readouterr()
    assert "" == err
    document = json.loads(out)
    assert isinstance(document, dict)
    return document


def test_a_layout_in_json(capsys: Screen) -> None:
    found = answer("layout 'raidz2:6 x2' --disk 12002339414016 --ashift 12", capsys)

    assert "" == mismatch(found, CAPACITY_LAYOUT)
    assert 144001663500288 == found["pool_size_bytes"]
    assert 95769918153496 + 810216 == found["usable_bytes"] == found["usable_at_recordsize_bytes"]
    assert found["efficiency"] == pytest.approx(0.665, abs=0.001)
    survives = found["survives"]
    assert isinstance(survives, dict)
    assert 2 == survives["any"]
    assert [1.0, 1.0] == survives["odds"][:2]
    assert survives["odds"][2] == pytest.approx(1 - 2 * 20 / 220)


def test_whole_drives_have_partitions_and_files_have_none(capsys: Screen) -> None:
    drive = answer("layout mirror:2 --disk 4TB", capsys)
    exact = answer("layout mirror:2 --disk 4000776716288", capsys)
    file = answer("layout mirror:2 --disk 4TB --file", capsys)

    (vdev,) = drive["vdevs"]  # type: ignore[misc]
    assert [4000787030016] * 2 == vdev["drive_bytes"]
    assert [7814017024 * 512] * 2 == vdev["device_bytes"]
    assert 3861712470016 == drive["usable_bytes"] == exact["usable_bytes"]
    (vdev,) = file["vdevs"]  # type: ignore[misc]
    assert [4 * 10**12] * 2 == vdev["device_bytes"]


def test_the_block_size_counts_on_a_raidz(capsys: Screen) -> None:
    found = answer("layout raidz2:6 --disk 12TB --volblocksize 8K", capsys)

    usable, here = found["usable_bytes"], found["usable_at_recordsize_bytes"]
    assert isinstance(usable, int)
    assert here == usable // 2
    assert "padding" in str(found["advice"])


def test_options_may_stand_in_front(capsys: Screen) -> None:
    assert answer("--disk 4TB layout mirror:2", capsys) == answer("layout mirror:2 --disk 4TB", capsys)


def test_a_layout_that_an_older_release_makes(capsys: Screen) -> None:
    line = "layout 'stripe:1 special stripe:1' --disk 300GB --file"
    newest, older = answer(line, capsys), answer(f"{line} --zfs 2.3.1", capsys)

    assert newest["pool_size_bytes"] == older["pool_size_bytes"]
    assert 2**31 == newest["usable_bytes"] - older["usable_bytes"]  # type: ignore[operator]


def test_a_layout_in_sentences(capsys: Screen) -> None:
    assert 0 == run(["capacity", "layout", "raidz2:8", "x2", "special", "stripe:1@1.92TB", "--disk", "12TB"])

    out = capsys.readouterr().out
    assert "Usable         136.36 TB (124.02 TiB), 136356890148864 bytes: USED + AVAIL of `zfs list`" in out
    assert "no failure for certain" in out
    assert "1 disk for special without redundancy" in out


def test_need_in_json(capsys: Screen) -> None:
    found = answer("need --data 1TiB", capsys)

    assert "" == mismatch(found, CAPACITY_NEED)
    assert (7.15, 8) == (found["product_per_system"], found["rule_per_system"])
    assert (7_150_000_000_000, 1) == (found["raw_bytes_per_system"], found["systems"])
    three = answer("need --data 1TiB --systems 3", capsys)
    assert (21_450_000_000_000, 21.45, 24) == (three["raw_bytes"], three["product"], three["rule"])
    assert found["purchase"] is None
    factors = found["factors"]
    assert isinstance(factors, list)
    assert [1.1, 1.25, 2.0, 1.3, 2.0] == [factor["value"] for factor in factors]


def test_need_with_other_factors_and_a_layout(capsys: Screen) -> None:
    found = answer(
        "need --data 100TiB --growth 10% --years 2 --fill 90% --snapshots 1.5 --systems 1 --tb-per-tib exact "
        "--layout raidz2:8 --disk 20TB",
        capsys,
    )

    assert "" == mismatch(found, CAPACITY_NEED)
    bought = found["purchase"]
    assert isinstance(bought, dict)
    assert "raidz2:8 x2" == bought["layout"]
    usable, wanted = bought["usable_bytes"], found["usable_bytes_per_system"]
    assert usable >= wanted == pytest.approx(100 * 2**40 * 1.21 * 1.5 / 0.9, rel=1e-9)
    redundancy = found["factors"][4]  # type: ignore[index]
    assert redundancy["value"] == pytest.approx(1.41, abs=0.01)


def test_need_the_other_way_round(capsys: Screen) -> None:
    found = answer("need --raw 1TB --systems 1", capsys)

    assert 10**12 == found["raw_bytes"]
    assert found["data_bytes"] == pytest.approx(0.14 * 2**40, rel=0.01)

    assert 0 == run(["capacity", "need", "--raw", "8TB"])
    assert "8.00 TB (7.28 TiB) of drives in one system are for 1.23 TB (1.12 TiB)" in capsys.readouterr().out


def test_need_shows_the_chain(capsys: Screen) -> None:
    line = "need --data 1TiB --layout mirror:2 --disk 4TB --systems 3"
    assert 0 == run(["capacity", *shlex.split(line)])

    out = capsys.readouterr().out
    for words in (
        "x 1.1",
        "x 1.25",
        "x 1.3",
        "with the exact 1.0995",
        "mirror:2 holds it: 2 drives, ",
        "6 drives in 3 systems",
    ):
        assert words in out


def test_need_of_drives_proposes_the_smallest_layout(capsys: Screen) -> None:
    found = answer("need --data 6.61TiB --disk 8TB", capsys)

    assert "" == mismatch(found, CAPACITY_NEED)
    bought = found["purchase"]
    assert isinstance(bought, dict)
    assert ("mirror:2 x3", 6) == (bought["layout"], bought["drives"])
    assert bought["usable_bytes"] >= found["usable_bytes_per_system"]

    for bays, words in (
        ("", "▸ mirror:2 x3: the smallest that holds it, 6 drives."),
        ("--bays 12", "▸ mirror:2 x3: the smallest that holds it, 6 drives; 6 of 12 bays stay free."),
        ("--bays 5", "6 drives; 1 more than there are bays: in 5 only raidz1:5 holds it, which is advised"),
    ):
        assert 0 == run(["capacity", *shlex.split(f"need --data 6.61TiB --disk 8TB {bays}")])
        out = capsys.readouterr().out
        assert words in out
        assert "the pool must have 6.61 TiB x 1.25 x 2 x 1.3 = 21.48 TiB usable" in out
        assert "mirror:2 x3 holds it: 6 drives, 48.01 TB (43.66 TiB)" in out


def test_need_that_no_pool_holds_is_told(capsys: Screen) -> None:
    assert 0 == run(["capacity", *shlex.split("need --data 10PiB --disk 8TB")])

    assert "no layout of at most 480 drives that is not advised against holds " in capsys.readouterr().out
    assert answer("need --data 10PiB --disk 8TB", capsys)["purchase"] is None


def test_small_blocks_need_another_layout(capsys: Screen) -> None:
    usual = answer("need --data 6.7TiB --disk 8TB", capsys)["purchase"]
    small = answer("need --data 6.7TiB --disk 8TB --volblocksize 8K", capsys)["purchase"]

    assert "raidz2:6" == usual["layout"]  # type: ignore[index]
    assert "mirror:2 x4" == small["layout"]  # type: ignore[index]


def test_a_comparison_has_the_smallest_that_holds_it_first(capsys: Screen) -> None:
    found = answer("compare --usable 22TiB --disk 8TB --bays 12", capsys)

    assert "" == mismatch(found, CAPACITY_COMPARE)
    layouts = found["layouts"]
    assert isinstance(layouts, list)
    assert (22 * 2**40, "raidz2:6", "raidz2:6") == (
        found["wanted_usable_bytes"],
        found["proposed"],
        layouts[0]["layout"],
    )
    assert {"mirror:2 x4", "mirror:2 x6"} <= {each["layout"] for each in layouts if each["is_enough"]}
    named = answer("compare --usable 22TiB --disk 8TB 'mirror:2 x6' 'raidz2:5'", capsys)
    assert "mirror:2 x6" == named["proposed"]
    assert [True, False] == [each["is_enough"] for each in named["layouts"]]  # type: ignore[union-attr, index]

    assert 0 == run(["capacity", *shlex.split("compare --usable 22TiB --disk 8TB --bays 12")])
    first, _, *rows = capsys.readouterr().out.splitlines()
    assert first.startswith(
        "▸ raidz2:6: the smallest that holds it, 6 drives; 6 of 12 bays stay free; as mirrors "
    )
    assert rows[1].startswith("▸ raidz2:6 ")


def test_a_comparison_without_a_need_has_no_verdict(capsys: Screen) -> None:
    found = answer("compare mirror:2 --disk 8TB", capsys)

    assert found["wanted_usable_bytes"] is None
    assert found["proposed"] is None
    assert [None] == [each["is_enough"] for each in found["layouts"]]  # type: ignore[union-attr, index]


def test_a_comparison_in_json(capsys: Screen) -> None:
    found = answer("compare 'mirror:2 x4' 'stripe:1' --disk 12TB --bays 8 --spares 2 --price 250", capsys)

    assert "" == mismatch(found, CAPACITY_COMPARE)
    layouts = found["layouts"]
    assert isinstance(layouts, list)
    assert ["mirror:2 x4", "stripe:1", "mirror:2 x3 spare stripe:2"] == [one["layout"] for one in layouts[:3]]
    assert 2000.0 == layouts[0]["price"]
    assert None is layouts[1]["resilver_s"]


def test_a_comparison_in_tables(capsys: Screen) -> None:
    line = (
        "compare --disk 12TB --bays 24 --watts 7 --recordsize 16K --afr 2% --fill 50% --rate 100MB/s --wait 1"
    )
    assert 0 == run(["capacity", *line.split()])

    out = capsys.readouterr().out
    assert (
        "2.00% of disks fail a year, one by one; a resilver runs at 100 MB/s a disk (half in a raidz)" in out
    )
    assert "raidz2:8 x3" in out
    assert "PRICE" not in out
    assert "168 W" in out
    assert "next step: attach a disk to one raidz2:8 (OpenZFS 2.3): 1 drive, 8.54 TB" in out
    assert max(len(row) for row in out.split("\n") if row.startswith("raidz2:8 x3")) < 110


@pytest.mark.parametrize(
    ("line", "more_usable", "more_used"),
    [
        ("add mirror:2 --disk 12TB", 1, 0),
        ("replace mirror-0 --disk 20TB --free-bay", 1, 0),
        ("remove mirror-0", -1, 0),
        ("move raidz2:6 --disk 12TB", 1, 0),
        ("move-on-halves mirror:2 --disk 14TB", -1, 0),
        ("compression 1.2 2", 0, -1),
        ("recordsize 128K 16K", 0, 0),
        ("copies 1 2", 0, 1),
        ("dedup 2 --recordsize 64K", 1, 0),
        ("snapshots", 0, -1),
        ("snapshots tank/vm", 0, -1),
    ],
)
def test_changes_of_a_live_pool(line: str, more_usable: int, more_used: int, capsys: Screen) -> None:
    found = answer(f"what-if tank {line} --demo", capsys)

    assert "" == mismatch(found, CAPACITY_WHAT_IF)
    assert (line.split(" --", maxsplit=1)[0], "tank") == (found["what"], found["pool"])
    for key, sign in (("usable", more_usable), ("used", more_used)):
        before, after = found[f"{key}_before_bytes"], found[f"{key}_after_bytes"]
        assert isinstance(before, int)
        assert isinstance(after, int)
        assert sign == (after > before) - (after < before)

    assert 0 == run(["capacity", "what-if", "tank", *line.split(), "--demo"])
    out = capsys.readouterr().out
    assert out.startswith(f"practice tank: {line.split(' --', maxsplit=1)[0]}")
    assert "as it is now" in out


def test_the_table_of_a_dedup_is_computed_from_the_blocks_of_the_datasets(capsys: Screen) -> None:
    """Tank of the practice world has zvols of 16 KiB beside file systems of 128 KiB."""
    own, small = (
        " ".join(map(str, answer(f"what-if tank {line} --demo", capsys)["notes"]))  # type: ignore[call-overload]
        for line in ("dedup 1", "dedup 1 --recordsize 16K")
    )

    assert "for blocks of 16 KiB to " in own
    assert "if all blocks are 16 KiB" in small


def test_a_widened_raidz_of_a_live_pool(monkeypatch: pytest.MonkeyPatch, capsys: Screen) -> None:
    """What a real pool of six disks had once a seventh was attached."""
    reach(monkeypatch, local=nas("raidz2-healthy", "local", series="2.3", pool="bulk"))

    found = answer("what-if bulk attach raidz2-0 --disk 8579448832", capsys)

    assert (59592671232, 38460522496) == (found["size_after_bytes"], found["usable_after_bytes"])
    assert 0 == found["unexplained_bytes"]


def test_a_pool_that_is_not_there(capsys: Screen) -> None:
    assert 3 == run(["capacity", "what-if", "nope", "remove", "mirror-0", "--demo"])
    assert "no pool nope" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("says", "line"),
    [
        ("the following arguments are required: CHANGE", "what-if tank --demo"),
        ("invalid choice: 'shrink'", "what-if tank shrink --demo"),
        ("add takes LAYOUT", "what-if tank add --demo"),
        ("copies takes BEFORE and AFTER", "what-if tank copies 2 --demo"),
        ("how large is the drive", "what-if tank replace mirror-0 --demo"),
        ("snapshots takes [DATASET]", "what-if tank snapshots a b --demo"),
        ("the snapshots of tank/none hold is not known", "what-if tank snapshots tank/none --demo"),
        ("is not a raidz", "what-if tank attach mirror-0 --disk 12TB --demo"),
        ("tank has no data vdev mirror-77", "what-if tank remove mirror-77 --demo"),
        ("what-if is of one host", "what-if tank remove mirror-0 --host a@b --host c@d"),
        ("nothing to compare", "compare --disk 4TB"),
        ("how large are the drives in these bays", "compare --bays 8"),
        ("--spares are of --bays", "compare mirror:2 --disk 4TB --spares 1"),
        ("disks are needed for data", "compare --bays 1 --disk 4TB"),
        ("--price: '-3' is below 0", "compare --bays 8 --disk 4TB --price=-3"),
        ("yearly failure rate", "compare --bays 8 --disk 4TB --afr 100"),
        ("capacity needs a question", ""),
        ("'layot' is not a question", "layot"),
        ("at least one disk", "layout raidz2:0 --disk 1TB"),
        ("a raidz3 has at least 4 disks", "layout raidz3:3 --disk 1TB"),
        ("are 13 disks, and it has 10", "layout draid2:10d:10c:1s --disk 1TB"),
        ("no single file has 1.00 PB", "layout stripe:1 --disk 1PB --file"),
        ("is not a unit of size", "layout mirror:2 --disk 1XB"),
        ("'1T' is ambiguous", "layout mirror:2 --disk 1T"),
        ("'2T' is ambiguous", "layout MIRROR:2@2T"),
        ("how large are its drives", "layout mirror:2"),
        ("'2.0' is not a release of OpenZFS from 2.1 to 2.4", "layout mirror:2 --disk 1TB --zfs 2.0"),
        ("'new' is not a release of OpenZFS", "compare mirror:2 --disk 1TB --zfs new"),
        ("ashift 20 is not from 9 to 16", "layout mirror:2 --disk 1TB --ashift 20"),
        ("is not an ashift", "layout mirror:2 --disk 1TB --ashift x"),
        ("is not a block size", "layout mirror:2 --disk 1TB --recordsize 100K"),
        ("one of the arguments --data --raw is required", "need"),
        ("not allowed with argument", "need --data 1TiB --raw 1TB"),
        ("'-1' is below 0", "need --data 1TiB --growth=-1"),
        ("'-5%' is below 0", "need --data 1TiB --growth=-5%"),
        ("growth: 0.5 is not a factor", "need --data 1TiB --growth 0.5"),
        ("'nan' is not a number", "need --data 1TiB --growth nan"),
        ("'1/2' is not a number", "need --data 1TiB --snapshots 1/2"),
        ("--years is for growth in percent", "need --data 1TiB --growth 2 --years 5"),
        ("'99' is not from 1 to 50", "need --data 1TiB --growth 5% --years 99"),
        ("is full at some percent", "need --data 1TiB --fill 0"),
        ("--data: '0TiB' is too small", "need --data 0TiB"),
        ("--raw: '0TB' is too small", "need --raw 0TB"),
        ("'two' is not a whole number", "need --data 1TiB --systems two"),
        ("--systems: '0' is not from 1", "need --data 1TiB --systems 0"),
        ("--disk is the drive of a layout", "need --raw 96TB --disk 4TB"),
        ("--bays is for the smallest layout of --disk", "need --data 1TiB --bays 4"),
        (
            "--bays is for the smallest layout of --disk",
            "need --data 1TiB --layout mirror:2 --disk 4TB --bays 4",
        ),
        ("'481' is not from 2 to 480", "need --data 1TiB --disk 4TB --bays 481"),
        ("how large are the drives that are to hold it", "compare mirror:2@4TB --usable 4TiB"),
        ("--spares and --usable exclude each other", "compare --bays 8 --disk 4TB --usable 4TiB --spares 1"),
        ("counted once", "need --data 1TiB --layout mirror:2 --disk 4TB --redundancy 2"),
    ],
)
def test_what_cannot_be_gets_one_sentence(says: str, line: str, capsys: Screen) -> None:
    assert 2 == run(["capacity", *shlex.split(line)])

    out, err = capsys.readouterr()
    assert "" == out
    assert says in err
    assert err.startswith("zconsole: ")
    assert len(err.splitlines()) <= 2


@pytest.mark.parametrize("words", ["", "layout", "need", "compare", "what-if"])
def test_help(words: str, capsys: Screen) -> None:
    assert 0 == run(["capacity", *words.split(), "--help"])
    assert "usage: zconsole capacity" in capsys.readouterr().out
