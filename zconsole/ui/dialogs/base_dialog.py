"""Base of all dialogs: each is answered once."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

T = TypeVar("T")


class Dialog(ModalScreen[T], Generic[T]):
    """Its first answer counts, and only while it is in front; what comes behind it goes nowhere."""

    OPENS_BY_ITSELF: ClassVar[bool] = False  # nobody pressed a key for it

    _is_answered = False

    @property
    def is_stopped_by_escape(self) -> bool:
        """Whether Esc stops something here: then it counts however soon it comes."""
        return False

    def unheard(self) -> None:
        """Something was typed that went nowhere, since it came too soon for this dialog."""

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        if self._is_answered or not self.is_current:
            return AwaitComplete()
        self._is_answered = True
        return super().dismiss(result)
