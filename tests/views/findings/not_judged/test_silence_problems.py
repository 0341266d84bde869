"""What is wrong with silences is said; every finding of the manual may be silenced by its id."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from zconsole.base.notifications.silences import Silence
from zconsole.base.user_config_file import Config
from zconsole.views.findings.by_id.what_to_do import KNOWN_IDS
from zconsole.views.findings.not_judged.silence_problems import silence_problems

MANUAL = Path(__file__).parents[4] / "docs" / "findings.md"


def on(finding: str) -> Silence:
    return Silence(
        "nas1", finding, "tank", "x", datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
    )


def test_the_ids_are_those_of_the_manual() -> None:
    assert set(re.findall(r"^### (\S+)$", MANUAL.read_text(), re.MULTILINE)) == KNOWN_IDS


def test_an_id_that_no_finding_has_is_named_once_with_the_one_that_was_meant() -> None:
    problems = list(silence_problems(Config(silences=(on("atime-onn"), on("atime-onn"), on("raidz-wide")))))

    assert [
        "silences.toml silences 'atime-onn', an id that no finding has: did you mean atime-on?"
    ] == problems


def test_the_problem_of_the_file_comes_first() -> None:
    assert ["it is no file"] == list(silence_problems(Config(silences_problem="it is no file")))


def test_without_silences_there_is_no_problem() -> None:
    assert [] == list(silence_problems(Config()))
