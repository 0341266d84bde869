"""A local program with facts in its environment and a document on its input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zconsole.hosts.notify.delivery_error import DeliveryFailed
from zconsole.hosts.notify.local_program import run_program


def test_facts_and_document_arrive_and_no_shell_reads_them(tmp_path: Path) -> None:
    evil = "tank$(touch x); `touch x`\n'\""
    script = f'printf "%s" "$ZCONSOLE_WORDS" >{tmp_path}/words; cat >{tmp_path}/document'

    run_program(["/bin/sh", "-c", script], json.dumps({"a": evil}).encode(), {"ZCONSOLE_WORDS": evil})

    assert "tank$(touch x); `touch x`^J'\"" == (tmp_path / "words").read_text()
    assert {"a": evil} == json.loads((tmp_path / "document").read_text())
    assert ["document", "words"] == sorted(each.name for each in tmp_path.iterdir())


@pytest.mark.parametrize("fact", ["a\0b", "\udcff"])
def test_no_byte_in_a_fact_is_an_error(fact: str) -> None:
    run_program(["/bin/true"], b"", {"ZCONSOLE_WORDS": fact})


def test_a_program_that_fails_is_a_sentence_with_what_it_said() -> None:
    with pytest.raises(DeliveryFailed, match=r"^/bin/sh ended with 3: no\^\[ line$"):
        run_program(["/bin/sh", "-c", "printf 'no\\033 line' >&2; exit 3"], b"", {})
    with pytest.raises(DeliveryFailed, match="cannot be run"):
        run_program(["/no/such/program"], b"", {})


def test_a_program_that_does_not_end_is_killed_with_its_children(tmp_path: Path) -> None:
    with pytest.raises(DeliveryFailed, match="did not end within 2 s"):
        run_program(["/bin/sh", "-c", "sleep 600 & sleep 600"], b"", {}, timeout_s=2)


def test_a_child_that_stays_delays_nothing() -> None:
    run_program(["/bin/sh", "-c", "sleep 30 >/dev/null & exit 0"], b"x" * 100_000, {}, timeout_s=20)


def test_a_program_that_reads_no_input_is_no_error() -> None:
    run_program(["/bin/true"], b"x" * 1_000_000, {})
