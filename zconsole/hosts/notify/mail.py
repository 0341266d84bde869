"""Mail by SMTP, or by the sendmail program of this machine."""

from __future__ import annotations

import smtplib
import ssl
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from enum import Enum
from typing import Final

from zconsole.base.errors import shortened
from zconsole.base.escape_control_characters import decoded, visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.secret import Secret
from zconsole.hosts.notify.delivery_error import DeliveryFailed

TIMEOUT_S: Final = 30.0
LONGEST_SUBJECT: Final = 200  # characters
SAID: Final = 300


class SmtpSecurity(Enum):
    """How the connection to a mail server is encrypted."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


@dataclass(frozen=True, slots=True)
class MailRoute:
    """Mail server, or the sendmail program where `sendmail` is not empty."""

    host: str = "localhost"
    port: int = 25
    security: SmtpSecurity = SmtpSecurity.NONE
    user: str = ""
    password: Secret | None = None
    sendmail: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """Mail to be sent; `at` is epoch seconds. The same `id` is the same mail, sent again."""

    sender: str
    to: tuple[str, ...]
    subject: str
    text: str
    id: str
    at: float


def letter_message(letter: Letter) -> EmailMessage:
    """The mail as a message. No text from a host can begin a header: line ends in it are spelt out."""
    message = EmailMessage(policy=SMTP)
    message["From"] = letter.sender
    message["To"] = ", ".join(letter.to)
    message["Subject"] = _as_header(letter.subject)
    message["Date"] = format_datetime(datetime.fromtimestamp(letter.at, UTC))
    message["Message-ID"] = f"<{letter.id}@zconsole.invalid>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(
        "\n".join(visible(line) for line in letter.text.split("\n")) + "\n", cte="quoted-printable"
    )
    return message


def _as_header(text: str) -> str:
    """One line; an encoded word (RFC 2047) in it is none, because the library would decode its line ends."""
    return shortened(visible(text), LONGEST_SUBJECT).replace("=?", "= ?")


def send(route: MailRoute, letter: Letter, *, timeout_s: float = TIMEOUT_S) -> None:
    """Send a mail to all recipients. Raises DeliveryFailed."""
    message = letter_message(letter)
    if route.sendmail:
        _by_program(route.sendmail, letter, message.as_bytes(), timeout_s)
        return
    try:
        with _connected(route, timeout_s) as server:
            if route.password is not None:
                server.login(route.user, route.password.reveal())
            refused = server.sendmail(letter.sender, list(letter.to), message.as_bytes())
    except (OSError, smtplib.SMTPException, ValueError) as error:
        raise DeliveryFailed(f"the mail server {route.host} port {route.port} {_problem(error)}") from None
    if refused:
        raise DeliveryFailed(f"the mail server {route.host} refused {', '.join(sorted(refused))}")


def _connected(route: MailRoute, timeout_s: float) -> smtplib.SMTP:
    if route.security is SmtpSecurity.TLS:
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(route.host, route.port, timeout=timeout_s, context=context)
    server = smtplib.SMTP(route.host, route.port, timeout=timeout_s)
    if route.security is SmtpSecurity.STARTTLS:
        try:
            server.starttls(context=ssl.create_default_context())
        except BaseException:
            server.close()
            raise
    return server


def _problem(error: Exception) -> str:
    """What went wrong, without what the user sent."""
    match error:
        case smtplib.SMTPAuthenticationError():
            return "does not take the user and password"
        case smtplib.SMTPRecipientsRefused():
            return f"refused {', '.join(sorted(error.recipients))}"
        case smtplib.SMTPResponseException():
            said = error.smtp_error
            words = decoded(said) if isinstance(said, bytes) else said
            return f"answered {error.smtp_code}: {shortened(visible(words), SAID)}"
        case smtplib.SMTPException():
            return f"cannot be used: {type(error).__name__}"
        case _:
            return f"cannot be reached: {visible(str(error)) or type(error).__name__}"


def _by_program(program: str, letter: Letter, message: bytes, timeout_s: float) -> None:
    argv: Sequence[str] = (program, "-i", "-f", letter.sender, "--", *letter.to)
    try:
        done = subprocess.run(  # noqa: S603  # an argv of the user's configuration, without a shell
            argv, input=message.replace(b"\r\n", b"\n"), capture_output=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired:
        raise DeliveryFailed(f"{program} did not end within {timeout_s:g} s") from None
    except (OSError, ValueError) as error:
        raise DeliveryFailed(f"{program} cannot be run: {error}") from None
    if done.returncode:
        said = shortened(visible(decoded(done.stderr).strip()), SAID)
        raise DeliveryFailed(f"{program} ended with {done.returncode}{f': {said}' if said else ''}")
