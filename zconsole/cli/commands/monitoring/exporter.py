"""`zconsole exporter`: metrics for Prometheus, and the alert rules and dashboard that use them."""

from __future__ import annotations

import argparse
import re
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import field, replace
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.collecting.judged_states import JudgedHosts, collect_until_ended, read_once
from zconsole.cli.options import Parser, add_hosts, add_timeout, interval, seconds, where_of
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.hosts.metrics_endpoint import INSTALL, LOOPBACK, serving, write_textfile
from zconsole.model.host.host_state import LinkState
from zconsole.views.host_states_with_findings import View

if TYPE_CHECKING:
    from prometheus_client.core import Metric

PORT: Final = 9913
INTERVAL_S: Final = 5.0  # of an I/O sample: Prometheus asks some times a minute
WRITTEN_EVERY_S: Final = 60.0
JUDGED_EVERY_S: Final = 5.0  # a scrape takes what was judged last
UNREAD: Final = 3
SHIPPED: Final = {"rules": "alert_rules.yml", "dashboard": "grafana_dashboard.json"}
_ADDRESS: Final = re.compile(r"(?:(?P<host>\[[0-9a-fA-F:.]+\]|[^:\s]+):)?(?P<port>\d{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class ExporterRequest:
    """`zconsole exporter`."""

    where: HostSelection = field(default_factory=HostSelection)
    address: tuple[str, int] = (LOOPBACK, PORT)
    textfile: Path | None = None
    is_once: bool = False
    every_s: float = WRITTEN_EVERY_S
    interval_s: float = INTERVAL_S
    timeout_s: float | None = None
    shipped: str = ""  # of SHIPPED, to be printed instead


def run_exporter(asked: ExporterRequest, config: Config) -> int:
    """Serve metrics until a signal, write them to a file, or print what is shipped.

    With `--once`, 3 when a host could not be read: its metric `zconsole_host_up` is then 0.
    """
    if asked.shipped:
        sys.stdout.write(shipped(asked.shipped))
        return 0
    if find_spec("prometheus_client") is None:
        raise UsageError("for metrics, prometheus_client is needed", hint=INSTALL)
    config = replace(config, interval_s=asked.interval_s)
    if asked.is_once and asked.textfile is not None:
        view = read_once(asked.where, config, asked.timeout_s)
        write_textfile(lambda: _families(view), asked.textfile)
        return 0 if all(each.state.link.state is LinkState.UP for each in view.hosts) else UNREAD
    with ExitStack() as stack:
        return collect_until_ended(
            asked.where,
            config,
            lambda judged: _begin(asked, judged, stack),
            JUDGED_EVERY_S if asked.textfile is None else asked.every_s,
        )


def shipped(name: str) -> str:
    """A file that comes with the program, as text."""
    return (resources.files("zconsole.reports.prometheus") / SHIPPED[name]).read_text("utf-8")


def _begin(asked: ExporterRequest, judged: JudgedHosts, stack: ExitStack) -> Callable[[], None]:
    newest = _Newest(judged)
    newest.judge()
    if asked.textfile is not None:
        path = asked.textfile

        def write() -> None:
            newest.judge()
            write_textfile(newest.families, path)

        return write
    port = stack.enter_context(serving(newest.families, *asked.address))
    print(f"metrics at http://{_shown(asked.address[0])}:{port}/metrics", file=sys.stderr, flush=True)
    return newest.judge


class _Newest:
    """The view that was judged last: a scrape asks no host and judges nothing."""

    def __init__(self, judged: JudgedHosts) -> None:
        self._judged = judged
        self._lock = threading.Lock()
        self._view: View | None = None

    def judge(self) -> None:
        view = self._judged.view()
        with self._lock:
            self._view = view

    def families(self) -> Iterable[Metric]:
        with self._lock:
            view = self._view
        return () if view is None else _families(view)


def _families(view: View) -> Iterable[Metric]:
    from zconsole.reports.prometheus.metric_families import metric_families  # needs an extra

    return metric_families(view)


def _shown(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _address(text: str) -> tuple[str, int]:
    """`127.0.0.1:9913`, `[::1]:9913`, or a port on loopback."""
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found["port"]) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not ADDRESS:PORT, such as 127.0.0.1:{PORT}")
    return (found["host"] or LOOPBACK).strip("[]"), int(found["port"])


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--listen",
        type=_address,
        metavar="ADDRESS:PORT",
        help=f"serve there (default: {LOOPBACK}:{PORT}); it has no password and no TLS",
    )
    parser.add_argument(
        "--textfile",
        type=Path,
        metavar="FILE.prom",
        help="write to this file of node_exporter's textfile collector, and serve nothing",
    )
    parser.add_argument(
        "--every", type=seconds, metavar="TIME", help="between two writings of it (default: 60s)"
    )
    parser.add_argument(
        "--once", action="store_true", help="read once, write that file, and end: for a timer"
    )
    add_timeout(parser)
    parser.add_argument(
        "--interval", type=interval, metavar="TIME", help="between two I/O samples (default: 5s)"
    )
    for name, words in (("rules", "alert rules for Prometheus"), ("dashboard", "dashboard for Grafana")):
        parser.add_argument(
            f"--print-{name}",
            dest="shipped",
            action="store_const",
            const=name,
            default="",
            help=f"print the {words}, and end",
        )
    add_hosts(parser)


def _read(found: argparse.Namespace) -> ExporterRequest:
    if found.textfile is not None and found.listen is not None:
        raise UsageError("--textfile and --listen exclude each other", hint="Give one of them.")
    if found.textfile is None and (found.once or found.every is not None):
        raise UsageError("--once and --every are of --textfile", hint="Name the file: --textfile FILE.prom")
    return ExporterRequest(
        where_of(found),
        found.listen or (LOOPBACK, PORT),
        found.textfile,
        found.once,
        found.every or WRITTEN_EVERY_S,
        found.interval or INTERVAL_S,
        found.timeout,
        found.shipped,
    )


SUBCOMMAND: Final = Subcommand(
    "exporter",
    "Serve metrics of pools, vdevs, disks and findings for Prometheus, or write them to a file. What is not "
    "known has no sample. A scrape runs no command on a host: it gets what was read last.",
    _add_arguments,
    _read,
    run_exporter,
)
