"""Mounts: names with blanks, mounts over mounts, files cut short, and what the system booted from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.system.mounts_and_boot_pools import MOUNTS, Mount, boot_pools, kernel_pools, parse_mounts

WORDS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1)
MADE = st.builds(
    Mount,
    WORDS,
    WORDS,
    WORDS,
    st.lists(WORDS.filter(lambda word: "," not in word), min_size=1).map(tuple),
)


def line(mount: Mount) -> str:
    """As the kernel writes it."""
    fields = (mount.source, mount.mountpoint, mount.fstype, ",".join(mount.options))
    escapes = str.maketrans({char: f"\\{ord(char):03o}" for char in " \t\n\\#"})
    return " ".join([*(field.translate(escapes) for field in fields), "0", "0\n"])


def mounted(**places: str) -> tuple[Mount, ...]:
    """Mounts by place (`root`, `boot`); a source with a colon before it is of that kind, else ZFS."""
    names = {"root": "/", "boot": "/boot", "efi": "/boot/efi", "data": "/tank"}
    found = []
    for place, source in places.items():
        kind, _, plain = source.rpartition(":")
        found.append(Mount(plain, names[place], kind or "zfs", ("rw",)))
    return tuple(found)


@given(mounts=st.lists(MADE).map(tuple))
def test_whatever_the_kernel_writes_is_read_back(mounts: tuple[Mount, ...]) -> None:
    assert mounts == parse_mounts("".join(map(line, mounts)))


@given(mounts=st.lists(MADE, min_size=1, max_size=3).map(tuple), at=st.integers(min_value=0))
def test_a_file_cut_short_is_an_error_or_its_first_lines(mounts: tuple[Mount, ...], at: int) -> None:
    whole = "".join(map(line, mounts))

    try:
        found = parse_mounts(whole[: at % len(whole)])
    except ParseError:
        return

    assert mounts[: len(found)] == found


@pytest.mark.parametrize(
    "text", ["tank /tank zfs rw 0\n", "tank /my tank zfs rw 0 0\n", "tank /tank zfs rw 0 0"]
)
def test_a_line_of_another_shape_is_named(text: str) -> None:
    with pytest.raises(ParseError, match="mounts, line 1"):
        parse_mounts(text)


def test_the_file_is_where_the_kernel_puts_it() -> None:
    assert "/proc/mounts" == MOUNTS


@pytest.mark.parametrize(
    ("mounts", "boot", "kernel"),
    [
        (mounted(root="ext4:/dev/sda1", data="tank"), set(), set()),
        (mounted(root="rpool/ROOT/debian", data="tank"), {"rpool"}, {"rpool"}),
        (mounted(root="rpool/ROOT/debian", efi="vfat:/dev/sda1"), {"rpool"}, {"rpool"}),
        (mounted(root="rpool/ROOT/debian", boot="bpool/BOOT/debian"), {"rpool", "bpool"}, {"bpool"}),
        (mounted(root="rpool/ROOT/debian", boot="vfat:/dev/sda1"), {"rpool"}, set()),
        (mounted(root="ext4:/dev/sda1", boot="bpool"), {"bpool"}, {"bpool"}),
        ((), set(), set()),
    ],
)
def test_what_the_system_stands_on_and_what_a_boot_loader_reads(
    mounts: tuple[Mount, ...], boot: set[str], kernel: set[str]
) -> None:
    assert boot == boot_pools(mounts)
    assert kernel == kernel_pools(mounts)


def test_of_two_mounts_at_one_place_the_later_one_is_seen() -> None:
    under, over = Mount("ramfs", "/", "rootfs", ()), Mount("rpool/ROOT@before", "/", "zfs", ())

    assert {"rpool"} == boot_pools((under, over))
    assert set() == boot_pools((over, under))
