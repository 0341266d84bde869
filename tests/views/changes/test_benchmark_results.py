"""The results of a real run as a person reads them: the twin of zeros is called out."""

from __future__ import annotations

from pathlib import Path

from zconsole.model.run import StepRun
from zconsole.views.changes.benchmark_results import lines_of_output
from zconsole.views.changes.run import step_lines
from zconsole.views.layout.styled_text import Line, line

REAL = (Path(__file__).parents[2] / "zfs" / "benchmark" / "run_2_4.txt").read_text()


def text(each: Line) -> str:
    return "".join(span.text for span in each)


def test_the_compressible_twin_is_shown_to_lie() -> None:
    shown = list(map(text, lines_of_output(REAL) or ()))

    (twin,) = (each for each in shown if each.startswith("stream-write-1m-zeros  "))
    assert "70.7 MiB/s" in twin
    assert "374 KiB/s" in twin
    (said,) = (each for each in shown if each.startswith("Not the speed of the disks"))
    assert "stream-write-1m-zeros (193 times): written as hardly anything" in said


def test_an_honest_row_has_what_fio_says_beside_what_the_disks_did() -> None:
    (row,) = (text(each) for each in lines_of_output(REAL) or () if text(each).startswith("random-read-16k "))

    assert ["random-read-16k", "4.88", "MiB/s", "312", "3.2", "12", "4.56", "MiB/s", "1.3"] == row.split()[:9]
    assert row.endswith("slowest device sdb 1.4 ms")


def test_what_the_disks_moved_beyond_that_is_explained() -> None:
    shown = [text(each) for each in lines_of_output(REAL) or ()]

    (said,) = (each for each in shown if each.startswith("The pool moved more"))
    assert "sync-write-4k (5.92 times), random-read-8k (1.66 times), " in said
    assert "intent log" in said


def test_a_step_of_a_run_shows_the_table_and_not_the_documents() -> None:
    step = StepRun(("sh", "-s"), state="done", said=REAL)

    shown = "\n".join("".join(span.text for span in each.line) if hasattr(each, "line") else text(each)
                      for each in step_lines(step, line("x")))  # fmt: skip

    assert "fio says" in shown
    assert '"jobs"' not in shown


def test_other_output_is_left_as_it_is() -> None:
    assert None is lines_of_output("cannot open 'tank': no such pool")
