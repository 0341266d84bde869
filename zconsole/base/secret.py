"""Secret value that does not appear in a repr, a log or a traceback."""

from __future__ import annotations


class Secret:
    """Container of a secret; only `reveal` returns it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The secret itself, to be sent and not stored."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(***)"

    __str__ = __repr__
