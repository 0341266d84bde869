"""`zconsole watch`: messages on findings and events, without a terminal."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from pathlib import Path
from typing import Final

from zconsole.analysis.alerts.damping import DampedState, Damping
from zconsole.analysis.alerts.states_and_events_of_host import BY_SAMPLES
from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import moment
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.notifications.alert_settings import MailSettings, WatchSettings
from zconsole.base.user_config_file import Config
from zconsole.cli.collecting.judged_states import JudgedHosts, collect_until_ended, read_once
from zconsole.cli.collecting.own_program import own_program
from zconsole.cli.commands.monitoring.notification_channels import (
    channel_of,
    is_alertmanager,
    least_of,
    sync_of,
)
from zconsole.cli.error_messages import complain
from zconsole.cli.json_output import json_output
from zconsole.cli.options import (
    JsonForm,
    Parser,
    add_hosts,
    add_json_or_lines,
    add_timeout,
    interval,
    where_of,
)
from zconsole.cli.selected_hosts import THIS_HOST, HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.model.alert import Alert, AlertKey, AlertPhase
from zconsole.model.finding import Finding, Severity, place_of
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.reports.json.json_line import as_line
from zconsole.reports.notifications.alert_document import alert_document
from zconsole.reports.notifications.alert_in_words import MOMENT, TEST_ID, one_line
from zconsole.reports.notifications.watch_unit import WatchUnit, watch_unit
from zconsole.reports.systemd_timer import Job
from zconsole.service.notifications.alert_watch import WATCHER, AlertWatch
from zconsole.service.notifications.alertmanager_sync import AlertmanagerSync
from zconsole.service.notifications.delivery import Deliveries
from zconsole.storage.alerts.alert_store import AlertStore, alert_store_path
from zconsole.storage.alerts.only_one_watch import only_one_watch
from zconsole.storage.space_samples import store_path
from zconsole.views.host_states_with_findings import View
from zconsole.views.repair.remedy_of_finding import remedies

INTERVAL_S: Final = 5.0  # of an I/O sample
JUDGED_EVERY_S: Final = 5.0
GRACE_S: Final = 300.0  # until disks are judged again after a start
PRACTICE_FILE: Final = "alerts-practice.sqlite"
NOT_DONE: Final = 3
ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class WatchRequest:
    """`zconsole watch`; `what` is list, test, unit, ack, or empty to watch."""

    where: HostSelection = field(default_factory=HostSelection)
    what: str = ""
    acknowledged: tuple[str, ...] = ()
    is_once: bool = False
    interval_s: float = INTERVAL_S
    timeout_s: float | None = None
    json: JsonForm | None = None

    @property
    def is_jsonl(self) -> bool:
        """Whether each message is an object of its own."""
        return self.json is JsonForm.LINES


def run_watch(asked: WatchRequest, config: Config) -> int:
    """Watch until a signal, or do what was asked; see docs/monitoring.md for the exit codes."""
    store = AlertStore(_store_path(asked.where))
    match asked.what:
        case "list":
            return _list(store, asked.json)
        case "ack":
            return _acknowledge(store, asked.acknowledged)
        case "test":
            return _test(config)
        case "unit":
            print(_unit(asked, config), end="")
            return 0
    if asked.is_once:
        with only_one_watch(store.path):
            return _once(asked, config, store)
    config = replace(config, interval_s=asked.interval_s)
    with only_one_watch(store.path), ExitStack() as stack:
        return collect_until_ended(
            asked.where,
            config,
            lambda judged: _Watching(config, store, judged, stack, is_jsonl=asked.is_jsonl).tick,
            JUDGED_EVERY_S,
        )


class _Watching:
    """The watch of an engine: judges, keeps what is told, and wakes the threads that send it."""

    def __init__(
        self, config: Config, store: AlertStore, judged: JudgedHosts, stack: ExitStack, *, is_jsonl: bool
    ) -> None:
        self._judged = judged
        self._is_jsonl = is_jsonl
        channels = [each for each in config.watch.channels if not is_alertmanager(each)]
        self._watch = _alert_watch(config.watch, store, GRACE_S)
        self._deliveries = Deliveries(store, [channel_of(each) for each in channels], _say)
        before = store.logged(WATCHER)
        self._syncs = [sync_of(each, _say, before) for each in config.watch.channels if is_alertmanager(each)]
        self._is_failing = False
        self._deliveries.start()
        stack.callback(self._deliveries.stop)
        self._sync(self._watch.active(), ())
        for sync in self._syncs:
            sync.start()
            stack.callback(sync.stop)
        names = ", ".join(each.name for each in config.watch.channels)
        _say(f"watching; messages go to {names or 'standard output alone: the configuration has no channel'}")

    def tick(self) -> None:
        """Judge the newest states, and tell what is to be told."""
        view = self._judged.view()
        try:
            told = self._watch.take(_findings(view), time.time(), silenced=_silenced(view))
        except ZConsoleError as error:  # such as a full disk: it is told once that has passed
            if not self._is_failing:
                complain(error)
            self._is_failing = True
            return
        self._is_failing = False
        _print(told, is_jsonl=self._is_jsonl)
        if told:
            self._deliveries.wake()
        self._sync(self._watch.active(), told)

    def _sync(self, active: Sequence[DampedState], told: Sequence[Alert]) -> None:
        for sync in self._syncs:
            sync.take(active, told)


def _findings(view: View) -> list[tuple[HostState, Sequence[Finding]]]:
    return [(each.state, each.findings) for each in view.hosts]


def _silenced(view: View) -> dict[str, Sequence[Finding]]:
    return {each.state.host: [of.finding for of in each.silenced] for each in view.hosts}


def _alert_watch(settings: WatchSettings, store: AlertStore, grace_s: float) -> AlertWatch:
    damping = Damping(
        settings.hold_critical_s,
        settings.hold_warning_s,
        settings.hold_link_s,
        settings.clear_s,
        settings.remind_s,
        grace_s,
    )
    queued = {each.name: least_of(each) for each in settings.channels if not is_alertmanager(each)}
    return AlertWatch(store, damping, queued, remedies)


def _once(asked: WatchRequest, config: Config, store: AlertStore) -> int:
    """Read once, tell, send. What only samples can tell stays as it was."""
    view = read_once(asked.where, config, asked.timeout_s)
    watch = _alert_watch(config.watch, store, 0.0)
    told = watch.take(_findings(view), time.time(), but=BY_SAMPLES, silenced=_silenced(view))
    _print(told, is_jsonl=asked.is_jsonl)
    channels = [channel_of(each) for each in config.watch.channels if not is_alertmanager(each)]
    Deliveries(store, channels, _say).send_all_due()
    are_synced = all([_sent(sync, watch, told) for sync in _syncs(config, store)])  # noqa: C419  # each is sent
    is_read = all(each.state.link.state is LinkState.UP for each in view.hosts)
    _complain_of_hosts(view)
    is_sent = not store.waiting(each.name for each in channels)
    return 0 if is_read and is_sent and are_synced else NOT_DONE


def _syncs(config: Config, store: AlertStore) -> list[AlertmanagerSync]:
    before = store.logged(WATCHER)
    return [sync_of(each, _say, before) for each in config.watch.channels if is_alertmanager(each)]


def _sent(sync: AlertmanagerSync, watch: AlertWatch, told: Sequence[Alert]) -> bool:
    sync.take(watch.active(), told)
    return sync.send_now(time.time())


def _complain_of_hosts(view: View) -> None:
    for each in view.hosts:
        if each.state.link.state is not LinkState.UP:
            _say(f"{each.state.host}: {each.state.link.reason}")


def _list(store: AlertStore, form: JsonForm | None) -> int:
    """Print what was told and is not over, worst first."""
    acknowledged = store.acknowledged()
    told = [
        (each, max(filter(None, (each.acknowledged_at, acknowledged.get(each.alert.key))), default=None))
        for each in _told(store)
    ]
    if form is not None:
        with json_output(form, "alerts", is_one=False) as put:
            for each, at in told:
                more = {"holds": each.is_holding, "acknowledged_at": at}
                put({**alert_document(each.alert), "since": each.since, **more})
        return 0
    if not told:
        print("Nothing that was told is going on: `zconsole watch` has told nothing, or all of it is over.")
    for each, at in told:
        gone = "" if each.is_holding else " (not now)"
        seen = f" (acknowledged {moment(at, MOMENT)} UTC)" if at is not None else ""
        print(
            visible(f"{moment(each.since, MOMENT)} UTC {one_line(each.alert)} [{each.alert.id}]{gone}{seen}")
        )
    return 0


def _told(store: AlertStore) -> list[DampedState]:
    told = [each for each in store.states(WATCHER).values() if each.told is not None]
    return sorted(told, key=lambda each: (place_of(each.alert.severity, each.alert.id), each.since))


def _acknowledge(store: AlertStore, words: Sequence[str]) -> int:
    """Acknowledge what was told, by finding, subject or host."""
    matching = [each.alert for each in _told(store) if ALL in words or _names(each.alert) & set(words)]
    if not matching:
        raise UsageError(
            f"nothing that was told is {' or '.join(map(repr, words))}",
            hint="`zconsole watch --list` shows what was told; name a finding, a subject, a host, or `all`.",
        )
    store.acknowledge([each.key for each in matching], time.time())
    for each in matching:
        print(visible(f"acknowledged: {each.id} of {each.subject} on {each.key.host}"))
    return 0


def _names(alert: Alert) -> set[str]:
    """The words by which what was told is meant: one of its findings, its subject, its host."""
    return {alert.id, *alert.others, alert.subject, alert.key.host}


def _test(config: Config) -> int:
    """Send a message to each channel, now; 3 when one cannot be sent."""
    if not config.watch.channels:
        raise UsageError(
            "the configuration has no channel", hint="docs/monitoring.md has examples of [watch...] tables."
        )
    now, failed = time.time(), 0
    key = AlertKey(os.uname().nodename, "test", "zconsole watch")
    alert = Alert(
        key,
        Severity.INFO,
        "this is a test of zconsole watch",
        now,
        TEST_ID,
        "zconsole watch",
        phase=AlertPhase.HAPPENED,
    )
    for settings in config.watch.channels:
        try:
            channel_of(settings).send(alert)
        except ZConsoleError as error:
            failed = NOT_DONE
            _say(f"{settings.name}: {error.message}")
        else:
            print(f"{settings.name}: sent")
    return failed


def _unit(asked: WatchRequest, config: Config) -> str:
    uses_sendmail = any(isinstance(e.to, MailSettings) and e.to.sendmail for e in config.watch.channels)
    folders = tuple(dict.fromkeys((alert_store_path().parent, store_path().parent)))
    is_root = os.geteuid() == 0
    job = Job(own_program("watch", asked.where), is_root)
    return watch_unit(
        WatchUnit(job, folders, uses_sendmail, not is_root and _reads_this_machine(asked, config))
    )


def _reads_this_machine(asked: WatchRequest, config: Config) -> bool:
    """Whether commands run here, and so with sudo under systemd's limits."""
    hosts = asked.where.hosts or (THIS_HOST,)
    return any(THIS_HOST in {host, _address_of(host, config)} for host in hosts)


