"""`zconsole reclaim`: snapshots whose destruction frees a given space. Changes nothing."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from dataclasses import field
from functools import partial
from typing import Final, Literal

from zconsole.analysis.snapshots.snapshots_to_keep import RetentionRules
from zconsole.base.errors import ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.error_messages import complain_of_each
from zconsole.cli.json_output import json_output
from zconsole.cli.open_and_ask_named_hosts import NamedHost, ask_each, open_hosts
from zconsole.cli.options import (
    JsonForm,
    Parser,
    add_hosts,
    add_json_or_lines,
    add_timeout,
    age,
    dataset,
    natural,
    size,
    where_of,
)
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.cli.target_host_with_policy_and_journal import policies_of
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.facts.snapshots_to_free_space import Reclaim, ReclaimGoal, read_reclaim
from zconsole.model.host.plan_facts import HostPolicy
from zconsole.reports.json.reclaim import reclaim_document
from zconsole.reports.text.reclaim import proposal_text
from zconsole.storage.send_bases_of_known_replicas import known_bases


@dataclass(frozen=True, slots=True)
class ReclaimRequest:
    """`zconsole reclaim`."""

    dataset: str
    need_bytes: int | None
    order: Literal["oldest", "fewest"] = "oldest"
    where: HostSelection = field(default_factory=HostSelection)
    json: JsonForm | None = None
    is_alone: bool = False  # without descendants
    keep_newest: int = 1
    keep_younger_s: float = 0.0
    keep: tuple[str, ...] = ()  # patterns of snapshots
    timeout_s: float | None = None


NOT_ENOUGH: Final = 1
TIMEOUT_S: Final = 600.0  # a million snapshots take minutes to list


def run_reclaim(asked: ReclaimRequest, config: Config) -> int:
    """Print a proposal for each host; 1 where it is insufficient, 3 where a host could not be read."""
    within_s = asked.timeout_s or TIMEOUT_S
    places = open_hosts(asked.where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, partial(_ask, asked, config), within_s))
    found = [answer for answer in answers if not isinstance(answer, ZConsoleError)]
    with json_output(asked.json, "hosts", is_one=len(places) == 1) as put:
        for place, answer in zip(places, answers, strict=True):
            if isinstance(answer, ZConsoleError):
                put.failed(answer, place.host.label)
                continue
            if asked.json:
                put(reclaim_document(answer, place.host.label))
                continue
            for line in proposal_text(answer, place.host.label, _reached_by(asked, place)):
                print(line)
    failed = complain_of_each(answers)
    return failed or (0 if all(answer.is_enough for answer in found) else NOT_ENOUGH)


def _reached_by(asked: ReclaimRequest, place: NamedHost) -> str:
    """Arguments that select the same host; empty for a recording."""
    if asked.where.is_demo:
        return asked.where.demo_word
    return "" if asked.where.replay is not None else f"--host {shlex.quote(place.host.label)}"


async def _ask(asked: ReclaimRequest, config: Config, place: NamedHost) -> Reclaim:
    await place.host.connect()
    forbidden = await policies_of(asked.where, config, place).meet(Asker(place.host))
    keeping = RetentionRules(
        asked.keep_newest,
        asked.keep_younger_s,
        _copied(asked, place),
        policy=HostPolicy(protected=(*forbidden.protected, *asked.keep)),
    )
    wish = ReclaimGoal(asked.dataset, asked.need_bytes, asked.order, not asked.is_alone, keeping)
    return await read_reclaim(Asker(place.host), wish, place.clock.now())


def _copied(asked: ReclaimRequest, place: NamedHost) -> dict[str, str]:
    """Send bases of copies on other hosts, as last seen by `zconsole replicas`, with the reason."""
    if asked.where.is_demo or asked.where.replay is not None:
        return {}
    return {base.name: base.reason for base in known_bases() if base.host == place.host.label}


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "dataset", type=dataset, metavar="DATASET", help="whose snapshots, and those of all below it"
    )
    parser.add_argument(
        "--need",
        type=size,
        metavar="SIZE",
        help="to free: 500G, 1.5T, 500GB; default: what gets pool or quota to 95, 90 or 80%% used",
    )
    parser.add_argument(
        "--order",
        choices=("oldest", "fewest"),
        default="oldest",
        help="the oldest that do it (default), or the fewest",
    )
    parser.add_argument("--only", action="store_true", help="only DATASET, nothing below it")
    parser.add_argument(
        "--keep-newest", type=natural, default=1, metavar="N", help="of each dataset (default: 1)"
    )
    parser.add_argument(
        "--keep-younger", type=age, default=0.0, metavar="TIME", help="all that are younger: 30d, 12h, 2w"
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="PATTERN",
        help="snapshots that stay: '*@monthly*'; repeatable",
    )
    add_json_or_lines(parser, "of several hosts they are its `hosts`", "host")
    add_timeout(parser, "10m")
    add_hosts(parser)


def _read(found: argparse.Namespace) -> ReclaimRequest:
    return ReclaimRequest(
        found.dataset,
        found.need,
        found.order,
        where_of(found),
        found.json,
        found.only,
        found.keep_newest,
        found.keep_younger,
        tuple(found.keep),
        found.timeout,
    )


SUBCOMMAND: Final = Subcommand(
    "reclaim",
    "Say which snapshots to destroy to free so much; it destroys nothing. "
    "Exit 0 enough, 1 not enough, 3 a host could not be read.",
    _add_arguments,
    _read,
    run_reclaim,
)
