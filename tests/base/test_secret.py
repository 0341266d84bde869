"""A secret does not show itself."""

from __future__ import annotations

import traceback

from zconsole.base.secret import Secret

PASSPHRASE = Secret("swordfish")


def test_a_secret_is_shown_as_stars_and_told_on_demand() -> None:
    shown = f"{PASSPHRASE} {PASSPHRASE!r} {[PASSPHRASE]} {{'key': {PASSPHRASE}}}"

    assert "swordfish" not in shown
    assert "swordfish" == PASSPHRASE.reveal()


def test_a_secret_in_a_traceback_with_locals_stays_one() -> None:
    def fails(_key: Secret) -> None:
        raise ValueError("no")

    try:
        fails(PASSPHRASE)
    except ValueError as error:
        report = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())

    assert "_key = Secret(***)" in report
    assert "swordfish" not in report.replace('Secret("swordfish")', "")
