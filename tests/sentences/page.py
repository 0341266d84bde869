"""docs/sentences.md: each sentence with its rule, thresholds and facts, and the state in which it is said.

`words_in_source.watch` must have been called before the package is imported: see `__main__`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from tests.sentences import words_in_source as source
from tests.sentences.facts import SOURCES, WHOLE, without_each_fact
from tests.sentences.scenes import Scene, Source, findings_of, scenes, words_of
from zconsole.views.findings.advice import ADVICE

PAGE: Final = source.ROOT / "docs" / "sentences.md"
HEAD: Final = """\
# Sentences

Each sentence and clause that the findings, the advice, `zconsole status`, `check`, `advise`, `slow`,
`forecast` and the judgement of a repair can say of a pool, where it is made, and what it rests on.
This page is made from the source by `python -m tests.sentences --write`, and a test holds it against the
program: no sentence is listed by hand. A value is in braces, by its name in the code.

- *Rule* is the rule of the function that makes the sentence; below it the numbers that it uses, with their
  reasons. *Limit from* is the source of an advice's limit.
- *Rests on* are the facts without which it is not said: in the state of the last column each fact that was
  known was made unknown in turn. `·`: on no single one of them.
- *Said of* is a state in which it was said when this page was made: a capture of a real OpenZFS
  (`2.4/disk-faulted`), the practice host (`practice: two ashifts`), also with a recording of SMART data
  (`smart/sata-failing`) or of growth (`growth/curl`), or a state made for it.
"""


BASIS: Final = {  # of modules whose facts are not in the state of a host
    "zconsole/analysis/slow_disks/zfs_slow_disk_evidence.py": (
        "`zpool status -s`, `zpool events`, `autosit` and `sit_out` of `zpool get`, `zfs version`"
    ),
}


@dataclass(frozen=True, slots=True)
class Seen:
    """Where a sentence was said, in findings of which ids, and the facts without which it is not."""

    scene: Scene
    findings: frozenset[str]
    facts: tuple[str, ...]


def seen() -> dict[tuple[str, int], Seen]:
    """The first scene of each sentence that was said at all; scenes of real hosts come first."""
    waiting = {each.key for each in source.templates()}
    found: dict[tuple[str, int], Seen] = {}
    for scene in scenes():
        text = "\n".join(scene.lines())
        said = {key: values for key in waiting if (values := _said(key, text))}
        if not said:
            continue
        waiting -= said.keys()
        facts = _facts(scene, said)
        of = _ids(scene, said)
        found |= {key: Seen(scene, of[key], facts[key]) for key in said}
    return found


def _said(key: tuple[str, int], text: str) -> tuple[str, ...]:
    """What a literal became in a text."""
    recorded = source.RECORDED.get(key, set())
    return tuple(sorted(each for each in map(str.strip, recorded) if each and each in text))


def _facts(
    scene: Scene, said: dict[tuple[str, int], tuple[str, ...]]
) -> dict[tuple[str, int], tuple[str, ...]]:
    if scene.state is None:
        return {key: (BASIS.get(key[0], scene.basis),) for key in said}
    found: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for fact, state in without_each_fact(scene.state):
        text = "\n".join(scene.said_of(state))
        for key, values in said.items():
            if not any(each in text for each in values):
                found[key].append(fact)
    return {
        key: tuple(SOURCES[each] for each in found[key] if each != WHOLE or len(found[key]) == 1)
        for key in said
    }


def _ids(scene: Scene, said: dict[tuple[str, int], tuple[str, ...]]) -> dict[tuple[str, int], frozenset[str]]:
    spoken = [(each.id, "\n".join(words_of(each))) for each in findings_of(scene)]
    return {
        key: frozenset(of for of, words in spoken if any(each in words for each in values))
        for key, values in said.items()
    }


def unsaid(found: dict[tuple[str, int], Seen]) -> list[source.Template]:
    """The sentences that no scene made true."""
    return [each for each in source.templates() if each.key not in found]


def page(found: dict[tuple[str, int], Seen]) -> str:
    """The page in Markdown."""
    counts = {kind: sum(1 for each in found.values() if each.scene.source is kind) for kind in Source}
    told = ", ".join(f"{counts[kind]} of {kind.value}" for kind in Source)
    parts = [HEAD, f"Sentences and clauses: {len(found)}; said {told}."]
    for module, of_module in groupby(source.templates(), key=lambda each: each.place.module):
        parts += ["", f"## {_title(module)}", "", f"`{module}`"]
        for place, templates in groupby(of_module, key=lambda each: each.place):
            parts += _section(place, list(templates), found)
    return "\n".join(parts) + "\n"


def _section(
    place: source.Place, templates: list[source.Template], found: dict[tuple[str, int], Seen]
) -> list[str]:
    parts = ["", f"### {place.function}" if place.function else "### Words of the module", ""]
    if place.rule:
        parts.append(f"Rule: {place.rule}")
    parts += [f"- {_threshold(each)}" for each in place.thresholds]
    ids = sorted({of for each in templates if each.key in found for of in found[each.key].findings})
    if ids:
        parts.append(f"\nFindings: {', '.join(f'[{each}](findings.md#{each})' for each in ids)}")
    parts += [
        f"\nLimit from ({each}): {ADVICE[each].source}." for each in ids if each in ADVICE and place.function
    ]
    parts += ["", "| sentence | rests on | said of |", "|---|---|---|"]
    for each in templates:
        seen_in = found[each.key]
        facts = "; ".join(seen_in.facts) or "·"
        where = (
            f"`{seen_in.scene.name}`"
            if seen_in.scene.name and seen_in.scene.source is not Source.MADE
            else "a made state"
        )
        parts.append(f"| {cell(each.words)} | {_escaped(facts)} | {where} |")
    return parts


def _threshold(each: source.Threshold) -> str:
    reason = f": {each.reason}" if each.reason else ""
    return f"`{each.name}` = {each.value}{reason}"


def cell(words: str) -> str:
    """A sentence as a cell of the table."""
    return _escaped(f"`{' '.join(words.replace('`', chr(39)).split())}`")


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _title(module: str) -> str:
    doc = ast.get_docstring(ast.parse((source.ROOT / module).read_text("utf-8"))) or module
    return doc.split("\n", maxsplit=1)[0].rstrip(".")
