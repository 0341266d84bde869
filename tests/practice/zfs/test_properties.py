"""`zfs create`, `set` and `inherit`: properties, their sources, sizes that do not fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.practice.zfs.stage import MIB, Stage
from zconsole.practice.system.proc import zvols
from zconsole.practice.world import dataset_contents
from zconsole.practice.zfs.property_rules import BadValue, number_of
from zconsole.zfs.listing import datasets

MADE = ("zfs create tank/a", "zfs create tank/a/b", "zfs create -V 64M tank/v")


def test_what_is_created_is_listed_mounted_and_remembered() -> None:
    stage = Stage()

    stage.does("zfs create -p -o compression=zstd-3 -o com.example:owner=ann tank/x/y/z")

    listed = stage.does(" ".join(datasets.list_datasets().argv))
    made = {found.name: found for found in datasets.parse_datasets(listed)}
    assert {"tank", "tank/x", "tank/x/y", "tank/x/y/z"} == made.keys()
    assert ("zstd-3", True) == (made["tank/x/y/z"].compression, made["tank/x/y/z"].is_mounted)
    assert "ann" == stage.get("tank/x/y/z", "com.example:owner")
    assert "zfs create -p -o compression=zstd-3 -o com.example:owner=ann tank/x/y/z" in list(stage.history())


@pytest.mark.parametrize(
    ("size", "given_options", "volsize", "refreservation"),
    [
        ("512M", "", 512 * MIB, 547356672),  # as on the captured host
        ("512M", "-s ", 512 * MIB, 0),
        ("100000", "", 114688, 114688 + 2 * 8 * 131072),
        ("64M", "-b 64K ", 64 * MIB, 64 * MIB + 2 * 8 * 131072),
    ],
)
def test_a_volume_is_reserved_whole_unless_it_is_sparse(
    size: str, given_options: str, volsize: int, refreservation: int
) -> None:
    stage = Stage(f"zfs create {given_options}-V {size} tank/v")

    assert (volsize, refreservation) == (
        stage.size("tank/v", "volsize"),
        stage.size("tank/v", "refreservation"),
    )


def test_a_dry_run_creates_nothing() -> None:
    stage = Stage()

    told = stage.does("zfs create -nvp -o quota=1G tank/x/y")
    exact = stage.does("zfs create -nP -V 16M tank/v")

    assert "would create ancestors of tank/x/y\nwould create tank/x/y\n\tquota=1G\n" == told
    assert exact.startswith("create\ttank/v\nproperty\trefreservation\t")
    assert {"tank"} == stage.names()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("zfs create tank/a", "cannot create 'tank/a': dataset already exists\n"),
        ("zfs create tank/no/b", "cannot create 'tank/no/b': parent does not exist\n"),
        ("zfs create tank/v/b", "cannot create 'tank/v/b': parent is not a filesystem\n"),
        ("zfs create other/b", "cannot create 'other/b': no such pool 'other'\n"),
        ("zfs create tank", "cannot create 'tank': missing dataset name\n"),
        ("zfs create tank/x@y", "cannot create 'tank/x@y': snapshot delimiter '@' is not expected here\n"),
        ("zfs create tank/x[y]", "cannot create 'tank/x[y]': invalid character '[' in name\n"),
        ("zfs create tank/../x", "cannot create 'tank/../x': parent reference, '..' is found in name\n"),
        ("zfs create -V 900G tank/big", "cannot create 'tank/big': out of space\n"),
        ("zfs create -o nosuch=1 tank/x", "cannot create 'tank/x': invalid property 'nosuch'\n"),
        ("zfs create -o volmode=dev tank/v/x", "cannot create 'tank/v/x': parent is not a filesystem\n"),
        ("zfs create -o volsize=1G tank/x",
         "cannot create 'tank/x': 'volsize' does not apply to datasets of this type\n"),
        ("zfs create -V 0 tank/x", "cannot create 'tank/x': volume size cannot be zero\n"),
        ("zfs create -V 12Q tank/x", "bad volume size '12Q': invalid numeric suffix 'Q'\n"),
    ],
)  # fmt: skip
def test_refusals_to_create(command: str, words: str) -> None:
    assert (1, words) == Stage(*MADE).refuses(command)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("zfs set quota=10K tank/a", "size is less than current used or reserved space"),
        ("zfs set refquota=10K tank/a", "size is less than current used or reserved space"),
        ("zfs set reservation=900G tank/a", "size is greater than available space"),
        ("zfs set refreservation=900G tank/a", "size is greater than available space"),
        ("zfs set quota=0 tank/a", "use 'none' to disable quota/refquota"),
        ("zfs set quota=ten tank/a", "bad numeric value 'ten'"),
        ("zfs set quota=10X tank/a", "invalid numeric suffix 'X'"),
        ("zfs set recordsize=100K tank/a", "'recordsize' must be power of 2 from 512B to 16M"),
        ("zfs set recordsize=32M tank/a", "'recordsize' must be power of 2 from 512B to 16M"),
        ("zfs set atime=maybe tank/a", "'atime' must be one of 'on | off'"),
        ("zfs set mountpoint=here tank/a", "'mountpoint' must be an absolute path, 'none', or 'legacy'"),
        ("zfs set used=1 tank/a", "'used' is readonly"),
        ("zfs set encryption=on tank/a", "'encryption' is readonly"),
        ("zfs set volsize=1G tank/a", "'volsize' does not apply to datasets of this type"),
        ("zfs set refreservation=auto tank/a", "'refreservation=auto' only allowed on volumes"),
        ("zfs set keylocation=prompt tank/a", "keylocation must be 'none' for unencrypted datasets"),
        ("zfs set nosuch=1 tank/a", "invalid property 'nosuch'"),
        ("zfs set com.Example:x=1 tank/a", "invalid property 'com.Example:x'"),
    ],
)
def test_values_that_do_not_fit_are_refused(command: str, words: str) -> None:
    assert (1, f"cannot set property for 'tank/a': {words}\n") == Stage(*MADE).refuses(command)


def test_a_value_is_local_where_it_is_set_and_inherited_below() -> None:
    stage = Stage(*MADE)

    stage.does("zfs set compression=zstd atime=off tank/a")

    rows = stage.does("zfs get -H -o property,value,source compression,atime tank/a/b").splitlines()
    assert ["compression\tzstd\tinherited from tank/a", "atime\toff\tinherited from tank/a"] == rows
    stage.does("zfs set compression=off tank/a/b")
    stage.does("zfs inherit -r compression tank/a")
    assert "lz4\tinherited from tank" == stage.does("zfs get -H -o value,source compression tank/a/b").strip()


def test_a_received_value_comes_back() -> None:
    stage = Stage(*MADE)
    stage.dataset("tank/a").received["compression"] = "gzip"

    def seen() -> str:
        return stage.does("zfs get -H -o value,received,source compression tank/a").strip()

    assert "gzip\tgzip\treceived" == seen()
    stage.does("zfs set compression=zle tank/a")
    assert "zle\tgzip\tlocal" == seen()
    stage.does("zfs inherit compression tank/a")
    assert "lz4\tgzip\tinherited from tank" == seen()
    stage.does("zfs inherit -S compression tank/a")
    assert "gzip\tgzip\treceived" == seen()


@pytest.mark.parametrize(
    ("command", "status", "words"),
    [
        (
            "zfs inherit quota tank/a",
            1,
            (
                "'quota' property cannot be inherited\nuse 'zfs set quota=none' to clear\n"
                "use 'zfs inherit -S quota' to revert to received value\n"
            ),
        ),
        ("zfs inherit used tank/a", 1, "used property is read-only\n"),
        ("zfs inherit compression tank/no", 1, "cannot open 'tank/no': dataset does not exist\n"),
    ],
)
def test_refusals_to_inherit(command: str, status: int, words: str) -> None:
    assert (status, words) == Stage(*MADE).refuses(command)


def test_user_properties_may_hold_anything_also_on_snapshots() -> None:
    stage = Stage(*MADE, "zfs snapshot tank/a@s1")

    stage.does("zfs set com.example:note=[red]x[/red] tank/a tank/a@s1")
    stage.does("zfs inherit com.example:note tank/a")

    assert ("-", "[red]x[/red]") == (
        stage.get("tank/a", "com.example:note"),
        stage.get("tank/a@s1", "com.example:note"),
    )


def test_a_reserved_volume_stays_reserved_when_it_grows() -> None:
    stage = Stage(*MADE)

    stage.does("zfs set volsize=512M tank/v")

    assert 547356672 == stage.size("tank/v", "refreservation")
    assert (
        1,
        "cannot set property for 'tank/v': 'volsize' must be a multiple of volume block size (16K)\n",
    ) == (stage.refuses("zfs set volsize=1000000 tank/v"))


def test_a_quota_limits_and_a_reservation_is_taken_from_above() -> None:
    stage = Stage(*MADE)
    room = stage.size("tank", "available")

    stage.does("zfs set quota=1G reservation=512M tank/a")

    assert (1 << 30) - stage.size("tank/a", "used") == stage.size("tank/a/b", "available")
    reserved = 512 * MIB - stage.size("tank/a", "used")
    assert room - reserved == stage.size("tank", "available")


def test_a_full_pool_takes_nothing_new_but_lets_go() -> None:
    stage = Stage(*MADE, "zfs snapshot tank/a@s1")
    stage.does("zfs set refreservation=none tank/v")
    dataset_contents.write(stage.pool, stage.dataset("tank/a"), stage.size("tank/a", "available"))

    with pytest.raises(dataset_contents.OutOfSpace):
        dataset_contents.write(stage.pool, stage.dataset("tank/a"), 4096)
    assert "cannot create 'tank/x': out of space\n" == stage.refuses("zfs create tank/x")[1]
    assert "cannot create 'tank/x': out of space\n" == stage.refuses("zfs clone tank/a@s1 tank/x")[1]
    assert stage.refuses("zfs snapshot tank/a@s2")[1].startswith("cannot create snapshots : out of space\n")
    stage.does("zfs destroy -r tank/a")
    stage.does("zfs create tank/x")


def test_a_volume_keeps_its_device_while_others_go() -> None:
    stage = Stage("zfs create -V 16M tank/v1", "zfs create -V 32M tank/v2")
    assert ["zd0", "zd16"] == [name for name, _, _ in zvols(stage.world)]

    stage.does("zfs destroy tank/v1")
    stage.does("zfs create -V 16M tank/v3")

    assert ["zd16", "zd32"] == [name for name, _, _ in zvols(stage.world)]


def test_where_the_properties_stand_on_the_line_matters() -> None:
    stage = Stage(*MADE)

    assert "invalid argument order" == stage.refuses("zfs set atime=off tank/a atime=on")[1].splitlines()[0]
    assert "missing dataset name(s)" == stage.refuses("zfs set atime=off")[1].splitlines()[0]
    assert (1, "property 'atime' specified multiple times\n") == (
        stage.refuses("zfs set atime=off atime=on tank/a")
    )


@given(number=st.integers(0, 1 << 40), unit=st.sampled_from("BKMGT"), suffix=st.sampled_from(("", "B", "iB")))
def test_sizes_are_read_with_their_units(number: int, unit: str, suffix: str) -> None:
    text = f"{number}{unit}{suffix if unit != 'B' else ''}"
    expected = number << (10 * "BKMGT".index(unit))

    if expected < 1 << 64:
        assert expected == number_of(text)


@given(text=st.text(max_size=12))
def test_a_size_is_read_or_refused(text: str) -> None:
    try:
        number = number_of(text)
    except BadValue:
        return

    assert 0 <= number < 1 << 64
