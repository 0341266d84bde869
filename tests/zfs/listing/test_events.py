"""Events: every recorded one, cut anywhere, and strings that were written to deceive."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.pools.event import Event
from zconsole.zfs.listing.events import (
    DROPPED,
    MAX_EVENT_CHARACTERS,
    SHARED_CHARACTERS,
    EventReader,
    follow,
    parse_events,
    recent,
)

RECORDED = sorted(CAPTURES.glob("*/*/zpool_events_v.txt"))
MIRRORS = (CAPTURES / "2.4" / "healthy-mirrors" / "zpool_events_v.txt").read_text()
CHECKSUM = (CAPTURES / "2.4" / "checksum-errors" / "zpool_events_v.txt").read_text()
OUTPUT = CHECKSUM[-12_000:].partition("\n\n")[2].encode()
HEADER = "Nov 20 2026 23:49:36.691990238 sysevent.fs.zfs.history_event"


def block(*fields: str, header: str = HEADER) -> str:
    return "\n".join([header, *(f"        {field}" for field in fields), "", ""])


def path_name(path: Path) -> str:
    return f"{path.parts[-3]}-{path.parts[-2]}"


def test_all_kept_events_and_then_each_new_one_are_asked_for() -> None:
    assert ("zpool", "events", "-v", "-f") == follow().argv
    assert ("zpool", "events", "-v") == recent().argv


@pytest.mark.parametrize("path", RECORDED, ids=path_name)
def test_every_recorded_event_is_read_with_all_its_fields(path: Path) -> None:
    text = path.read_text()

    events = [event for event in parse_events(text) if event.event_class != DROPPED]

    assert text.count("\n\n") == len(events)
    assert text.count(" = ") == sum(len(event.fields) for event in events)
    assert sorted(event.eid or 0 for event in events) == [event.eid for event in events]
    for event in events:
        assert f'pool = "{event.pool}"' in text
        assert event.field("class") == event.event_class
        assert 1795217000 < (event.at or 0) < 1800000000


def test_an_event_says_when_what_and_of_which_pool() -> None:
    event = parse_events(MIRRORS)[0]

    assert (
        Event(
            at=1795218576.691990238,
            event_class="sysevent.fs.zfs.pool_create",
            pool="tank",
            eid=1,
            fields=(
                ("version", "0x0"),
                ("class", "sysevent.fs.zfs.pool_create"),
                ("pool", "tank"),
                ("pool_guid", "0x9f4136bc3f4222a6"),
                ("pool_state", "0x0"),
                ("pool_context", "0x6"),
                ("time", "0x6b00dc90 0x293eeede"),
                ("eid", "0x1"),
            ),
        )
        == event
    )


def test_what_the_kernel_could_not_keep_is_said() -> None:
    (dropped,) = (event for event in parse_events(CHECKSUM) if event.event_class == DROPPED)

    assert Event(None, "dropped", None, None, (("events", "4575"),)) == dropped


def test_the_fields_of_an_embedded_list_carry_its_name() -> None:
    event = next(event for event in parse_events(CHECKSUM) if event.field("detector"))

    assert ("detector.pool", "0x9f4136bc3f4222a6") in event.fields
    assert "tank" == event.field("pool")
    assert "0x0 0x20000" == event.field("bad_ranges")
    assert '"/dev/disk/by-id/wwn-0x5000c500a0000008-part1"' == event.field("vdev_spare_paths")


def test_a_state_is_its_word() -> None:
    events = parse_events(
        block('vdev_state = "FAULTED" (0x5)', 'vdev_laststate = "ONLINE" (0x7)', "eid = 0x2")
    )

    assert ["FAULTED", "ONLINE", "0x2"] == [value for _, value in events[0].fields]


def test_without_a_time_field_the_header_counts() -> None:
    (event,) = parse_events(block("eid = 0x1", header=HEADER.replace("Nov 20", "Feb  9")))

    assert 1770680976.691990238 == event.at


def test_a_string_may_have_line_breaks_and_what_looks_like_fields() -> None:
    text = "first\n\n        pool = evil\n        eid = 0x63\nlast"

    (event,) = parse_events(block('pool = "tank"', f'history_internal_str = "{text}"', "eid = 0x7"))

    assert text == event.field("history_internal_str")
    assert ("tank", 7) == (event.pool, event.eid)


def test_a_string_that_closes_itself_can_break_its_event_but_no_other() -> None:
    spoof = 'x"\n        eid = 0x63\n        (end x)\n\nrest\n        pool = "evil'

    events = parse_events(
        block('pool = "tank"', f'history_internal_str = "{spoof}"', "eid = 0x7")
        + block('pool = "bulk"', "eid = 0x8")
    )

    assert ["tank", "bulk"] == [event.pool for event in events]
    assert 8 == events[1].eid


@pytest.mark.parametrize("version", ["2.1", "2.4"])
def test_a_real_user_property_cannot_pass_for_an_event_number(version: str) -> None:
    before, hostile = parse_events((CAPTURES / "live" / version / "events_hostile.txt").read_text())

    assert ("bulk", "tank") == (before.pool, hostile.pool)
    assert "com.example:note=a" == hostile.field("history_internal_str")
    assert hostile.eid is None
    assert hostile.at is not None


def test_a_string_without_an_end_ends_with_the_next_event() -> None:
    events = parse_events(block('pool = "tank') + block('pool = "bulk"', "eid = 0x8"))

    assert ["bulk"] == [event.pool for event in events if event.eid == 8]
    assert 2 == len(events)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("internal error: out of memory\n", "not the beginning"),
        (HEADER + "\nnonsense\n\n", "not a field"),
        (block(header=HEADER.replace("Nov", "Nor")), "not a month"),
        (block(f'pool = "{"x" * MAX_EVENT_CHARACTERS}'), "does not end"),
        ("x" * (MAX_EVENT_CHARACTERS + 1), "no end"),
    ],
)
def test_what_is_no_event_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_events(text)


@given(st.lists(st.integers(0, len(OUTPUT)), max_size=40))
def test_the_events_are_the_same_wherever_the_chunks_are_cut(cuts: list[int]) -> None:
    reader = EventReader()

    chunks = [OUTPUT[start:end] for start, end in pairwise([0, *sorted(cuts), len(OUTPUT)])]

    assert list(parse_events(OUTPUT.decode())) == [event for chunk in chunks for event in reader.feed(chunk)]


def test_an_output_cut_at_any_byte_gives_the_events_before_the_cut() -> None:
    whole, reader, got = parse_events(OUTPUT.decode()), EventReader(), 0

    for at in range(len(OUTPUT)):
        for event in reader.feed(OUTPUT[at : at + 1]):
            assert whole[got] == event
            got += 1

    assert len(whole) == got > 5


NAMES = st.text(st.sampled_from("abcxyz_09"), min_size=1, max_size=20)
TEXTS = st.text(st.characters(exclude_characters='"\n', exclude_categories=["Cs"]), max_size=60)


@given(st.dictionaries(NAMES, TEXTS, max_size=6))
def test_every_string_comes_back_as_it_was_written(strings: dict[str, str]) -> None:
    (event,) = parse_events(
        block("version = 0x0", *(f'{name} = "{value}"' for name, value in strings.items()))
    )

    assert [("version", "0x0"), *strings.items()] == list(event.fields)


@given(st.lists(st.sampled_from([HEADER, "\n", "        ", "eid = 0x1", 'x = "', '"', "(end x)", "\x00"])))
def test_noise_is_refused_or_read_and_nothing_else(words: list[str]) -> None:
    with suppress(ParseError):
        parse_events("".join(words))


@given(st.binary(max_size=300))
def test_random_bytes_are_refused_or_ignored_and_nothing_else(noise: bytes) -> None:
    with suppress(ParseError):
        EventReader().feed(noise)


def test_words_that_come_again_are_in_memory_once() -> None:
    """A thousand events are kept, with some twenty names and as many values each."""
    one, other = parse_events(CHECKSUM)[-1], parse_events(CHECKSUM)[-1]

    assert one == other
    assert all(
        name is same and (value is again or len(value) > SHARED_CHARACTERS)
        for (name, value), (same, again) in zip(one.fields, other.fields, strict=True)
    )
