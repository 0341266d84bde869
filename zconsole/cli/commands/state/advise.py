"""`zconsole advise`: what an expert would say of how pools are built, set and cared for; and silences."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Final

from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.silenced_findings import (
    SilencedFinding,
    object_of,
    why_not_silenced,
    without_silenced,
)
from zconsole.base.errors import ConfigError, HostError, UsageError, ZConsoleError
from zconsole.base.escape_control_characters import visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.notifications.silence_end import end_of_silence, minute_of
from zconsole.base.notifications.silences import (
    ANY_FINDING,
    LONGEST_REASON,
    Silence,
    add_silence,
    entry_of,
)
from zconsole.base.user_config_file import Config, config_folder
from zconsole.cli.error_messages import complain
from zconsole.cli.json_output import JsonOutput, json_output
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, NamedHost, ask_each, open_hosts
from zconsole.cli.options import JsonForm, Parser, add_hosts, add_json_or_lines, add_timeout, where_of
from zconsole.cli.readings_for_findings import KeptSamples, kept_samples, with_readings_for_findings
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.guests.guests_for_a_report import read_guests_for_report
from zconsole.collect.on_demand.read_dataset_contents import with_contents
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.collect.readings.replication import with_pools_compared
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.reports.json.advice import advice_document
from zconsole.reports.text.advice import advice_report
from zconsole.views.findings.advice_list import advice_of
from zconsole.views.findings.not_judged.silence_problems import silence_problems
from zconsole.views.findings.not_judged.unread_or_old_readings import unread_or_old
from zconsole.views.repair.remedy_of_finding import remedies

ADVISED: Final = 1  # exit code where there is advice
SETTINGS_SHARE: Final = 0.5  # of the time left, for the settings of all datasets
CONTENTS_SHARE: Final = 0.5  # of the time left then, for what lives on them
GUESTS_SHARE: Final = 0.5  # and for the guests
COPIES_SHARE: Final = 0.8  # and for a comparison of its own pools, where none is known


@dataclass(frozen=True, slots=True)
class AdviseRequest:
    """`zconsole advise`; with `silence` or `unsilence`, an id and an object, an entry is written."""

    where: HostSelection = field(default_factory=HostSelection)
    json: JsonForm | None = None
    timeout_s: float | None = None
    silence: tuple[str, str] | None = None
    unsilence: tuple[str, str] | None = None
    reason: str = ""
    until: str = ""


def run_advise(asked: AdviseRequest, config: Config) -> int:
    """Print the advice on each host; 1 when there is some, 3 when a host or settings of it are unread."""
    within_s = asked.timeout_s or TIMEOUT_S
    kept = kept_samples(asked.where)

    async def ask(place: NamedHost) -> HostState:
        return await read_for_advice(place, kept, config, within_s=within_s)

    places = open_hosts(asked.where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, ask, within_s))
    if asked.silence is not None or asked.unsilence is not None:
        return _silence(asked, config, places, answers)
    for problem in silence_problems(config):
        complain(ConfigError(problem))
    with json_output(asked.json, "hosts", is_one=len(places) == 1) as put:
        return max(
            _tell(asked, config, place, answer, put) for place, answer in zip(places, answers, strict=True)
        )


def _tell(
    asked: AdviseRequest,
    config: Config,
    place: NamedHost,
    answer: HostState | ZConsoleError,
    put: JsonOutput,
) -> int:
    """Print the advice on a host; its exit code."""
    if isinstance(answer, ZConsoleError):
        complain(answer)
        put.failed(answer, place.host.label)
        return answer.exit_code
    found, silenced = _judged(answer, place, config)
    where = asked.where.words_for(answer.host)
    if asked.json:
        put(advice_document(answer, found, silenced, where, remedies(answer, place.clock.now())))
    else:
        for each in advice_report(answer, found, silenced, where):
            print(each)
    is_whole = not any(each.is_missing for each in unread_or_old(answer))
    return ADVISED if advice_of(found) else 0 if is_whole else HostError.exit_code


async def read_for_advice(
    place: NamedHost, kept: KeptSamples, config: Config, *, within_s: float
) -> HostState:
    """The state of a host with all that advice is judged by, as far as it answers in time."""
    ends_at = asyncio.get_running_loop().time() + within_s
    state = await gather(place.host, place.clock, within_s=within_s)
    state = await with_readings_for_findings(
        state, place, kept, ends_at=ends_at, settings_share=SETTINGS_SHARE, thresholds=config.thresholds
    )
    left_s = ends_at - asyncio.get_running_loop().time()
    state = await with_contents(state, place.host, place.clock, timeout_s=CONTENTS_SHARE * left_s)
    left_s = ends_at - asyncio.get_running_loop().time()
    state = await _with_all_guests(state, place, GUESTS_SHARE * left_s)
    if state.replication.value is not None:
        return state
    left_s = ends_at - asyncio.get_running_loop().time()
    return await with_pools_compared(state, place.host, place.clock, timeout_s=COPIES_SHARE * left_s)


async def _with_all_guests(state: HostState, place: NamedHost, within_s: float) -> HostState:
    """The state with all guests, whose images advice is about; those in trouble stay as they were read."""
    asker = Asker(place.host, timeout_s=within_s)
    read = await read_guests_for_report(asker, place.clock, state.inventory.value, within_s=within_s)
    if read.value is None:
        problem = read.problem or state.guests.problem
        return replace(state, guests=replace(state.guests, problem=problem))
    in_trouble = {each.key: each for each in state.guests.value or ()}
    guests = tuple(in_trouble.get(each.key, each) for each in read.value)
    return replace(state, guests=replace(read, value=guests))


def _judged(
    state: HostState, place: NamedHost, config: Config
) -> tuple[tuple[Finding, ...], tuple[SilencedFinding, ...]]:
    now = place.clock.now()
    return without_silenced(findings(state, now, config.thresholds), state.host, config, now)


def _silence(
    asked: AdviseRequest,
    config: Config,
    places: Sequence[NamedHost],
    answers: Sequence[HostState | ZConsoleError],
) -> int:
    """Show the entry, and add it to the file; only for a finding that the host has at this moment."""
    if len(places) != 1:
        raise UsageError("a silence is on one host", hint="Name one: --host HOST.")
    place, answer = places[0], answers[0]
    if isinstance(answer, ZConsoleError):
        complain(answer)
        return answer.exit_code
    finding_id, subject = asked.silence or asked.unsilence or ("", "")
    now = place.clock.now()
    began = minute_of(now)
    found, silenced = _judged(answer, place, config)
    every = (*found, *(each.finding for each in silenced))
    meant = [each for each in every if _is_meant(each, finding_id, subject)]
    if asked.unsilence is not None:
        of = (finding_id, subject)
        known = next((e.silence for e in silenced if of == (e.silence.finding, e.silence.object)), None)
        if known is None:
            raise UsageError(f"{finding_id} of {subject} is not silenced on {answer.host}")
        silence = Silence(answer.host, *of, known.reason, known.since, began)
    else:
        if not meant:
            objects = ", ".join(each.subject for each in every if each.id == finding_id)
            raise UsageError(
                f"{answer.host} has no finding {finding_id} of {subject}",
                hint=f"It has that of: {objects}." if objects else "`zconsole advise` has the id of each.",
            )
        if finding_id != ANY_FINDING and (why := why_not_silenced(meant[0])):
            raise UsageError(why)
        until = end_of_silence(asked.until, now)
        silence = Silence(answer.host, finding_id, subject, asked.reason, began, until)
    path = add_silence(config_folder(), silence, config.silences_file)
    for each in entry_of(silence).split("\n"):
        print(visible(each))
    print(f"Added to {visible(str(path))}; it ends on {silence.end}.")
    return 0


def _is_meant(finding: Finding, finding_id: str, subject: str) -> bool:
    if finding_id == ANY_FINDING:
        return subject in {finding.subject, object_of(finding)}
    return (finding.id, finding.subject) == (finding_id, subject)


def _add_arguments(parser: Parser) -> None:
    add_json_or_lines(parser, "of several hosts they are its `hosts`", "host")
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--silence",
        nargs=2,
        metavar=("ID", "OBJECT"),
        help="do not count a finding of an object, with the id * all of them, for a time; no critical ones",
    )
    either.add_argument("--unsilence", nargs=2, metavar=("ID", "OBJECT"), help="end a silence now")
    parser.add_argument("--reason", metavar="TEXT", help="why it is silenced, for those who read it later")
    parser.add_argument(
        "--until",
        metavar="WHEN",
        help="how long, or when it speaks again: 12h, 30d, tomorrow, monday, 18:00, 2027-01-31; in UTC",
    )
    add_timeout(parser, f"{TIMEOUT_S:g}s")
    add_hosts(parser)


def _read(found: argparse.Namespace) -> AdviseRequest:
    if found.silence is not None and not (found.reason or "").strip():
        raise UsageError("--silence needs a reason", hint='Say why: --reason "bought so, new pool in 2027".')
    if found.silence is not None and found.until is None:
        raise UsageError("--silence needs its end", hint="--until 7d, or --until 2027-01-31")
    if found.silence is None and (found.reason is not None or found.until is not None):
        raise UsageError("--reason and --until are of --silence")
    if len(found.reason or "") > LONGEST_REASON:
        raise UsageError(f"a reason has at most {LONGEST_REASON} characters")
    if found.until is not None:
        end_of_silence(found.until, time.time())  # what is wrong with it is said before a host is asked
    silence, unsilence = (
        (each[0], each[1]) if each is not None else None for each in (found.silence, found.unsilence)
    )
    return AdviseRequest(
        where_of(found), found.json, found.timeout, silence, unsilence, found.reason or "", found.until or ""
    )


SUBCOMMAND: Final = Subcommand(
    "advise",
    "Print what an expert would say of how the pools of a host are built, set and cared for, by group and "
    "worst first: what was found and its limit, why it matters, what to do and what that costs, and the "
    "command that plans it; exit 0 nothing to advise, 1 there is advice, 3 a host or its settings could not "
    "be read; with --silence and --unsilence 0 written, 2 refused.",
    _add_arguments,
    _read,
    run_advise,
)
