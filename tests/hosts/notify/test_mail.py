"""Mail to a real server on loopback, and by a sendmail program; no name from a host makes a header."""

from __future__ import annotations

from dataclasses import replace
from email.parser import BytesParser
from email.policy import default
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.doubles.message_sinks import mail_sink
from zconsole.hosts.notify.delivery_error import DeliveryFailed
from zconsole.hosts.notify.mail import Letter, MailRoute, letter_message, send

LETTER = Letter(
    "zconsole@nas1.example.org", ("root@example.org", "ops@example.org"), "tank", "words", "0af", 1.8e9
)
HEADERS = {
    "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "Content-Type", "MIME-Version",
    "Content-Transfer-Encoding",
}  # fmt: skip


def test_a_mail_arrives_whole_at_each_recipient() -> None:
    with mail_sink() as sink:
        text = "tänk: ZFS says…\n.\nFrom here\n" + "x" * 2000
        send(MailRoute("127.0.0.1", sink.port), replace(LETTER, subject="tänk is DEGRADED", text=text))

    (mail,) = sink.mails
    assert [(LETTER.sender, list(LETTER.to))] == sink.envelopes
    assert "tänk is DEGRADED" == mail["Subject"]
    assert "<0af@zconsole.invalid>" == mail["Message-ID"]
    assert text == mail.get_content().rstrip("\n")


@pytest.mark.parametrize(
    "evil",
    [
        "tank\r\nBcc: thief@example.org",
        "tank\nBcc: thief@example.org\n\nbody",
        "tank\r\n.\r\nMAIL FROM:<x>",
        "tank\x0bBcc: x",
        "tank\u2028Bcc: x",
        "tank\x85Bcc: x",
        "tank\x00\x1b]0;x\x07",
        "tank =?utf-8?q?=0ABcc:_x?=",
    ],
)
def test_a_name_with_line_ends_begins_no_header_and_no_other_mail(evil: str) -> None:
    with mail_sink() as sink:
        send(MailRoute("127.0.0.1", sink.port), replace(LETTER, subject=evil, text=f"{evil} again"))

    (mail,) = sink.mails
    assert HEADERS == set(mail.keys())
    assert [(LETTER.sender, list(LETTER.to))] == sink.envelopes
    assert "thief" not in "".join(f"{each}" for each in (mail["To"], mail["Cc"], mail["Bcc"]))
    assert not [char for char in mail.get_content() if char != "\n" and not char.isprintable()]


@given(text=st.text(), subject=st.text())
def test_whatever_a_host_says_it_stays_in_its_place(text: str, subject: str) -> None:
    sent = letter_message(replace(LETTER, text=text, subject=subject)).as_bytes()
    found = BytesParser(policy=default).parsebytes(sent)

    assert HEADERS == set(found.keys())
    assert len(found.get_content().split("\n")) == len(text.split("\n")) + 1
    assert sent.isascii()


def test_a_server_that_refuses_is_a_sentence_with_what_it_said() -> None:
    with mail_sink() as sink:
        sink.refusals.append("452 the disk\x1b[31m is full")
        with pytest.raises(DeliveryFailed, match=r"answered 452: the disk\^\[\[31m is full"):
            send(MailRoute("127.0.0.1", sink.port), LETTER)
    with pytest.raises(DeliveryFailed, match="cannot be reached"):
        send(MailRoute("127.0.0.1", sink.port), LETTER)


def test_sendmail_gets_the_recipients_as_words_and_the_mail_on_its_input(tmp_path: Path) -> None:
    program = tmp_path / "sendmail"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >{tmp_path}/words\ncat >{tmp_path}/mail\n')
    program.chmod(0o755)

    send(MailRoute(sendmail=str(program)), LETTER)

    assert ["-i", "-f", LETTER.sender, "--", *LETTER.to] == (tmp_path / "words").read_text().split()
    assert b"\r" not in (tmp_path / "mail").read_bytes()
    program.write_text("#!/bin/sh\necho no space >&2\nexit 75\n")
    with pytest.raises(DeliveryFailed, match="ended with 75: no space"):
        send(MailRoute(sendmail=str(program)), LETTER)
