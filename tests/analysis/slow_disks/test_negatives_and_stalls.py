"""What is said of no slow disk accounts for the seconds in which a disk held I/O."""

from __future__ import annotations

import gzip

from tests.conftest import CAPTURES
from zconsole.cli.commands.state.slow import judge_recording
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.findings.slow_disk_document import judgement_lines


def test_a_recorded_stall_that_is_no_verdict_is_not_denied() -> None:
    with (CAPTURES / "slow" / "b10" / "iostat.tsv").open("rb") as stream:
        said = [*printed(judgement_lines(judge_recording(stream)))]

    assert said[0].startswith("p: disk3 left I/O waiting for a while (see below); all 6 disks judged")
    (paused,) = (line for line in said if line.startswith("Paused: "))
    assert (
        "disk3 left I/O waiting once, for 1 s or more, with 46 I/Os outstanding (no peer answered" in paused
    )


def test_the_cost_of_a_hang_says_the_hang_first() -> None:
    with gzip.open(CAPTURES / "hanging" / "one.tsv.gz", "rb") as stream:
        said = [*printed(judgement_lines(judge_recording(stream)))]  # type: ignore[arg-type]

    first, second = (line for line in said if line.startswith("costs"))
    assert first.endswith("I/O that needed it waited for 17 s or more")
    assert "in the mean of completed I/O" in second
