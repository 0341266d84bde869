"""Styled text: the lines that widgets draw. Text is cleaned when it enters a line.

A style is a word (`ok`, `bad`, `dim`): the theme says what it looks like. Nothing is ever parsed as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, Protocol, runtime_checkable

from zconsole.base.lazy_dataclass import dataclass, fast_dataclass
from zconsole.views.layout.escape_measure_cut_text import (
    ELLIPSIS,
    MAX_CHARACTERS,
    clean,
    cut,
    cut_at_word,
    is_plain,
    width,
)

TEXT: Final = "text"
STRIP: Final = "strip"  # the styles of bars, and of their background
BLOCKS: Final = "▁▂▃▄▅▆▇█"  # of bars, from low to high


@fast_dataclass
class Span:
    """Some text in one style."""

    text: str
    style: str = TEXT

    def __post_init__(self) -> None:
        text = self.text
        if not (text.isascii() and text.isprintable() and len(text) <= MAX_CHARACTERS):
            object.__setattr__(self, "text", clean(text))

    @property
    def width(self) -> int:
        """The width in cells."""
        return width(self.text)


def of_clean(text: str, style: str) -> Span:
    """A span of a text that is made of clean ones, as those of cells: it is not looked at again."""
    span = _new_span(Span)
    span.text, span.style = text, style  # type: ignore[misc]  # frozen for the type checker only
    return span


_new_span: Final = Span.__new__
Line = tuple[Span, ...]
HANGING: Final = 4  # cells by which the further pieces of a wrapped line are indented
EMPTY: Final[Line] = ()
KEPT_WRAPPED: Final = 128  # lines, the details and findings of a screen


class Lines(Protocol):
    """Lines of a scrolling list: any number of them, made when they are looked at."""

    def __len__(self) -> int: ...

    def line(self, index: int) -> Line:
        """The line at an index."""

    def key(self, index: int) -> str:
        """The identity of a line; equal keys are the same object at another moment."""

    def is_selectable(self, index: int) -> bool:
        """Whether the cursor may stand on the line."""


@runtime_checkable
class FindsPlaces(Protocol):
    """Lines that find the index of a key without making each line."""

    def place(self, key: str) -> int | None:
        """The index of the line with a key, if there is one."""


@dataclass(frozen=True, slots=True)
class FixedLines:
    """Lines that all exist already; the key is the index unless keys are given."""

    lines: tuple[Line, ...]
    keys: tuple[str, ...] | None = None
    further: frozenset[int] = frozenset()  # indices of lines that go on with the one before

    def __len__(self) -> int:
        return len(self.lines)

    def line(self, index: int) -> Line:
        return self.lines[index]

    def key(self, index: int) -> str:
        return str(index) if self.keys is None else self.keys[index]

    def is_selectable(self, index: int) -> bool:
        return index not in self.further


def line(*parts: Span | str | tuple[str, str]) -> Line:
    """A line of spans; plain text is of style `text`, a pair is (text, style). Empty parts are left out."""
    return tuple(span for span in map(_span, parts) if span.text)


def _span(part: Span | str | tuple[str, str]) -> Span:
    if isinstance(part, Span):
        return part
    return Span(part) if isinstance(part, str) else Span(*part)


def whole(text: str, style: str = TEXT) -> Line:
    """A text of any length as one line: a single span would hold only its beginning."""
    return tuple(Span(text[at : at + MAX_CHARACTERS], style) for at in range(0, len(text), MAX_CHARACTERS))


def line_width(spans: Line) -> int:
    """The width of a line in cells."""
    joined = "".join([span.text for span in spans])
    if joined.isascii() or is_plain(joined):
        return len(joined)
    return sum([width(span.text) for span in spans])


def plain(spans: Line) -> str:
    """The line's text."""
    return "".join(span.text for span in spans)


def fit(spans: Line, cells: int) -> Line:
    """The line cut to a width, with an ellipsis where it was cut."""
    if line_width(spans) <= cells:
        return spans
    text = plain(spans)
    shown = cut_at_word(text, cells)
    is_marked = shown.endswith(ELLIPSIS) and not text.startswith(shown)
    kept = len(shown) - is_marked
    fitted: list[Span] = []
    for span in spans:
        if len(span.text) >= kept:
            fitted.append(Span(span.text[:kept] + (ELLIPSIS if is_marked else ""), span.style))
            break
        fitted.append(span)
        kept -= len(span.text)
    return tuple(fitted)


