"""Calls of the console for its user: the line that stays, the title, what happened while nobody looked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.alerts.states_and_events_of_host import RUN_ENDED
from zconsole.base.fixed_width_formatting import duration
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.alert import Alert, AlertKey, AlertPhase
from zconsole.model.finding import Place, Severity, place_of
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.state_age_and_link_phrases import counted, counted_by_severity
from zconsole.views.layout.styled_text import EMPTY, Line, line

SEVERITY_STYLES: Final = {Severity.INFO: "info", Severity.WARNING: "warn", Severity.CRITICAL: "bad"}
REPAIR: Final = "repair"


@dataclass(frozen=True, slots=True)
class ConsoleCall:
    """One call. `at` is epoch seconds; `style` that of its words."""

    number: int
    at: float
    host: str
    pool: str
    words: str
    style: str
    severity: Severity
    id: str  # of the finding or event; `repair` for the next step of a repair
    phase: AlertPhase = AlertPhase.HAPPENED
    key: AlertKey | None = None  # of a state, which holds or is over
    is_seen: bool = False  # the user has looked at it, or acknowledged it
    is_from_before: bool = False  # of an earlier console
    subject: str = ""  # of a run that ended its title

    @property
    def is_of_repair(self) -> bool:
        """Whether it calls for the next step of a repair."""
        return self.id == REPAIR


def call_of(alert: Alert, number: int) -> ConsoleCall:
    """The call for an alert."""
    is_over = alert.phase is AlertPhase.OVER
    is_good = is_over or (alert.phase is AlertPhase.HAPPENED and alert.severity is Severity.INFO)
    prefix = {AlertPhase.OVER: "ended: ", AlertPhase.FLAPPING: "comes and goes: "}.get(alert.phase, "")
    return ConsoleCall(
        number,
        alert.at,
        alert.key.host,
        alert.pool,
        with_serials(f"{prefix}{alert.words}"),
        "ok" if is_good else SEVERITY_STYLES[alert.severity],
        Severity.INFO if is_over else alert.severity,
        alert.id,
        alert.phase,
        None if alert.phase is AlertPhase.HAPPENED else alert.key,
        subject=alert.subject,
    )


def seen_by_a_later_end(calls: Sequence[ConsoleCall], later: Alert) -> tuple[ConsoleCall, ...]:
    """The calls, those for earlier ends of a run that has ended again seen: the newest end is so."""
    of = (later.key.host, later.id, later.subject)
    return tuple(
        replace(each, is_seen=True)
        if later.id == RUN_ENDED and (each.host, each.id, each.subject) == of
        else each
        for each in calls
    )


def worst_first(calls: Sequence[ConsoleCall]) -> list[ConsoleCall]:
    """The calls that nobody has seen yet, worst first.

    Of equals those of repairs come first, then what is worse in a list of findings, then the newest.
    """
    unseen = [each for each in calls if not each.is_seen]
    return sorted(unseen, key=_place)


def _place(call: ConsoleCall) -> tuple[int, bool, Place, float, int]:
    place = place_of(call.severity, call.id)
    return -call.severity, not call.is_of_repair, place, -call.at, -call.number


def line_of_calls(
    calls: Sequence[ConsoleCall], *, are_many_hosts: bool, has_repair_key: bool, told: Sequence[str] = ()
) -> Line:
    """The line that stays: the worst that nobody has seen, and how many others; empty for none.

    What the lines `told` below it say is only counted.
    """
    unseen = worst_first(calls)
    if not unseen:
        return EMPTY
    first = unseen[0]
    key = ("R " if has_repair_key else "") if first.is_of_repair else "! "
    host = f"{first.host} " if are_many_hosts else ""
    if any(first.words in each for each in told):
        words = (
            "new alert, told below" if len(unseen) == 1 else f"{len(unseen)} new alerts, the worst told below"
        )
        return line((key, "key"), (words, first.style))
    more = (f" · {counted(len(unseen) - 1, 'more alert')}: !", "dim") if len(unseen) > 1 else ("", "dim")
    return line((key, "key"), (host, "dim"), (first.words, first.style), more)


def line_of_absence(
    calls: Sequence[ConsoleCall], since: float, until: float, told: Sequence[str] = ()
) -> Line:
    """`while you were away (12m): 1 critical, 2 notices`, of the calls that nobody saw; empty for none."""
    missed = [each for each in worst_first(calls) if each.at >= since]
    if not missed:
        return EMPTY
    count = {severity: sum(1 for each in missed if each.severity is severity) for severity in Severity}
    words = [("! ", "key"), (f"while you were away ({duration(until - since)}): ", "text")]
    words += [
        (f"{counted_by_severity(count[severity], severity)} ", SEVERITY_STYLES[severity])
        for severity in sorted(Severity, reverse=True)
        if count[severity]
    ]
    first = missed[0]
    is_told = any(first.words in each for each in told)
    return line(*words, ("· told below" if is_told else f"· {first.words}", first.style))


def title_of_calls(calls: Sequence[ConsoleCall], holding: Sequence[Alert] = ()) -> str:
    """The terminal's title: the worst that nobody has seen, and then what holds and is worse; empty for none.

    `holding` are the states, worst first.
    """
    unseen = worst_first(calls)
    new = frozenset(each.key for each in unseen if each.key is not None)
    known = [each for each in holding if each.severity is not Severity.INFO and each.key not in new]
    count = len(unseen) + len(known)
    if not count:
        return ""
    held = call_of(known[0], 0) if known else None
    told = unseen[:1]
    if held is not None and (not unseen or held.severity > unseen[0].severity):
        told = [*told, held]
    words = [
        f"{_severity(each)}{'' if at else 'zconsole '}{each.host} {each.words}"
        for at, each in enumerate(told)
    ]
    more = f" (+{count - len(told)})" if count > len(told) else ""
    return f"{'; '.join(words)}{more}"


def _severity(call: ConsoleCall) -> str:
    return "" if call.severity is Severity.INFO else f"{call.severity.word.upper()} "
