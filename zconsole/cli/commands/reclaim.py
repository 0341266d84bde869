"""`zconsole reclaim`: which snapshots to destroy to free so much. It changes nothing."""

from __future__ import annotations

import asyncio
import shlex
from functools import partial
from typing import Final

from zconsole.analysis.snapshots.retention_locks import Keeping
from zconsole.base.config import Config
from zconsole.base.errors import ZConsoleError
from zconsole.cli.acting_host import policies_of
from zconsole.cli.error_messages import complain
from zconsole.cli.named_hosts import Place, ask_each, open_places
from zconsole.cli.requests import FindReclaim
from zconsole.collect.ask import Asker
from zconsole.execution.facts.snapshot_space import Reclaim, Wish, read_reclaim
from zconsole.model.host.plan_facts import Policy
from zconsole.reports.json.document import as_line
from zconsole.reports.json.reclaim import reclaim_document
from zconsole.reports.text.reclaim import reclaim_lines
from zconsole.storage.known_replicas import known_bases

NOT_ENOUGH: Final = 1
TIMEOUT_S: Final = 600.0  # a million snapshots take minutes to list


def run_reclaim(asked: FindReclaim, config: Config) -> int:
    """Print a proposal for each host; 1 where it is not enough, 3 where a host could not be read."""
    within_s = asked.timeout_s or TIMEOUT_S
    places = open_places(asked.where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, partial(_ask, asked, config), within_s))
    failures = [answer for answer in answers if isinstance(answer, ZConsoleError)]
    found = [
        (place, answer)
        for place, answer in zip(places, answers, strict=True)
        if not isinstance(answer, ZConsoleError)
    ]
    for place, answer in found:
        if asked.is_json:
            print(as_line(reclaim_document(answer, place.host.label)))
            continue
        for line in reclaim_lines(answer, place.host.label, _reached_by(asked, place)):
            print(line)
    for failure in failures:
        complain(failure)
    if failures:
        return max(failure.exit_code for failure in failures)
    return 0 if all(answer.is_enough for _, answer in found) else NOT_ENOUGH


def _reached_by(asked: FindReclaim, place: Place) -> str:
    """The words that name the same host again; nothing for a recording."""
    if asked.where.is_demo:
        return "--demo"
    return "" if asked.where.replay is not None else f"--host {shlex.quote(place.host.label)}"


async def _ask(asked: FindReclaim, config: Config, place: Place) -> Reclaim:
    await place.host.connect()
    forbidden = await policies_of(asked.where, config, place).meet(Asker(place.host))
    keeping = Keeping(
        asked.keep_newest,
        asked.keep_younger_s,
        _copied(asked, place),
        policy=Policy(protected=(*forbidden.protected, *asked.keep)),
    )
    wish = Wish(asked.dataset, asked.need_bytes, asked.order, not asked.is_alone, keeping)
    return await read_reclaim(Asker(place.host), wish, place.clock.now())


def _copied(asked: FindReclaim, place: Place) -> dict[str, str]:
    """What copies on other hosts build on, as `zconsole replicas` saw it last, with the reason."""
    if asked.where.is_demo or asked.where.replay is not None:
        return {}
    return {base.name: base.reason for base in known_bases() if base.host == place.host.label}
