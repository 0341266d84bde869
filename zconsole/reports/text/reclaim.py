"""`zconsole reclaim`: the proposal to free space, and the command that plans it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from zconsole.execution.facts.snapshots_to_free_space import Reclaim
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.datasets.free_space_proposal import chosen_runs, reclaim_lines
from zconsole.views.layout.styled_text import EMPTY, line, whole


def proposal_text(found: Reclaim, host: str, reached_by: str = "") -> Iterator[str]:
    """Yield the proposal as lines without control sequences.

    `reached_by` are the words that name the host to `zconsole plan`; without them no command is printed.
    """
    first, *rest = reclaim_lines(found)
    yield from printed([(*line((f"{host}: ", "title")), *first), *rest, EMPTY])
    runs = chosen_runs(found)
    if runs and reached_by:
        words = f"  zconsole plan destroy {shlex.join(runs)} {reached_by} -o plan.json"
        end = "them" if found.choice.is_enough else "them all the same, which frees less than is needed"
        yield from printed([line(f"Nothing has been destroyed. To destroy {end}:"), whole(words)])
    else:
        yield "Nothing has been destroyed."
