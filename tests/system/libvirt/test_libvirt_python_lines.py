"""Requests to the child of libvirt-python, and its lines, wherever they are cut."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.model.guests.guest import GuestState
from zconsole.system.libvirt import libvirt_python_child as child
from zconsole.system.libvirt.events import GuestEvent, changes_disks
from zconsole.system.libvirt.libvirt_python_lines import (
    LONGEST_LINE,
    LibvirtAnswer,
    LibvirtLineReader,
    LibvirtReady,
    parse_definition,
    parse_errors_of_disks,
    parse_statuses,
    parse_uuids,
    parse_volume_path,
    request,
    serve,
)

UUID = "e0f20368-b0cf-4f90-bc00-65f12a552c4b"
WAY = ("python3", "-I", "child.py")
LINES = (
    b'{"ready": {"events": ["lifecycle"]}}\n{"id": 1, "answer": ["x"]}\n'
    b'{"event": "lifecycle", "guest": "web\\n01", "words": "Suspended 2"}\n{"id": 2, "error": "no domain"}\n'
)
READ = [
    LibvirtReady(("lifecycle",)),
    LibvirtAnswer(1, ["x"]),
    GuestEvent("lifecycle", "web\n01", "Suspended 2"),
    LibvirtAnswer(2, error="no domain"),
]


@given(st.lists(st.integers(0, len(LINES)), max_size=5))
def test_lines_are_the_same_wherever_they_are_cut(cuts: list[int]) -> None:
    reader, found = LibvirtLineReader(), []
    places = [0, *sorted(cuts), len(LINES)]
    for begin, end in pairwise(places):
        found += reader.feed(LINES[begin:end])

    assert READ == found


@pytest.mark.parametrize(
    "line",
    [b"\n", b"rubbish\n", b"[]\n", b'{"id": "1", "answer": 1}\n', b'{"ready": {"events": [1]}}\n', b"\xff\n"],
)
def test_what_the_child_never_prints_is_an_error(line: bytes) -> None:
    with pytest.raises(ParseError):
        list(LibvirtLineReader().feed(line))


def test_a_line_without_end_is_an_error() -> None:
    reader = LibvirtLineReader()
    list(reader.feed(b"x" * LONGEST_LINE))

    with pytest.raises(ParseError, match="a line longer than"):
        list(reader.feed(b"x"))


def test_states_and_counters_are_those_of_virsh() -> None:
    values = {
        "state.state": 3, "state.reason": 5, "block.count": 1, "block.0.name": "vda",
        "block.0.path": "/dev/zd0", "block.0.rd.reqs": 7, "block.0.rd.times": True,
    }  # fmt: skip
    (found,) = parse_statuses([["web01", values]])

    assert (GuestState.PAUSED, True) == (found.state, found.is_paused_by_io_error)
    assert ("vda", "/dev/zd0", 7, None) == (
        found.disks[0].target,
        found.disks[0].path,
        found.disks[0].reads,
        found.disks[0].read_ns,
    )


def test_a_guest_of_which_libvirt_tells_only_the_state_has_no_counters() -> None:
    assert () == parse_statuses([["web01", {"state.state": 1}]])[0].disks


def test_answers_of_other_types_are_errors() -> None:
    with pytest.raises(ParseError):
        parse_statuses([["web01", []]])
    with pytest.raises(ParseError):
        parse_statuses({})
    with pytest.raises(ParseError):
        parse_uuids(["--all"])
    with pytest.raises(ParseError):
        parse_definition(["<domain/>"])
    with pytest.raises(ParseError):
        parse_errors_of_disks({"vda": 1})


def test_answers_are_read() -> None:
    assert (UUID,) == parse_uuids([UUID])
    assert "<domain/>" == parse_definition("<domain/>")
    assert {"vda": "no space"} == parse_errors_of_disks({"vda": "no space"})


def test_a_request_is_one_line_that_the_child_takes() -> None:
    line = request(3, "definition", UUID)

    assert (1, b"\n") == (line.count(b"\n"), line[-1:])
    assert (3, child.VERBS["definition"], UUID) == child._request(json.loads(line))


@pytest.mark.parametrize(
    ("expected", "connection", "socket"),
    [
        ("qemu+unix:///system?socket=/run/libvirt-sock-ro", "qemu:///system", "/run/libvirt-sock-ro"),
        ("qemu+unix:///session?socket=/run/a%20b%26c%3Fd", "qemu:///session", "/run/a b&c?d"),
    ],
)
def test_the_child_connects_to_the_socket_that_is_named(expected: str, connection: str, socket: str) -> None:
    found = serve(WAY, connection, socket).argv

    assert (*WAY, expected) == found
    assert child.URI.fullmatch(found[-1])


def test_only_events_that_may_change_disks_have_them_read_again() -> None:
    """The child's words of an event begin as virsh's do."""
    told = [GuestEvent("lifecycle", "web01", f"{each} 0") for each in child.LIFECYCLE]

    assert ["Defined", "Undefined", "Started", "Stopped", "Crashed"] == [
        each.words.partition(" ")[0] for each in told if changes_disks(each)
    ]
    assert not changes_disks(GuestEvent("io-error-reason", "web01", ""))


def test_a_volume_is_asked_for_by_its_storage_pool_and_name() -> None:
    assert {"id": 1, "verb": "volume-path", "volume": "P/a"} == json.loads(request(1, "volume-path", "P/a"))
    assert "/srv/a" == parse_volume_path("/srv/a")
    with pytest.raises(ParseError):
        parse_volume_path(["/srv/a"])
