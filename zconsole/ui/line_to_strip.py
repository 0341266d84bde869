"""Conversion of styled lines to strips; the only place where colour meets text."""

from __future__ import annotations

import locale
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from rich.segment import Segment
from rich.style import Style
from textual.cache import FIFOCache
from textual.strip import Strip

from zconsole.ui.theme_files import Theme
from zconsole.views.layout.ascii_glyphs import in_ascii, is_c_locale
from zconsole.views.layout.escape_measure_cut_text import is_plain, width
from zconsole.views.layout.styled_text import BLOCKS, STRIP, Line, Span

_BARS: Final = frozenset(BLOCKS)
_OVERLAYS: Final = frozenset({"cursor", "cursor_blurred"})  # of rows; as a style of words, that of a button


_LIGHT: Final = frozenset({"7", *map(str, range(9, 16))})  # of the 16 colours


def speaks_utf8(environment: Mapping[str, str]) -> bool:
    """Whether the terminal shows more than ASCII: the Linux console's font does not.

    In the C locale Python works in UTF-8 whatever the terminal shows, and sets LC_CTYPE so; the locale that
    was asked for counts. Where none was, as often over SSH, the terminal is taken for one of today.
    """
    if environment.get("TERM") in {"linux", "vt100", "vt220", "dumb"}:
        return False
    if is_c_locale(environment):
        return False
    return "utf" in locale.getpreferredencoding(do_setlocale=False).lower()


def wants_ansi(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to use the terminal's own 16 colours: by request, or because it has no others."""
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") is not None:
        return True
    if environment.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return False
    return term in {"linux", "vt100", "vt220", "dumb", "ansi", "screen", "xterm", "xterm-color", "rxvt"} or (
        term.endswith("-16color")
    )


def has_light_background(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the terminal says that its background is light, as rxvt and Konsole do: `COLORFGBG=0;15`."""
    return environment.get("COLORFGBG", "").rpartition(";")[2] in _LIGHT


class _NoCache(FIFOCache[Any, Any]):
    """Cache that keeps nothing."""

    def __setitem__(self, key: object, value: object) -> None:
        del key, value


_NO_CACHE: Final = _NoCache(1)
_CACHES: Final = tuple(
    name for name in Strip.__slots__ if name.endswith("_cache") and name != "_render_cache"
)


class LineStrip(Strip):
    """Strip without caches: a widget keeps its strips, and each is cut once.

    A strip of Textual has seven caches, and keeps itself as the whole that was cut from it: it is freed by
    a full collection only, hours later.
    """

    __slots__ = ("is_plain",)

    def __init__(self, segments: list[Segment], cell_length: int, *, is_plain: bool) -> None:
        """`is_plain`: each character is sent as it is, and takes one cell."""
        self._segments = segments
        self._cell_length = cell_length
        self.is_plain = is_plain
        self._render_cache = self._link_ids = self._cell_count = None

    def divide(self, cuts: Iterable[int]) -> Sequence[Strip]:
        """Divide at these cells; most strips are as wide as the screen, and stay whole."""
        places = [*cuts]
        return [self] if places == [self._cell_length] else super().divide(places)


for _name in _CACHES:  # in place of the slots of a strip
    setattr(LineStrip, _name, _NO_CACHE)


class Paint:
    """Painter with a theme and a set of glyphs."""

    def __init__(self, theme: Theme, *, is_ascii: bool = False) -> None:
        self.theme = theme
        self.is_ascii = is_ascii
        self._overlaid: dict[tuple[str, str | None], Style] = {}

    @cached_property
    def blank(self) -> Style:
        """The style of empty space."""
        return self.theme.style("text")

    def style(self, name: str, overlay: str | None = None) -> Style:
        """The style of a word, with another style laid over it."""
        found = self._overlaid.get((name, overlay))
        if found is None:
            found = self.theme.style(name)
            if name in _OVERLAYS:  # has no colour of its own for words
                found = self.theme.style("text") + found
            if overlay is not None:
                found += self.theme.style(overlay)
            self._overlaid[name, overlay] = found
        return found

    def strip(
        self,
        spans: Line,
        cells: int,
        *,
        left: int = 0,
        overlay: str | None = None,
        style: Callable[[str, str | None], Style] | None = None,
    ) -> Strip:
        """Return a line from column `left` on, padded or cut to a width; `style` replaces the theme's own."""
        return self.measured_strip(spans, cells, left=left, overlay=overlay, style=style)[0]

    def measured_strip(
        self,
        spans: Line,
        cells: int,
        *,
        left: int = 0,
        overlay: str | None = None,
        style: Callable[[str, str | None], Style] | None = None,
    ) -> tuple[Strip, int]:
        """The same, with the width of the whole line.

        Strips of bars are never reversed: that would show how much is missing to full ones.
        """
        style = style or self.style
        if overlay is not None and style("text", overlay).reverse:
            segments = [
                Segment(span.text, style(span.style, None if _is_of_strip(span) else overlay))
                for span in spans
            ]
        else:
            segments = [Segment(span.text, style(span.style, overlay), None) for span in spans]
        if self.is_ascii:
            segments = [Segment(in_ascii(text), look) for text, look, _ in segments]
        joined = "".join([text for text, _, _ in segments])
        are_plain = is_plain(joined)
        whole = total = len(joined) if are_plain else sum([width(text) for text, _, _ in segments])
        left = min(left, total)
        missing = cells - (total - left)
        if missing > 0:
            segments.append(Segment(" " * missing, style("text", overlay)))
            total += missing
        strip = LineStrip(segments, total, is_plain=are_plain)
        return strip.crop(left, left + cells) if left or total > cells else strip, whole


def _is_of_strip(span: Span) -> bool:
    return span.style == STRIP or not _BARS.isdisjoint(span.text)
