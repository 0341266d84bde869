"""A value that never shows itself: not in a repr, not in a log, not in a traceback."""

from __future__ import annotations


class Secret:
    """Holds a secret; only `reveal` gives it away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the secret, to be sent and forgotten."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(***)"

    __str__ = __repr__
