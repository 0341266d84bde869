"""Disks to choose from, as lines: suitable disks, then the others with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.actions.disk_choices import DiskChoice, beside_first, vdev_named
from zconsole.actions.intent import Intent
from zconsole.actions.vdev.replace import ailing
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import least_bytes
from zconsole.analysis.vdevs.host_disks import HostDisk
from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.analysis.vdevs.topology_after_change import top_of
from zconsole.base.fixed_width_formatting import duration, size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Severity
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.views.layout.escape_measure_cut_text import clean, cut, middle, width
from zconsole.views.layout.sort_and_filter_rows import has_words
from zconsole.views.layout.styled_text import EMPTY, Line, Span, line

REPLACE: Final = "replace"
SERIAL_CELLS: Final = 20
BAY_CELLS: Final = 10
SIZE_CELLS: Final = 9
MODEL_CELLS: Final = 24
LEAST_WORDS: Final = 28  # least cells of the last column; the model gives way first
GAP: Final = "  "
NONE_FITS: Final = "no disk of the host fits: insert one, and it shows up here by itself"
FITS: Final = "fits, "  # the group of the disk says it
UNUSED: Final = "the extra space of the larger ones would stay unused"
MARKED, UNMARKED = "[x] ", "[ ] "


@dataclass(frozen=True, slots=True)
class DiskLines:
    """Lines for a list; headings cannot be selected and have no word."""

    lines: tuple[Line, ...]
    keys: tuple[str, ...]
    words: frozenset[str]

    def __len__(self) -> int:
        return len(self.lines)

    def line(self, index: int) -> Line:
        return self.lines[index]

    def key(self, index: int) -> str:
        return self.keys[index]

    def is_selectable(self, index: int) -> bool:
        return self.keys[index] in self.words


def disk_lines(
    choices: Sequence[DiskChoice],
    cells: int,
    *,
    typed: str = "",
    shows_used: bool = False,
    marked: Sequence[str] | None = None,
) -> DiskLines:
    """Return the disks that match each word of `typed`; `marked` is None where disks cannot be marked.

    Disks in use are folded into one line unless `shows_used` is set or something is typed.
    """
    found = [each for each in choices if matches(each, typed)]
    widths = column_widths(choices)
    fitting = [each for each in found if not each.why_not]
    first = first_marked(choices, marked or ())
    beside = f"does not fit beside {first.serial}, because of the sizes" if first is not None else ""
    groups = (
        ("fits", [each for each in fitting if not each.not_beside]),
        (beside, [each for each in fitting if each.not_beside]),
        ("does not fit", [each for each in found if each.why_not and not each.is_in_use]),
        ("in use", [each for each in found if each.is_in_use]),
    )
    lines: list[tuple[str, Line]] = []
    for title, group in groups:
        is_folded = title == "in use" and not shows_used and not typed
        if group and is_folded:
            more = f"{len(group)} more {'is' if len(group) == 1 else 'are'} in use: Tab shows them"
            lines.append((f"#{title}", line((more, "dim"))))
        elif group:
            lines.append((f"#{title}", line((title, "title"))))
            lines += [(each.word, _line(each, cells, widths, marked)) for each in group]
    if found and not typed and not fitting:
        lines.insert(0, ("#none fits", line((NONE_FITS, "warn"))))
    if not found:
        lines.append(("#none", line(("no disk matches" if typed else "this host has no other disk", "warn"))))
    keys = tuple(key for key, _ in lines)
    return DiskLines(tuple(shown for _, shown in lines), keys, frozenset(each.word for each in found))


def ranked_beside_marked(choices: Sequence[DiskChoice], marked: Sequence[str]) -> Sequence[DiskChoice]:
    """The choices for one vdev, ranked beside the disk that was marked first; as they are without one."""
    first = first_marked(choices, marked)
    return choices if first is None else beside_first(choices, first)


def first_marked(choices: Sequence[DiskChoice], marked: Sequence[str]) -> DiskChoice | None:
    """The first of the marked disks that is there."""
    return next((each for word in marked for each in choices if each.word == word), None)


def disk_wanted(wanted: Intent, facts: PlanFacts) -> Line:
    """Return the purpose of the disk: `new disk for ZA1F0C44 in tank mirror-0, at least 3.64 TiB`."""
    pool = facts.pool(wanted.target)
    old = vdev_named(pool, wanted.argument(0)) if pool is not None and wanted.arguments else None
    if pool is None or old is None:
        return line(("disks for ", "dim"), (wanted.target, "title"))
    top = top_of(pool, old)
    needed, _ = least_bytes(top)
    where = pool.name if top is old else f"{pool.name} {top.name}"
    verb = "new disk for" if wanted.action == "replace" else "disk to attach to"
    room = f", at least {size(needed)}" if needed is not None else ""
    disk = facts.disk(old.path) if old.path is not None else None
    whole = facts.inventory.disk_of(disk.name) if facts.inventory is not None and disk is not None else None
    name = whole.serial if whole is not None and whole.serial else old.name
    return line((f"{verb} ", "dim"), (name, "title"), (f" in {where}{room}", "dim"))


def no_trouble(wanted: Intent, facts: PlanFacts, disks: Iterable[HostDisk]) -> Line:
    """That nothing is wrong with the disk to be replaced, or that its cable comes first; else empty."""
    pool = facts.pool(wanted.target)
    old = vdev_named(pool, wanted.argument(0)) if pool is not None and wanted.arguments else None
    disk = next((each for each in disks if old and each.leaf and each.leaf.guid == old.guid), None)
    if wanted.action != REPLACE or old is None or disk is None or disk.slow is not None or ailing(old):
        return EMPTY
    told = [each for each in disk.complaints if each.severity > Severity.INFO or each.blame is Blame.CABLE]
    if any(each.blame is not Blame.CABLE for each in told):
        return EMPTY
    if told:
        return line(
            (f"{disk.serial} is ONLINE, without errors; {told[0].words}: the cable comes first", "warn")
        )
    return line((f"{disk.serial} is ONLINE and has no errors: it needs no repair", "warn"))


def why_refused(choice: DiskChoice) -> str:
    """Why a disk does not fit, without what its row says of it."""
    named = f"{' '.join(filter(None, (choice.model, choice.serial)))}, {size(choice.size_bytes)}: "
    return choice.why_not.removeprefix(named)


def why_not_beside(choice: DiskChoice) -> str:
    """Why a plan would refuse a disk in one vdev with the one that is marked first."""
    return f"a vdev with disks of {choice.not_beside} is refused: {UNUSED}"


def column_widths(choices: Sequence[DiskChoice]) -> tuple[int, int]:
    """Cells for the serial numbers, and for the bays; 0 where no bay is known."""
    serial = max((width(clean(each.serial)) for each in choices), default=0)
    bay = max((width(clean(each.bay)) for each in choices), default=0)
    return min(SERIAL_CELLS, max(len("SERIAL"), serial)), min(BAY_CELLS, max(len("BAY"), bay)) if bay else 0


def column_titles(cells: int, widths: tuple[int, int], *, is_marked: bool = False) -> Line:
    """Return the titles above the lines."""
    margin = " " * len(UNMARKED) if is_marked else ""
    titles = ("SERIAL", "BAY", "SIZE", "MODEL", "")
    return line((margin + GAP.join(_laid_out(titles, cells - len(margin), widths)), "header"))


def freshness(age_s: float | None, *, is_reading: bool, problem: str = "") -> Line:
    """Return the age of the list, and whether it is being read again."""
    if problem:
        return line((f"not read again: {problem}", "warn"))
    age = "not read yet" if age_s is None else f"read {duration(age_s)} ago"
    return line((f"{age}, reading again ...", "info")) if is_reading else line((age, "dim"))


def matches(choice: DiskChoice, typed: str) -> bool:
    """Whether a disk has each of the typed words, in any case."""
    text = f"{choice.serial} {choice.model} {choice.word} {choice.words} {size(choice.size_bytes)}"
    return has_words(text, typed)


def _line(choice: DiskChoice, cells: int, widths: tuple[int, int], marked: Sequence[str] | None) -> Line:
    margin = "" if marked is None else MARKED if choice.word in marked else UNMARKED
    said = choice.not_beside or choice.words.removeprefix(FITS)
    *columns, words = _laid_out(
        (choice.serial, choice.bay, size(choice.size_bytes), choice.model, said),
        cells - len(margin),
        widths,
    )
    style = "dim" if choice.why_not else "text"
    return (
        *((Span(margin, "key"),) if margin else EMPTY),
        Span(GAP.join(columns) + GAP, style),
        Span(words, "warn" if choice.why_not or choice.not_beside else "ok"),
    )


def _laid_out(row: tuple[str, str, str, str, str], cells: int, widths: tuple[int, int]) -> Iterator[str]:
    serial, bay, amount, model, words = map(clean, row)
    serial_cells, bay_cells = widths
    yield _padded(middle(serial, serial_cells), serial_cells)
    left = cells - serial_cells - SIZE_CELLS - 2 * len(GAP)
    if bay_cells:
        yield _padded(middle(bay, bay_cells), bay_cells)
        left -= bay_cells + len(GAP)
    yield " " * max(0, SIZE_CELLS - width(amount)) + amount
    model_cells = min(MODEL_CELLS, left - LEAST_WORDS - len(GAP))
    if model_cells >= len("MODEL"):
        yield _padded(cut(model, model_cells), model_cells)
        left -= model_cells + len(GAP)
    yield cut(words, max(0, left))


def _padded(text: str, cells: int) -> str:
    return text + " " * (cells - width(text))
