"""HTTP POST of a small document.

The standard library's client does: a request without a session, a pool or a redirect. A redirect is refused,
because it would send the token and the document to a place that nobody has configured.
"""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import field
from typing import Final
from urllib.parse import urlsplit

from zconsole.base.errors import shortened
from zconsole.base.escape_control_characters import decoded, visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.secret import Secret
from zconsole.hosts.notify.delivery_error import DeliveryFailed

TIMEOUT_S: Final = 20.0  # of the connection, and of each pause in the answer
SAID_BYTES: Final = 500  # of an error's answer
SCHEMES: Final = ("http", "https")


@dataclass(frozen=True, slots=True)
class HttpEndpoint:
    """Where to post to. The address may be a secret itself, as Slack's are."""

    url: Secret
    token: Secret | None = None  # sent as a bearer token
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The host, without what may be secret."""
        return visible(str(urlsplit(self.url.reveal()).hostname))


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object, **__: object) -> None:
        """Refuse, which makes the redirect an error."""


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in SCHEMES and bool(parts.hostname)
    except ValueError:
        return False


def post(endpoint: HttpEndpoint, document: bytes, *, timeout_s: float = TIMEOUT_S) -> None:
    """Post a JSON document. Raises DeliveryFailed unless the answer is a success."""
    url = endpoint.url.reveal()
    if not _is_web_address(url):
        raise DeliveryFailed("the address of the webhook is no address of http or https")
    headers = {"Content-Type": "application/json", "User-Agent": "zconsole", **endpoint.headers}
    if endpoint.token is not None:
        headers["Authorization"] = f"Bearer {endpoint.token.reveal()}"
    opener = urllib.request.build_opener(_NoRedirect)
    try:
        request = urllib.request.Request(url, document, headers, method="POST")  # noqa: S310  # checked above
        with opener.open(request, timeout=timeout_s) as answer:
            answer.read(SAID_BYTES)
    except urllib.error.HTTPError as error:
        with error:
            said = visible(" ".join(decoded(error.read(SAID_BYTES)).split()))
        more = f": {shortened(said, SAID_BYTES)}" if said else ""
        raise DeliveryFailed(f"{endpoint.name} answered {error.code}{more}") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        words = (
            type(reason).__name__ if isinstance(error, ValueError) else str(reason) or type(error).__name__
        )
        raise DeliveryFailed(f"{endpoint.name} cannot be reached: {visible(words)}") from None
