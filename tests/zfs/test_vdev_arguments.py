"""The words that say which vdevs to make."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import UsageError
from zconsole.zfs.vdev_arguments import Group, layout_words, parse_layout


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        ("A", [("data", "", "A")]),
        ("A B", [("data", "", "A"), ("data", "", "B")]),
        ("mirror A B", [("data", "mirror", "AB")]),
        ("mirror A B mirror C D", [("data", "mirror", "AB"), ("data", "mirror", "CD")]),
        ("raidz A B C", [("data", "raidz1", "ABC")]),
        ("raidz3 A B C D", [("data", "raidz3", "ABCD")]),
        ("log A", [("log", "", "A")]),
        ("log mirror A B mirror C D", [("log", "mirror", "AB"), ("log", "mirror", "CD")]),
        ("mirror A B cache C D spare E", [
            ("data", "mirror", "AB"), ("cache", "", "C"), ("cache", "", "D"), ("spare", "", "E"),
        ]),
        ("special mirror A B dedup C", [("special", "mirror", "AB"), ("dedup", "", "C")]),
        ("draid A B C D", [("data", "draid1:3d:4c:0s", "ABCD")]),
        ("draid2:1s:2d A B C D E", [("data", "draid2:2d:5c:1s", "ABCDE")]),
        ("draid1:2d:4c:1s A B C D", [("data", "draid1:2d:4c:1s", "ABCD")]),
    ],
)  # fmt: skip
def test_vdevs_of_words(words: str, groups: list[tuple[str, str, str]]) -> None:
    assert [Group(kind, of, tuple(devices)) for kind, of, devices in groups] == list(
        parse_layout(words.split())
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "at least one device"),
        ("log", "no device follows log"),
        ("log cache A", "no device follows log"),
        ("A log", "no device follows log"),
        ("mirror A", "mirror takes at least 2"),
        ("mirror", "mirror takes at least 2"),
        ("mirror A mirror B C", "mirror takes at least 2"),
        ("raidz2 A B", "raidz2 takes at least 3"),
        ("raidz4 A B C D E", "not a type of vdev"),
        ("logs A", "not a type of vdev"),
        ("mirrors A B", "not a type of vdev"),
        ("cache mirror A B", "cannot be part of"),
        ("spare raidz A B", "cannot be part of"),
        ("log raidz A B C", "a log is a device or a mirror"),
        ("draid2:8d:11c:1s A B C", "expects 11 devices"),
        ("draid2:8d A B C D", "needs more than"),
        ("draid1:0d A B C D", "needs more than"),
    ],
)
def test_what_makes_no_vdev_is_told(words: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        parse_layout(words.split())


def test_failures_that_a_vdev_survives_by_design() -> None:
    groups = parse_layout(("A", "mirror", *"BCD", "raidz2", *"EFGH", "draid3:1d:6c:1s", *"IJKLMN"))

    assert [0, 2, 2, 3] == [group.failures for group in groups]
    assert [0, 0, 0, 1] == [group.spares for group in groups]


GROUPS = st.lists(
    st.tuples(st.sampled_from(("mirror", "raidz1", "raidz2", "")), st.integers(3, 5)), min_size=1, max_size=3
)


@given(
    data=GROUPS,
    others=st.dictionaries(st.sampled_from(("log", "cache", "spare", "special")), st.integers(1, 3)),
)
def test_words_are_read_back_as_they_were_told(data: list[tuple[str, int]], others: dict[str, int]) -> None:
    """Zpool is told what was read, with paths in the place of words."""
    number = iter(range(1000))
    words: list[str] = []
    data.sort(key=lambda each: each[0] != "")  # a lone device cannot follow a group of its class
    for kind, width in data:
        words += [kind, *(f"d{next(number)}" for _ in range(width))] if kind else [f"d{next(number)}"]
    for vdev_class, count in others.items():
        words += [vdev_class, *(f"d{next(number)}" for _ in range(count))]
    groups = parse_layout(words)
    devices = [device for group in groups for device in group.devices]

    told = layout_words(groups, {device: f"/dev/disk/by-id/{device}" for device in devices})

    assert [f"/dev/disk/by-id/{word}" if word in devices else word for word in words] == list(told)


@given(
    st.lists(
        st.sampled_from(("log", "mirror", "raidz2", "draid", "cache", "A", "B", "C", "draid1:9999d")),
        max_size=8,
    )
)
def test_any_words_are_read_or_refused(words: list[str]) -> None:
    try:
        groups = parse_layout(words)
    except UsageError:
        return

    assert [word for word in words if word in {"A", "B", "C"}] == [
        device for group in groups for device in group.devices if device in {"A", "B", "C"}
    ]
