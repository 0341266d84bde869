"""Events by their fields and classes."""

from __future__ import annotations

import pytest

from zconsole.model.pools.event import Event


@pytest.mark.parametrize(
    ("expected", "event_class"),
    [
        ("pool_create", "sysevent.fs.zfs.pool_create"),
        ("ereport checksum", "ereport.fs.zfs.checksum"),
        ("resource statechange", "resource.fs.zfs.statechange"),
        ("something.new", "something.new"),
    ],
)
def test_a_class_is_shown_without_what_all_have(expected: str, event_class: str) -> None:
    assert expected == Event(None, event_class, None, None).short_class


def test_of_two_fields_of_a_name_the_first_counts() -> None:
    event = Event(None, "x", None, None, (("a", "1"), ("b", "2"), ("a", "3")))

    assert ["1", "2", None] == [event.field("a"), event.field("b"), event.field("c")]
