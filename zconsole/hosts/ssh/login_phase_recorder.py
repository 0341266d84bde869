"""Durations of the phases of one SSH login, recorded as asyncssh reports their ends.

Nothing is sent for it. The first session of a connection is measured, whatever it is for: only sshd's work
after the authentication (PAM's session modules, the login shell) makes it slower than the others.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from zconsole.model.host.ssh_login import LoginPhase, PhaseTime, SshLogin


class LoginRecorder:
    """Recorder of one login; `login` has what was seen so far."""

    def __init__(self, host: str, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._host = host
        self._monotonic = monotonic
        self._seen: list[PhaseTime] = []
        self._running: tuple[LoginPhase, float] | None = None  # with the time of its beginning
        self._jumps: list[LoginRecorder] = []
        self._has_session = False

    def jump(self, host: str) -> LoginRecorder:
        """Recorder of the login to the next jump host on the way."""
        recorder = LoginRecorder(host, self._monotonic)
        self._jumps.append(recorder)
        return recorder

    def connecting(self) -> None:
        """Begin: the connection is attempted, perhaps once more."""
        self._seen.clear()
        self._begin(LoginPhase.CONNECT)

    def connected(self) -> None:
        """The connection is open; the keys are exchanged."""
        self._end(LoginPhase.CONNECT)
        self._begin(LoginPhase.KEY_EXCHANGE)

    def may_authenticate(self) -> None:
        """The key exchange is over: sshd accepts requests to authenticate."""
        self._end(LoginPhase.KEY_EXCHANGE)
        self._begin(LoginPhase.AUTHENTICATION)

    def authenticated(self) -> None:
        """The authentication has succeeded."""
        self._end(LoginPhase.AUTHENTICATION)

    def first_session(self, on_progress: Callable[[], None] = lambda: None) -> FirstSession | None:
        """What a session tells of its progress if it is the first one of the connection; None otherwise.

        `on_progress` is called when it has opened, or failed.
        """
        if self._has_session:
            return None
        self._has_session = True
        self._begin(LoginPhase.SESSION)
        return FirstSession(self, on_progress)

    def session_opened(self) -> None:
        """Called by `FirstSession`: sshd has accepted the session and its command."""
        self._end(LoginPhase.SESSION)
        self._begin(LoginPhase.SHELL)

    def session_over(self) -> None:
        """Called by `FirstSession`: it was refused, or has ended without an answer of its shell."""
        if self._running is not None:
            phase, since = self._running
            self._seen.append(PhaseTime(phase, self._monotonic() - since, has_ended=False))
            self._running = None

    def shell_answered(self) -> None:
        """Called by `FirstSession`: the first command has begun."""
        self._end(LoginPhase.SHELL)

    @property
    def running(self) -> LoginPhase | None:
        """The phase that has not ended."""
        return None if self._running is None else self._running[0]

    @property
    def login(self) -> SshLogin:
        """What was seen so far."""
        phases = list(self._seen)
        if self._running is not None:
            phase, since = self._running
            phases.append(PhaseTime(phase, self._monotonic() - since, has_ended=False))
        jumps = (each.login for each in self._jumps)
        return SshLogin(
            self._host, tuple(phases), tuple(hop for jump in jumps for hop in (*jump.jumps, jump))
        )

    def _begin(self, phase: LoginPhase) -> None:
        self._running = phase, self._monotonic()

    def _end(self, phase: LoginPhase) -> None:
        """End a phase; a second end of it, as after a new key exchange, changes nothing."""
        if self._running is not None and self._running[0] is phase:
            self._seen.append(PhaseTime(phase, self._monotonic() - self._running[1]))
            self._running = None


class FirstSession:
    """Progress of the first session of a connection."""

    def __init__(self, recorder: LoginRecorder, on_progress: Callable[[], None]) -> None:
        self._recorder = recorder
        self._on_progress = on_progress

    def opened(self) -> None:
        """Its command was accepted."""
        self._recorder.session_opened()
        self._on_progress()

    def answered(self) -> None:
        """Its login shell has begun the command."""
        self._recorder.shell_answered()

    def over(self) -> None:
        """It is closed, or was refused."""
        self._recorder.session_over()
        self._on_progress()
