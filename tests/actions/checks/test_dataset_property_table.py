"""The table of settable properties is whole and has each once."""

from __future__ import annotations

import pytest

from zconsole.actions.checks.dataset_property_table import AT_CREATION, PROPERTIES, READ_ONLY, Values
from zconsole.actions.checks.property_value_checks import is_user_property, why_not_value


def test_the_table_has_each_property_once_and_every_default_of_words_fits() -> None:
    assert not PROPERTIES.keys() & (AT_CREATION | READ_ONLY)
    for each in PROPERTIES.values():
        assert set(each.kinds) <= set("fvs")
        assert (each.values is Values.WORDS) == bool(each.words)
        assert all(not why_not_value(each, word) for word in each.words)


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        (True, "org.example:keep"),
        (True, ":"),
        (False, "keep"),
        (False, "Org:x"),
        (False, "a:b c"),
        (False, "a:" + "b" * 254),
    ],
)
def test_own_properties_have_a_colon_and_small_letters(expected: bool, name: str) -> None:
    assert expected == is_user_property(name)
