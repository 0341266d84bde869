"""`zconsole tree`: datasets with snapshots, bookmarks and clones: space and pins."""

from __future__ import annotations

import asyncio
from dataclasses import field
from typing import Final

from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.findings.datasets.clone_rules import clone_findings
from zconsole.base.errors import CommandFailed, ZConsoleError
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
    dataset,
    where_of,
)
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.concurrent_reads import together
from zconsole.collect.guests.guests_and_containers_for_a_report import read_residents_for_report
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.dataset_tree_and_clone_divergence import read_tree
from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.model.datasets.dataset_tree import Tree, systems
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import Reading
from zconsole.reports.json.dataset_tree import tree_document
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.datasets.dataset_tree_document import tree_lines


@dataclass(frozen=True, slots=True)
class TreeRequest:
    """`zconsole tree`; `dataset` is a file system or volume, None for every pool."""

    where: HostSelection = field(default_factory=HostSelection)
    dataset: str | None = None
    json: JsonForm | None = None
    with_snapshots: bool = False
    timeout_s: float | None = None


TreeWithGuests = tuple[Tree, Reading[tuple[Guest, ...]]]
TIMEOUT_S: Final = 600.0  # a million snapshots take minutes to list


def run_tree(asked: TreeRequest, config: Config) -> int:
    """Print each host's tree once all have answered; 3 when one of them could not be read."""
    within_s = asked.timeout_s or TIMEOUT_S
    places = open_hosts(asked.where, config, within_s=within_s)
    root = asked.dataset

    async def ask(place: NamedHost) -> TreeWithGuests:
        await place.host.connect()
        asker = Asker(place.host)
        async with together() as group:
            guests = group.create_task(read_residents_for_report(asker, place.clock, with_names=True))
            tree = await read_tree(asker, root, with_kin=not asked.json)
        if root is not None and not systems(tree, root):
            raise CommandFailed(
                f"there is no dataset {root} on {place.host.label}",
                hint=f"`zconsole tree {pool_of(root)}` shows all.",
            )
        return tree, guests.result()

    answers = asyncio.run(ask_each(places, ask, within_s))
    if asked.json:
        with json_output(asked.json, "hosts", is_one=len(places) == 1) as put:
            for place, answer in zip(places, answers, strict=True):
                if isinstance(answer, ZConsoleError):
                    put.failed(answer, place.host.label)
                else:
                    put(tree_document(answer[0], root, answer[1].value))
        return complain_of_each(answers)
    for place, answer in zip(places, answers, strict=True):
        if isinstance(answer, ZConsoleError):
            continue
        tree, guests = answer
        now = place.clock.now()
        graph = build_graph(tree.datasets)
        shown = set(systems(tree, root))
        found = [
            finding
            for finding in clone_findings(graph, now, tree.since_origin)
            if dataset_of(finding.subject) in shown
        ]
        lines = tree_lines(
            tree,
            found,
            host=place.host.label,
            now=now,
            root=root,
            with_snapshots=asked.with_snapshots,
            guests=guests,
        )
        for line in printed(lines):
            print(line)
    return complain_of_each(answers)


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "dataset", nargs="?", type=dataset, metavar="DATASET", help="only it and all below it (default: all)"
    )
    add_json_or_lines(parser, "of several hosts they are its `hosts`", "host")
    parser.add_argument(
        "--snapshots", action="store_true", help="every snapshot, not only those with clones or holds"
    )
    add_timeout(parser, "10m")
    add_hosts(parser)


SUBCOMMAND: Final = Subcommand(
    "tree",
    "Print datasets with their snapshots, bookmarks and clones: what takes space, what pins what.",
    _add_arguments,
    lambda found: TreeRequest(where_of(found), found.dataset, found.json, found.snapshots, found.timeout),
    run_tree,
)
