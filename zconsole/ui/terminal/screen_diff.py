"""Screen diff: the displayed cells, so that only changes are sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import compress, islice
from operator import ne
from typing import Final, Protocol

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip

from zconsole.ui.line_to_strip import LineStrip
from zconsole.views.layout.ascii_glyphs import in_ascii
from zconsole.views.layout.escape_measure_cut_text import is_plain

REPLACEMENT: Final = "\ufffd"
MERGED_GAP: Final = 6  # unchanged cells that are cheaper to send again than to skip
KEPT_CELLS: Final = 2048  # of a style: characters of which one cell stands for all of them
CACHED_TEXTS: Final = 2048  # with wide characters or marks; words repeat in every frame
KEPT_SCREENS: Final = 3  # strips with kept cells: a scrolled line is the same on another row
_SgrStyle = tuple[str, str, str]  # SGR codes of the attributes, of the colour, of the background
_Cell = tuple[str, _SgrStyle]  # a character with its marks, or empty behind a wide one; and its style
_PLAIN: Final[_SgrStyle] = ("", "39", "49")
_UNKNOWN: Final[_Cell] = ("", ("?", "", ""))  # an unknown cell


class SegmentSource(Protocol):
    """Strip, reduced to the used methods."""

    def __iter__(self) -> Iterator[Segment]: ...


class _CellsOfStyle(dict[str, _Cell]):
    """Cells of one style by their characters: a screen has many equal ones."""

    def __init__(self, sgr: _SgrStyle) -> None:
        super().__init__()
        self._sgr = sgr

    def __missing__(self, character: str) -> _Cell:
        if len(self) >= KEPT_CELLS:
            self.clear()
        cell = self[character] = character, self._sgr
        return cell


class Shadow:
    """Copy of the cells that the terminal shows."""

    def __init__(self, color_system: ColorSystem = ColorSystem.TRUECOLOR, *, is_ascii: bool = False) -> None:
        self._is_ascii = is_ascii
        self._color_system = color_system
        self._rows: list[list[_Cell]] = []
        self._whole: dict[int, Strip] = {}  # rows that one strip fills; their cells are made when needed
        self._size = (0, 0)
        self._sgr_style: _SgrStyle | None = None  # the current style of the terminal
        self._sgr_styles: dict[Style | None, _SgrStyle] = {None: _PLAIN}
        self._made: dict[_SgrStyle, _CellsOfStyle] = {}
        self._known: dict[int, tuple[Strip, list[_Cell]]] = {}  # by the strip's id

    def resize(self, width: int, height: int) -> None:
        """Take another screen size: the contents become unknown."""
        if (width, height) != self._size:
            self._size = (width, height)
            self.forget()

    def forget(self) -> None:
        """Discard the cells after foreign output: all is sent again."""
        width, height = self._size
        self._rows = [[_UNKNOWN] * width for _ in range(height)]
        self._whole.clear()
        self._sgr_style = None

    def frame(self, update: CompositorUpdate) -> str:
        """Return the bytes from the shown cells to this update; empty when nothing differs."""
        parts: list[str] = []
        for y, x, strip in _pieces(update):
            if 0 <= y < self._size[1]:
                self._row(y, x, strip, parts)
        return "".join(parts)

    def _row(self, y: int, x: int, strip: SegmentSource, parts: list[str]) -> None:
        before = self._whole.pop(y, None)
        if isinstance(strip, Strip) and x == 0 and self._is_filled_by(strip):
            self._whole[y] = strip
            if before is not None and (before is strip or self._changed_segments(y, before, strip, parts)):
                return
        if before is not None:
            self._rows[y] = list(self._cells_of(before))
        self._changed_cells(y, x, strip, parts)

    def _is_filled_by(self, strip: Strip) -> bool:
        """Whether a strip is a whole row of characters that are sent as they are, one cell each."""
        return strip.cell_length == self._size[0] and not self._is_ascii and _is_plain(strip)

    def _changed_segments(self, y: int, before: Strip, strip: Strip, parts: list[str]) -> bool:
        """Send the changed cells of a row whose segments are as wide as before; False for other rows.

        No cell is made: in a live table numbers change and columns stay.
        """
        old, segments = before._segments, strip._segments  # noqa: SLF001  # its iterator is slower
        if len(old) != len(segments):
            return False
        changed: list[int] = []
        start = 0
        for (was, look, _), (text, style, _) in zip(old, segments, strict=True):
            end = start + len(text)
            if len(was) != len(text):
                return False
            if style is not look and self._sgr_style_of(style) != self._sgr_style_of(look):
                changed.extend(range(start, end))
            elif was != text:
                changed.extend(compress(range(start, end), map(ne, was, text)))
            start = end
        for first, end in _joined_ranges(changed):
            parts.append(f"\x1b[{y + 1};{first + 1}H")
            self._write_segments(segments, first, end, parts)
        return True

    def _write_segments(self, segments: Iterable[Segment], first: int, end: int, parts: list[str]) -> None:
        start = 0
        for text, style, _ in segments:
            if start + len(text) > first and text:
                self._turn_to(self._sgr_style_of(style), parts)
                parts.append(text[max(0, first - start) : end - start])
            start += len(text)
            if start >= end:
                break

    def _turn_to(self, sgr: _SgrStyle, parts: list[str]) -> None:
        if sgr is not self._sgr_style and sgr != self._sgr_style:
            parts.append(_turn(self._sgr_style, sgr))
            self._sgr_style = sgr

    def _changed_cells(self, y: int, x: int, strip: SegmentSource, parts: list[str]) -> None:
        row, room = self._rows[y], max(0, self._size[0] - x)
        fresh = self._cells_of(strip)
        if len(fresh) > room:
            fresh = fresh[:room]
        for start, end in _runs(row, fresh, x):
            parts.append(f"\x1b[{y + 1};{x + start + 1}H")
            self._write(fresh[start:end], parts, y, x + start)
        row[x : x + len(fresh)] = fresh
        if fresh and x > 0 and cell_len(row[x - 1][0]) > 1:
            row[x - 1] = _UNKNOWN  # the left half of a wide character that was just cut

    def _write(self, cells: list[_Cell], parts: list[str], y: int, x: int) -> None:
        is_lost = False  # terminals differ in the width of some characters
        for offset, (character, sgr) in enumerate(cells):
            if not character:
                continue
            if is_lost:
                parts.append(f"\x1b[{y + 1};{x + offset + 1}H")
            self._turn_to(sgr, parts)
            parts.append(character)
            is_lost = not character.isascii() and (len(character) > 1 or cell_len(character) != 1)

    def _cells_of(self, strip: SegmentSource) -> list[_Cell]:
        """Return the cells of a strip, never to be modified: widgets return the same strip repeatedly."""
        if not isinstance(strip, Strip):
            return self._cells(strip)
        known = self._known.get(id(strip))
        if known is None or known[0] is not strip:
            if len(self._known) >= KEPT_SCREENS * self._size[1]:
                self._known.clear()
            known = self._known[id(strip)] = strip, self._cells(strip)
        return known[1]

    def _cells(self, strip: SegmentSource) -> list[_Cell]:
        cells: list[_Cell] = []
        for text, style, control in strip:
            if control:
                continue
            sgr = self._sgr_style_of(style)
            if self._is_ascii:
                text = in_ascii(text)  # noqa: PLW2901
            is_one_each = (text.isascii() and text.isprintable()) or is_plain(text)
            made = self._made.get(sgr)
            if made is None:
                made = self._made[sgr] = _CellsOfStyle(sgr)
            cells.extend(map(made.__getitem__, text if is_one_each else _wide_cells(text)))
        return cells

    def _sgr_style_of(self, style: Style | None) -> _SgrStyle:
        sgr = self._sgr_styles.get(style)
        if sgr is None:
            sgr = _PLAIN if style is None else _sgr_style(style, self._color_system)
            self._sgr_styles[style] = sgr
        return sgr


def _sgr_style(style: Style, colors: ColorSystem) -> _SgrStyle:
    """Return a style as SGR codes; other parts, such as a link, are not sent."""
    color, background = style.color, style.bgcolor
    return (
        Strip.render_ansi(style.without_color, colors),
        "39" if color is None else ";".join(color.downgrade(colors).get_ansi_codes()),
        "49"
        if background is None
        else ";".join(background.downgrade(colors).get_ansi_codes(foreground=False)),
    )


def _turn(before: _SgrStyle | None, sgr: _SgrStyle) -> str:
    """Return the shortest change from one style to another."""
    attributes, color, background = sgr
    if before is None or before[0] != attributes:
        codes = [attributes, "" if color == "39" else color, "" if background == "49" else background]
        return f"\x1b[{';'.join(['0', *filter(None, codes)])}m"
    changed = [new for old, new in zip(before[1:], sgr[1:], strict=True) if old != new]
    return f"\x1b[{';'.join(changed)}m"


@lru_cache(maxsize=CACHED_TEXTS)
def _wide_cells(text: str) -> tuple[str, ...]:
    """Return the cells of any text; marks join the character before them, controls are replaced."""
    cells: list[str] = []
    pending = ""
    for character in text:
        shown = character if character.isprintable() else REPLACEMENT
        if cell_len(shown) == 0:
            if pending:
                pending += shown
            continue
        if pending:
            cells.extend(_filled(pending))
        pending = shown
    if pending:
        cells.extend(_filled(pending))
    return tuple(cells)


def _filled(character: str) -> Iterator[str]:
    """Return a character, and an empty cell for each further column that it takes."""
    yield character
    for _ in range(cell_len(character[0]) - 1):
        yield ""


def _runs(row: list[_Cell], fresh: list[_Cell], x: int) -> Iterator[tuple[int, int]]:
    """Return the changed ranges of `fresh`, near ones joined, never starting inside a character."""
    for start, end in _joined_ranges(compress(range(len(fresh)), map(ne, islice(row, x, None), fresh))):
        yield _whole(fresh, start, end)


def _joined_ranges(changed: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Return ranges of changed cells, near ones joined."""
    start = end = -1
    for index in changed:
        if start < 0:
            start = index
        elif index - end > MERGED_GAP:
            yield start, end
            start = index
        end = index + 1
    if start >= 0:
        yield start, end


