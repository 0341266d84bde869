"""Which of two identities are one machine: what forbids takes a hint, what acts wants to be sure."""

from __future__ import annotations

import pytest

from zconsole.model.host.machine_identity import (
    MachineIdentity,
    in_common,
    is_still_same,
    is_surely_same,
    keys,
    machine_id,
)

ID, OTHER_ID = "0" * 31 + "1", "0" * 31 + "2"


def of(
    machine: str | None = ID, key: str | None = "K", boot: str | None = None, more: tuple[str, ...] = ()
) -> MachineIdentity:
    return MachineIdentity("nas1", "nas1", machine, key, None, boot_id=boot, host_keys=more)


@pytest.mark.parametrize("value", ["", "uninitialized", "0" * 32])
def test_an_id_of_an_image_before_its_first_boot_is_none(value: str) -> None:
    assert machine_id(of(value)) is None
    assert ID == machine_id(of())


def test_keys_are_the_one_that_was_proved_and_those_in_files() -> None:
    assert frozenset({"K", "L"}) == keys(of(more=("L",)))
    assert frozenset({"L"}) == keys(of(key=None, more=("L",)))


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        ("machine-id", of(key="A"), of(key="B")),
        ("host key", of(ID), of(OTHER_ID)),
        ("host key", of(ID, "A", more=("C",)), of(OTHER_ID, "B", more=("C",))),
        ("running kernel", of(ID, "A", "b"), of(OTHER_ID, "B", "b")),
        ("", of(ID, "A", "b"), of(OTHER_ID, "B", "c")),
        ("", of("", None), of("", None)),
    ],
)
def test_anything_in_common_is_a_hint(expected: str, one: MachineIdentity, other: MachineIdentity) -> None:
    assert expected == in_common(one, other) == in_common(other, one)


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        (True, of(), of()),
        (False, of(ID), of(OTHER_ID)),
        (False, of(key="A"), of(key="B")),
        (True, of(key="A"), of(key="B", more=("A",))),
        (True, of(key="A", boot="b"), of(key="B", boot="b")),
        (True, of(key=None), of(key="B")),
        (True, of(""), of("")),
        (False, of("", None), of("", None)),
        (False, of(ID), of("")),
    ],
)
def test_one_machine_for_sure_has_one_id_and_no_key_against_it(
    expected: bool,
    one: MachineIdentity,
    other: MachineIdentity,
) -> None:
    assert expected is is_surely_same(one, other) is is_surely_same(other, one)


@pytest.mark.parametrize(
    ("expected", "before", "now"),
    [
        (True, of(None, None), of()),
        (True, of(None, "K"), of(ID, "K")),
        (False, of(None, "K"), of(ID, "L")),
        (False, of(ID, None), of(OTHER_ID, "K")),
    ],
)
def test_a_machine_is_still_the_same_as_far_as_it_showed_itself(
    expected: bool,
    before: MachineIdentity,
    now: MachineIdentity,
) -> None:
    assert expected is is_still_same(before, now)


@pytest.mark.parametrize(
    ("now", "is_same"),
    [
        (MachineIdentity("nas1", "other-name", "m1", "k1"), True),
        (MachineIdentity("nas1", "storage1", "m2", "k1"), False),
        (MachineIdentity("nas1", "storage1", "m1", "k2"), False),
        (MachineIdentity("nas1", "storage1", None, "k1"), False),
    ],
)
def test_a_machine_is_known_by_its_id_and_key_not_by_its_name(now: MachineIdentity, is_same: bool) -> None:
    assert is_same is is_still_same(MachineIdentity("nas1", "storage1", "m1", "k1"), now)
