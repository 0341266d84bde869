"""What pools that are nearly full, or soon, will do to guests: on the Guests screen and a guest's page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from zconsole.analysis.forecast.forecast_sentences import day
from zconsole.analysis.guests.full_pool_sentences import full_in_brief, full_in_short, full_now_in_short
from zconsole.analysis.guests.guests_of_a_full_pool import guests_when_full
from zconsole.base.fixed_width_formatting import used_percent
from zconsole.model.finding import Finding
from zconsole.model.guests.guest import Guest
from zconsole.views.layout.styled_text import Line, line

_FULL_SOON = "full-soon"
_FILLING = ("capacity-critical", "capacity-warning")


def filling_pool_lines(
    guests: Sequence[Guest], findings: Iterable[Finding], *, is_brief: bool = False
) -> Iterator[Line]:
    """`▲ tank full likely on 2027-03-01: when it is full web01 would see write errors`; one line a pool.

    By the findings on the pools; nothing of a pool that none of the guests writes to. `is_brief`: for the
    head of a list, with the names of those alone that lose most.
    """
    known = tuple(findings)
    told: set[object] = set()
    for finding_id in (_FULL_SOON, *_FILLING):
        for found in known:
            pool = found.evidence.get("pool")
            if found.id != finding_id or not isinstance(pool, str) or pool in told:
                continue
            is_full = _is_full(found)
            in_words = full_in_brief if is_brief else full_now_in_short if is_full else full_in_short
            if then := in_words(guests_when_full(guests, pool)):
                told.add(pool)
                when = "when full " if is_brief and not is_full and found.id != _FULL_SOON else ""
                yield line((f"▲ {pool} {_when(found)}: {when}{then}", "bad" if is_full else "warn"))


def _is_full(found: Finding) -> bool:
    used, total = found.evidence.get("used_bytes"), found.evidence.get("total_bytes")
    return isinstance(used, int) and isinstance(total, int) and used >= total > 0


def _when(found: Finding) -> str:
    if _is_full(found):
        return "is full"
    likely, used = found.evidence.get("likely"), found.evidence.get("used_percent")
    if isinstance(likely, int):
        return f"full likely on {day(likely)}"
    return f"{used_percent(used)} used" if isinstance(used, int | float) else "nearly full"
