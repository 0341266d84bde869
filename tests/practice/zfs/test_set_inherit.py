"""`zfs set` and `zfs inherit`: properties, their sources, sizes that do not fit."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import Stage

MADE = ("zfs create tank/a", "zfs create tank/a/b", "zfs create -V 64M tank/v")


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


def test_where_the_properties_stand_on_the_line_matters() -> None:
    stage = Stage(*MADE)

    assert "invalid argument order" == stage.refuses("zfs set atime=off tank/a atime=on")[1].splitlines()[0]
    assert "missing dataset name(s)" == stage.refuses("zfs set atime=off")[1].splitlines()[0]
    assert (1, "property 'atime' specified multiple times\n") == (
        stage.refuses("zfs set atime=off atime=on tank/a")
    )
