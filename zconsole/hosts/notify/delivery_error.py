"""Error of a message that could not be sent."""

from __future__ import annotations

from zconsole.base.errors import HostError


class DeliveryFailed(HostError):
    """Message that was not sent; the text has no secret. It may be tried again."""
