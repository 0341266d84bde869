"""Properties of datasets: which exist, and what their tables have to agree on."""

from __future__ import annotations

from zconsole.practice.zfs import properties as known


def test_a_property_exists_by_its_whole_name_and_a_users_by_its_colon() -> None:
    assert known.is_property("compression")
    assert known.is_property("receive_resume_token")
    assert not known.is_property("compress")
    assert known.is_property("org.x:y")


def test_tables_speak_of_properties_that_exist() -> None:
    tables = (
        *(known.ALIASES.values(), known.HEADERS, known.DEFAULTS, known.NOT_INHERITED, known.NUMBERS),
        *(known.FIXED, known.SIZES, known.NONE_WHEN_ZERO, known.RATIOS, known.SETTABLE, known.SET_ONCE),
    )
    assert [] == sorted({name for table in tables for name in table if not known.is_property(name)})


def test_a_default_is_one_of_the_allowed_words() -> None:
    wrong = {
        name: default
        for name, default in known.DEFAULTS.items()
        if name in known.VALUES and str(default) not in known.VALUES[name].split(" | ")
    }
    assert {} == wrong


def test_what_is_asked_for_by_name_alone_is_not_among_all() -> None:
    assert not set(known.ORDER) & {"numclones", "redact_snaps", "receive_resume_token"}
