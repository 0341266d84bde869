"""Summary line of the marked snapshots: their number, the space they free together, blocked ones."""

from __future__ import annotations

from collections.abc import Mapping

from zconsole.analysis.snapshots.freed_by_marked_snapshots import MarkedSnapshots
from zconsole.views.datasets.free_space_proposal import freed_words
from zconsole.views.layout.state_age_and_link_phrases import counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, line


def marks_line(
    count: int, found: MarkedSnapshots | None, answers: Mapping[str, int] | None, problem: str = ""
) -> Line:
    """The summary; `found` is None while the space is computed, `answers` while ZFS is asked."""
    if not count:
        return EMPTY
    head = line((counted(count, "snapshot") if count == 1 else str(count), "mark"), (" marked", "mark"))
    if found is None:
        return join([head, line((problem, "warn")) if problem else line(("adding up ...", "dim"))])
    freed = found.freed(answers or {})
    asking = answers is None and bool(found.questions)
    words = [head]
    if found.able:
        of = "" if found.able == found.count else f"{found.able} can go, "
        exactly = "exactly " if freed.is_exact else ""
        words.append(line(f"{of}{'free' if found.able > 1 else 'frees'} {exactly}{freed_words(freed)}"))
    if problem:
        words.append(line((problem, "warn")))
    elif asking:
        words.append(line(("asking ...", "dim")))
    if found.held:
        words.append(line((f"{len(found.held)} held", "warn")))
    if found.cloned:
        words.append(line((f"{len(found.cloned)} with clones", "warn")))
    return join(words)