def _address_of(host: str, config: Config) -> str:
    known = config.host(host)
    return known.address if known is not None else host


def _store_path(where: HostSelection) -> Path:
    """The file of this account; what is told of the practice host and of recordings is kept apart."""
    path = alert_store_path()
    return path.with_name(PRACTICE_FILE) if where.is_demo or where.replay is not None else path


def _print(told: Sequence[Alert], *, is_jsonl: bool) -> None:
    for each in told:
        print(as_line(alert_document(each)) if is_jsonl else one_line(each), flush=True)


def _say(words: str) -> None:
    print(f"zconsole: {visible(words)}", file=sys.stderr, flush=True)


def _add_arguments(parser: Parser) -> None:
    which = parser.add_mutually_exclusive_group()

    def flag(name: str, value: str, words: str) -> None:
        which.add_argument(name, dest="what", action="store_const", const=value, default="", help=words)

    which.add_argument(
        "--once", action="store_true", help="read once, send, and end: for a timer; 3 if not all is done"
    )
    flag("--list", "list", "print what was told and is not over")
    which.add_argument(
        "--ack",
        action="append",
        default=[],
        metavar="WHAT",
        help="tell nothing more of this finding, subject or host until it gets worse or is over; `all`",
    )
    flag("--test", "test", "send a test message to each channel of the configuration")
    flag("--print-unit", "unit", "print the systemd unit that watches the hosts named with it")
    parser.add_argument(
        "--interval", type=interval, metavar="TIME", help="between two I/O samples (default: 5s)"
    )
    add_json_or_lines(parser, "of --list, with its `alerts`", "message")
    add_timeout(parser)
    add_hosts(parser)


def _read(found: argparse.Namespace) -> WatchRequest:
    if found.json is JsonForm.LINES and (found.ack or found.what not in {"", "list"}):
        raise UsageError("--jsonl is for messages and for --list", hint="Leave it out.")
    if found.json is JsonForm.DOCUMENT and found.what != "list":
        raise UsageError(
            "--json is for --list: messages have no end", hint="--jsonl prints each as it comes."
        )
    if found.what == "unit" and (found.demo or found.replay is not None):
        raise UsageError("--print-unit is for real hosts", hint="Leave --demo and --replay out.")
    return WatchRequest(
        where_of(found),
        "ack" if found.ack else found.what,
        tuple(found.ack),
        found.once,
        found.interval or INTERVAL_S,
        found.timeout,
        found.json,
    )


SUBCOMMAND: Final = Subcommand(
    "watch",
    "Watch hosts without a terminal, and send messages on findings, lost links, ended scans and runs: by a "
    "command, by mail, or to a webhook, as the configuration says in [watch].",
    _add_arguments,
    _read,
    run_watch,
)