def _is_plain(strip: Strip) -> bool:
    """Whether each character of a strip is sent as it is and takes one cell."""
    if isinstance(strip, LineStrip):
        return strip.is_plain
    segments = strip._segments  # noqa: SLF001  # its iterator is slower
    return not any(segment.control for segment in segments) and is_plain(
        "".join([segment.text for segment in segments])
    )


def _whole(fresh: list[_Cell], start: int, end: int) -> tuple[int, int]:
    while start > 0 and not fresh[start][0]:
        start -= 1
    while end < len(fresh) and not fresh[end][0]:
        end += 1
    return start, end


def _pieces(update: CompositorUpdate) -> Iterator[tuple[int, int, SegmentSource]]:
    """Return row, column and strip of every part of an update."""
    match update:
        case LayoutUpdate():
            for y, strips in enumerate(update.strips, update.region.y):
                pieces = [*strips]
                yield y, update.region.x, pieces[0] if len(pieces) == 1 else _joined(pieces)
        case ChopsUpdate():
            for y, x1, x2 in update.spans:
                for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
                    if strip is None or x > x2 or end <= x1:
                        continue
                    yield y, x, strip if end <= x2 else strip.crop(0, x2 - x)
        case _:
            raise TypeError(f"no way to draw {type(update).__name__}")


def _joined(strips: Iterable[Strip]) -> list[Segment]:
    return [segment for strip in strips for segment in strip]
