"""Values that can be copied to the clipboard, and their text without control characters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from zconsole.base.lazy_dataclass import fast_dataclass
from zconsole.views.layout.escape_measure_cut_text import clean
from zconsole.views.layout.styled_text import FixedLines, Line, line, plain
from zconsole.views.layout.table import Row, Table

LONGEST: Final = 32_768  # characters; terminals take about 74 KiB of base64
TITLE_CELLS: Final = 16
NAME: Final = "Full name"
SERIAL: Final = "Serial"
WHOLE: Final = "Whole row"
SUBJECT: Final = "Subject"
SEVERITY: Final = "Severity"
FINDING: Final = "Finding"
WHOLE_TEXT: Final = "Whole text"


@fast_dataclass
class CopyableValue:
    """One value and its title, such as `Serial`."""

    title: str
    text: str


def clipboard_text(text: str) -> str:
    """Text for a clipboard: no control character but the end of a line, of a bounded length."""
    lines = text[:LONGEST].split("\n")
    return "\n".join("".join(each for each in part if each.isprintable()) for part in lines).strip()


def of_row(table: Table, row: Row, shown: Collection[str] | None = None) -> Iterator[CopyableValue]:
    """The cells of a row that have words or numbers, no drawn bars, and all of them together.

    `shown` are the ids of the columns that are on the screen, where not all are.
    """
    texts = [plain(cell.spans) if cell.spans else cell.text for cell in row.cells]
    named = [
        (column.heading, text.strip())
        for column, text in zip(table.columns, texts, strict=False)
        if text.strip() and (shown is None or column.id in shown)
    ]
    for title, text in named:
        if any(each.isalnum() for each in text):
            yield CopyableValue(_as_label(title), text)
    if len(named) > 1:
        yield CopyableValue(WHOLE, "  ".join(text for _, text in named if any(map(str.isalnum, text))))


def sentence_first(
    sentence: CopyableValue, subject: str, others: Iterable[CopyableValue]
) -> Iterator[CopyableValue]:
    """The values of a row that is told by a sentence: that first, then its object, then the whole row."""
    known = list(others)
    yield sentence
    yield CopyableValue(SUBJECT, subject)
    yield from (each for each in known if each.title == SERIAL)
    yield from (each for each in known if each.title == WHOLE)
    rest = [each for each in known if each.title not in {SERIAL, WHOLE}]
    yield from sorted(rest, key=lambda each: each.title == SEVERITY)


def _as_label(title: str) -> str:
    """A heading as a label: `NOW` is `Now`, and a unit stays as it is: `R MiB/s`, `°C`."""
    first, *others = title.split(" ")
    words = [first.capitalize() if len(first) > 1 and first.isupper() and first.isalpha() else first]
    return " ".join((*words, *(each.lower() if len(each) > 1 and each.isalpha() and each.isupper() else each
                               for each in others)))  # fmt: skip


def distinct(values: Iterable[CopyableValue]) -> Sequence[CopyableValue]:
    """The values that have text, each text once."""
    found: dict[str, CopyableValue] = {}
    for each in values:
        text = clipboard_text(each.text)
        if text:
            found.setdefault(text, CopyableValue(each.title, text))
    return tuple(found.values())


def menu(values: Sequence[CopyableValue]) -> FixedLines:
    """A line for each value; the keys of the lines are their numbers."""
    return FixedLines(tuple(map(_line, values)))


def _line(value: CopyableValue) -> Line:
    return line((f"{value.title:<{TITLE_CELLS}} ", "dim"), clean(value.text.replace("\n", " ")))
