"""The 16 colours of terminals, as they are set without a choice of their user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Rgb = tuple[int, int, int]
BLACK: Final[Rgb] = (0, 0, 0)
WHITE: Final[Rgb] = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours 0 to 15."""

    colours: tuple[Rgb, ...]
    is_bold_bright: bool  # bold text of the first eight is drawn in the other eight

    @property
    def dark(self) -> tuple[Rgb, ...]:
        return self.colours[:8]

    @property
    def bright(self) -> tuple[Rgb, ...]:
        return self.colours[8:]


def _of(digits: str, *, is_bold_bright: bool) -> Palette:
    return Palette(tuple(_rgb(word) for word in digits.split()), is_bold_bright)


def _rgb(word: str) -> Rgb:
    red, green, blue = bytes.fromhex(word)
    return red, green, blue


XTERM: Final = _of(
    "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5"
    " 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    is_bold_bright=True,
)
LINUX: Final = _of(
    "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa"
    " 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    is_bold_bright=True,
)
TANGO: Final = _of(
    "2e3436 cc0000 4e9a06 c4a000 3465a4 75507b 06989a d3d7cf"
    " 555753 ef2929 8ae234 fce94f 729fcf ad7fa8 34e2e2 eeeeec",
    is_bold_bright=False,
)
