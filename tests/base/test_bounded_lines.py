"""Text of a host becomes lines in one place, within bounds."""

from __future__ import annotations

import ast
import inspect

import pytest

from tests.scenarios.fuzz.expressions import modules
from zconsole.base.bounded_lines import LONGEST, LONGEST_LIST, MOST, bounded_lines, line_list, whole_lines
from zconsole.base.errors import EXCERPT_CHARACTERS, REASON_CHARACTERS, ParseError
from zconsole.zfs.listing.datasets import DATASET_COLUMNS, parse_datasets
from zconsole.zfs.status.status_text import parse_status_text

PARSERS = ("zconsole.zfs.", "zconsole.system.")
OF_CHUNKS = {  # readers of streams, each with a bound of its own for a line without an end; and JSON
    *(
        "zconsole.system.libvirt.events",
        "zconsole.system.libvirt.libvirt_python_lines",
        "zconsole.system.udev_monitor",
        "zconsole.zfs.listing.diff",
        "zconsole.zfs.listing.events",
        "zconsole.zfs.iostat.histogram_stream",
        "zconsole.zfs.iostat.iostat_stream",
    ),
    *(
        "zconsole.zfs.json_node",
        "zconsole.zfs.listing.snapshots_and_their_datasets",
        "zconsole.zfs.change.libzfs_core_child",
    ),
}


def test_no_parser_makes_lines_itself() -> None:
    """`split` and its kin at line breaks stand in the readers of streams only, which have bounds."""
    found = [
        f"{module.__name__}:{node.lineno}"
        for module in modules()
        if module.__name__.startswith(PARSERS) and module.__name__ not in OF_CHUNKS
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (
            node.func.attr == "splitlines"
            or (node.func.attr in {"split", "rsplit"} and node.args and _is_line_break(node.args[0]))
        )
    ]

    assert [] == found


def _is_line_break(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in ("\n", b"\n")


def test_lines_are_whole_and_numbered_and_nothing_else_ends_one() -> None:
    text = "one\u2028still\x0cone\r\n\n\x1ctwo\n"

    assert [(1, "one\u2028still\x0cone\r"), (2, ""), (3, "\x1ctwo")] == list(whole_lines("tool", text))
    assert ["one", "", "two"] == line_list("tool", "one\n\ntwo\n")
    assert [] == line_list("tool", "")
    assert [(1, "one"), (2, "two")] == list(bounded_lines("tool", "one\ntwo"))


def test_a_text_that_ends_within_a_line_is_refused_at_once() -> None:
    with pytest.raises(ParseError, match=r"tool, line 2: truncated: 'tw'"):
        whole_lines("tool", "one\ntw")


def test_a_line_that_is_too_long_is_refused_by_its_number_and_its_beginning() -> None:
    text = "one\n" + "x" * (LONGEST + 1) + "\n"

    with pytest.raises(ParseError) as caught:
        list(whole_lines("tool", text))

    assert 2 == caught.value.line_no
    assert "x" * EXCERPT_CHARACTERS + "..." in str(caught.value)
    assert len(str(caught.value)) < EXCERPT_CHARACTERS + REASON_CHARACTERS


def test_a_line_as_long_as_may_be_is_read() -> None:
    assert [(1, "x" * LONGEST)] == list(whole_lines("tool", "x" * LONGEST + "\n"))


def test_a_text_of_more_lines_than_memory_should_hold_is_refused() -> None:
    with pytest.raises(ParseError, match="more than 500000 lines"):
        line_list("tool", "\n" * (MOST + 1))


def test_an_origin_with_ten_thousand_clones_of_the_longest_names_is_read() -> None:
    clones = [f"tank/{number:0250d}" for number in range(10_000)]
    values = dict.fromkeys(DATASET_COLUMNS, "-")
    values |= {"name": "tank@base", "type": "snapshot", "clones": ",".join(clones)}
    line = "\t".join(values.values()) + "\n"
    assert LONGEST < len(line) < LONGEST_LIST

    (snapshot,) = parse_datasets(line)

    assert tuple(clones) == snapshot.clones


def test_a_damaged_file_with_the_longest_path_is_listed_whole() -> None:
    path = "/tank" + "/x" * 2045
    text = (
        "  pool: tank\n state: ONLINE\nconfig:\n\n\tNAME        STATE     READ WRITE CKSUM\n"
        "\ttank        ONLINE       0     0     0\n\t  sda       ONLINE       0     0     0\n\n"
        f"errors: Permanent errors have been detected in the following files:\n\n        {path}\n"
    )

    assert (path,) == parse_status_text(text)[0].error_files


def test_an_error_shows_no_more_than_the_beginning_of_what_it_speaks_of() -> None:
    error = ParseError("tool", 1, "l" * 10_000_000, "r" * 10_000_000)

    assert len(str(error)) < 1000
    assert len(error.line) < 10_000
