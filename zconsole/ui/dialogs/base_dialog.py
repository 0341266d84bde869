"""Base of all dialogs: each is answered once."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

T = TypeVar("T")


class Dialog(ModalScreen[T], Generic[T]):
    """Dialog whose first answer counts, and only while it is in front; later answers are dropped."""

    OPENS_BY_ITSELF: ClassVar[bool] = False  # it opens without a key

    _is_answered = False

    @property
    def is_stopped_by_escape(self) -> bool:
        """Whether Esc stops something here: then it counts at any time."""
        return False

    def unheard(self) -> None:
        """Handle input that was dropped because it came too soon for this dialog."""

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        if self._is_answered or not self.is_active:
            return AwaitComplete()
        self._is_answered = True
        return super().dismiss(result)