def spread(left: Line, right: Line, cells: int) -> Line:
    """Two parts at the two ends of a line; the left one gives way."""
    room = cells - line_width(right) - (1 if right else 0)
    if room < 1:
        return fit(right, cells)
    shown = fit(left, room)
    return (*shown, Span(" " * (cells - line_width(shown) - line_width(right))), *right)


def wrap(spans: Line, cells: int) -> Iterator[Line]:
    """The line in pieces of at most that width, broken at spaces where there are some."""
    return iter(_pieces(spans, cells))


@lru_cache(KEPT_WRAPPED)  # a screen wraps the same lines in each of its drawings
def _pieces(spans: Line, cells: int) -> tuple[Line, ...]:
    return tuple(_wrapped(spans, cells))


def _wrapped(spans: Line, cells: int) -> Iterator[Line]:
    row: list[Span] = []
    room = cells
    for word, style in _words(spans):
        piece = word
        if width(piece.rstrip(" ")) > room and row:
            yield _trimmed(row)
            row, room = [], cells
            piece = piece.lstrip(" ")
        while width(piece.rstrip(" ")) > cells > 0:
            head = cut(piece, cells + 1)[:-1] or piece[0]
            yield (Span(head, style),)
            piece = piece[len(head) :]
        if piece:
            row.append(Span(piece, style))
            room -= width(piece)
    if row:
        yield _trimmed(row)


def wrap_end(spans: Line, cells: int, most: int) -> tuple[Line, ...]:
    """The line in at most so many pieces; one that needs more loses its beginning, with an ellipsis there."""
    pieces = tuple(wrap(spans, cells))
    left_out = 0
    while len(pieces) > most:
        left_out += 1
        pieces = tuple(wrap((Span(ELLIPSIS, spans[0].style), *_behind(spans, left_out)), cells))
    return pieces


def wrap_each(lines: Iterable[Line], cells: int) -> Iterator[Line]:
    """Each line in pieces of at most a width with its own indentation; a line that fits stays unchanged."""
    for each in lines:
        yield from hang(each, cells, 0)


def hang(spans: Line, cells: int, hanging: int = HANGING) -> Iterator[Line]:
    """The line in pieces as `wrap` makes them, each but the first indented by further `hanging` cells."""
    first = spans[0].text if spans else ""
    indent = len(first) - len(first.lstrip(" "))
    if sum(width(span.text) for span in spans) <= cells:
        yield spans
        return
    words = (Span(first[indent:], spans[0].style), *spans[1:])
    begun = next(wrap(words, cells - indent))
    yield (Span(first[:indent]), *begun)
    left = _behind(words, sum(len(span.text) for span in begun))
    for piece in wrap(left, cells - indent - hanging):
        yield (Span(" " * (indent + hanging)), *piece)


def beside(spans: Line, cells: int) -> Iterator[Line]:
    """A word and its explanation, in pieces that all begin behind the word."""
    label, told = spans[0], spans[1:]
    for number, piece in enumerate(wrap(told, max(1, cells - label.width)) if told else (EMPTY,)):
        yield (Span(" " * label.width) if number else label, *piece)


def _behind(spans: Line, count: int) -> Line:
    """The rest of a line behind a number of characters, without leading spaces."""
    left: list[Span] = []
    for span in spans:
        text, count = span.text[count:], max(0, count - len(span.text))
        text = text if left else text.lstrip(" ")
        if text:
            left.append(Span(text, span.style))
    return tuple(left)


def _words(spans: Line) -> Iterator[tuple[str, str]]:
    """The words of a line, each with the spaces behind it."""
    for span in spans:
        start = 0
        while start < len(span.text):
            end = span.text.find(" ", start)
            if end < 0:
                yield span.text[start:], span.style
                break
            while end < len(span.text) and span.text[end] == " ":
                end += 1
            yield span.text[start:end], span.style
            start = end


def _trimmed(row: Sequence[Span]) -> Line:
    return (*merge(row[:-1]), Span(row[-1].text.rstrip(" "), row[-1].style))


def merge(spans: Iterable[Span]) -> Line:
    """Neighbours of one style as one span: fewer changes of colour to send."""
    merged: list[Span] = []
    for span in spans:
        if merged and merged[-1].style == span.style:
            merged[-1] = Span(merged[-1].text + span.text, span.style)
        elif span.text:
            merged.append(span)
    return tuple(merged)
