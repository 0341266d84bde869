"""Files and tables that are made from the code: `python -m tests.generated --write`.

Of the command line: completion for shells by shtab, which ships in the package, and the manual page by
argparse-manpage. Of the actions: their table in docs/actions.md, and docs/keys.md. Of the filter: the table
of words in docs/guide.md. Of the advice: its sections in docs/findings.md. Of the metrics: their table in
docs/monitoring.md. Of recorded pools: docs/exact-capacities.md.
`tests/test_generated.py` checks that all are current.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import shtab
from argparse_manpage.manpage import Manpage

from tests.analysis.pool_layouts import exact_capacities
from zconsole import __version__
from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.action_spec import FLAG, Option
from zconsole.actions.action_usage_and_plan_command import usage_of
from zconsole.analysis.search.dataset_query import OF_SNAPSHOTS
from zconsole.analysis.search.query_terms import OF_LISTS, WORDS
from zconsole.cli.commands.setup.completion import FOLDER, SHELLS
from zconsole.cli.parse_command_line import whole_parser
from zconsole.reports.prometheus.host_metrics import FAMILIES
from zconsole.views.findings.advice import ADVICE, GROUP_OF
from zconsole.views.findings.advice_on_login import LOGIN
from zconsole.views.findings.advice_wording import Advice
from zconsole.views.findings.ssh_login_causes import CAUSES
from zconsole.views.layout.screen_key_registry import ACTIONS, Action, key_name
from zconsole.views.layout.words_of_need import NEEDS, KeyNeed

ROOT: Final = Path(__file__).parents[1]
DOCS: Final = ROOT / "docs"
PAGE: Final = DOCS / "zconsole.1"
KEYS: Final = DOCS / "keys.md"
KEYS_HEAD: Final = ("| key | action | what it does | where | name |", "|---|---|---|---|---|")
BEGIN: Final = "<!-- the table is generated from the {} -->\n"
END: Final = "<!-- end of the generated table -->"
ABOUT: Final = "a terminal console for ZFS storage"


def files() -> dict[Path, str]:
    """Every file that is made, in whole or in part, and what is to be in it."""
    made = {FOLDER / shell: _lines(shtab.complete(whole_parser(), shell)) for shell in SHELLS}
    tables = [
        (DOCS / "actions.md", "list of actions", actions_table()),
        (DOCS / "guide.md", "words of the filter", words_table()),
        (DOCS / "findings.md", "list of advice", advice_sections()),
        (DOCS / "monitoring.md", "list of metrics", metrics_table()),
    ]
    return {
        **made,
        PAGE: manual_page(),
        KEYS: keys_page(),
        DOCS / "exact-capacities.md": exact_capacities.page(),
        **{path: with_table(path.read_text("utf-8"), source, table) for path, source, table in tables},
    }


def with_table(text: str, source: str, table: str) -> str:
    """A page with a table between its two marks."""
    before, begin, rest = text.partition(BEGIN.format(source))
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"no place for the table of the {source}")
    return f"{before}{begin}{table}{end}{after}"


def actions_table() -> str:
    """Every action: words, options, effect."""
    rows = ["| action | options | what it does |", "|---|---|---|"]
    for known in SPECS:
        options = ", ".join(f"`{_option(option)}`" for option in known.options)
        usage = usage_of(known).replace("|", "\\|")
        rows.append(f"| `{usage}` | {options} | {known.help} |")
    return "\n".join(rows) + "\n"


def _option(option: Option) -> str:
    return f"--{option.name}" if option.kind == FLAG else f"--{option.name} {option.kind.upper()}"


def words_table() -> str:
    """The words of the filter, and what they find."""
    told = (
        *((examples, what) for examples, what in WORDS),
        *((examples, f"lists: {what}") for examples, what in OF_LISTS),
        *((examples, f"datasets: {what}") for examples, what in OF_SNAPSHOTS),
    )
    rows = (f"| {', '.join(f'`{each}`' for each in examples)} | {what} |\n" for examples, what in told)
    return "| word | what it finds |\n|---|---|\n" + "".join(rows)


def advice_sections() -> str:
    """A section for each piece of advice, under the heading of its group."""
    return "".join(f"\n### {each.id}\n{_lines(_advice(each))}" for each in ADVICE.values()) + "\n"


def metrics_table() -> str:
    """Each metric with its labels and its meaning."""
    rows = (
        f"| `{each.name}{'_total' if each.is_counter else ''}` | {', '.join(each.labels)} | {each.help} |"
        for each in FAMILIES
    )
    return "\n".join(("| metric | labels | meaning |", "|---|---|---|", *rows)) + "\n"


def _advice(advice: Advice) -> str:
    evidence = ", ".join(f"`{name}`" for name in advice.evidence)
    severity = " or ".join(each.word for each in advice.risk).capitalize() or "Info"
    causes = [
        line
        for phase, sentences in (CAUSES.items() if advice in LOGIN else ())
        for line in ("", f"Causes of a slow {phase.value}:", "", *(f"- {each}" for each in sentences))
    ]
    return "\n".join(
        (
            f"{severity}, group {GROUP_OF[advice.id].value}. {advice.when}",
            f"What to do: {advice.action}",
            *causes,
            *[""] * bool(causes),
            f"What that costs: {advice.cost}",
            f"What it helps: {advice.helps.value}. At stake: {advice.stake.word}.",
            f"Why it matters: {advice.why}",
            f"Where the limit comes from: {advice.source}.",
            *(f"Evidence: {evidence}.",) * bool(evidence),
        )
    )


def keys_page() -> str:
    """Every key by group, with its action and screens."""
    parts = ["# Keys", "", "Generated from the list of actions; `?` shows the same inside the console.", ""]
    parts += ["## I want to ...", "", "On the first screen, unless a row leads to another one.", ""]
    parts += [
        "| I want to | keys |",
        "|---|---|",
        *(f"| {wish} | {keys} |" for wish, keys in index_rows()),
        "",
    ]
    for group in dict.fromkeys(known.group for known in ACTIONS):
        parts += [f"## {group}", "", *KEYS_HEAD]
        for known in ACTIONS:
            if known.group == group:
                keys = " ".join(f"`{key_name(key)}`" for key in known.keys)
                row = (keys, known.title, known.help, ", ".join(known.where), f"`{known.id}`")
                parts.append(f"| {' | '.join(row)} |")
        parts.append("")
    parts += [
        "Arrow keys, `PgUp`, `PgDn`, `Home` and `End` move through every list;",
        "a click selects a row, sorts by a title, and presses a key of the footer; the wheel scrolls.",
        "The last column has the names for [keys.toml](configuration.md#keys).",
        "",
    ]
    return "\n".join(parts)


def index_rows(known: Iterable[Action] = ACTIONS) -> Iterator[tuple[str, str]]:
    """`I want to ...` and the keys for it, of the index of docs/keys.md. Raises KeyError."""
    by_id = {each.id: each for each in known}
    for need in NEEDS:
        keys = []
        for each in need.actions:
            action = by_id[each]
            keys.append(f"`{key_name(action.keys[0])}` {action.title}")
        then = f", then {need.then}" if need.then else ""
        yield need.wish, (", then " if _follow(need) else " or ").join(dict.fromkeys(keys)) + then


def _follow(need: KeyNeed) -> bool:
    """Whether its actions follow each other: the later ones are on the screen that the first opens."""
    by_id = {each.id: each for each in ACTIONS}
    first, *others = (by_id[each] for each in need.actions)
    return bool(first.opens) and all(not each.is_in("pools") or each.id == "act" for each in others)


def manual_page() -> str:
    """The page zconsole(1), in roff."""
    page = Manpage(
        whole_parser(),
        _data={
            "project_name": "zconsole",
            "prog": "zconsole",
            "description": ABOUT,
            "version": __version__,
            "manual_title": "zconsole manual",
        },
    )
    title = f'.TH ZCONSOLE 1 "" "zconsole {__version__}" "zconsole manual"'
    return _lines("\n".join(title if line.startswith(".TH") else line for line in str(page).split("\n")))


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n")) + "\n"


def main(words: list[str]) -> int:
    """Say which are not of today, or write them."""
    stale = [path for path, text in files().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--write" in words:
        for path, text in files().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    sys.stdout.write("".join(f"{path.relative_to(ROOT)}\n" for path in stale))
    return 0 if "--write" in words else len(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
