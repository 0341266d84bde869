"""`zconsole watch --print-unit` under a real systemd: for the system, and for a user."""

from __future__ import annotations

import json
import re
import shlex
import time
from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.lab.booted_by_systemd import boot_under_systemd, boot_under_the_script
from tests.lab.guests import Guest

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

UNIT: Final = "zconsole-watch.service"
BAY: Final = 1
PATIENCE_S: Final = 240.0
USER: Final = "watcher"
SINK_PORT: Final = 8099
SINK: Final = f"""\
import http.server
class Sink(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open("/run/posts", "ab") as posts:
            posts.write(body + b"\\n")
        self.send_response(200)
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", {SINK_PORT}), Sink).serve_forever()
"""
PAGE: Final = (
    '#!/bin/sh\nexec logger -t zconsole-page "$ZCONSOLE_PHASE $ZCONSOLE_SEVERITY $ZCONSOLE_ID $(id -un)"\n'
)
CONFIG: Final = f"""\
[watch]
hold = 0
clear = 0
[watch.command.page]
argv = ["/usr/local/bin/page"]
[watch.webhook.chat]
format = "json"
url = "http://127.0.0.1:{SINK_PORT}/"
"""
# A mail program as Debian's are: with the rights of a group, which alone may write to the spool.
SPOOL: Final = "/var/spool/labmail"
SENDMAIL: Final = f"""\
#!/usr/local/bin/setgid-python
import os, sys
with open(f"{SPOOL}/{{os.getpid()}}", "wb") as mail:
    mail.write(sys.stdin.buffer.read())
"""
MAIL: Final = """\
[watch.mail.admins]
to = ["root@localhost"]
from = "zconsole@localhost"
sendmail = "/usr/local/sbin/sendmail"
"""
SET_UP_MAIL: Final = f"""\
install -d -m 2730 -o root -g mail {SPOOL}
cp $(readlink -f /usr/bin/python3) /usr/local/bin/setgid-python
chgrp mail /usr/local/bin/setgid-python && chmod 2755 /usr/local/bin/setgid-python
cat > /usr/local/sbin/sendmail && chmod 755 /usr/local/sbin/sendmail
"""
SET_UP_PROGRAM: Final = """\
echo /opt/zconsole > "$(python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/zconsole.pth"
cat > /usr/local/bin/zconsole <<'END'
#!/usr/bin/python3
import sys
from zconsole.__main__ import main
sys.exit(main())
END
cat > /usr/local/bin/page
chmod 755 /usr/local/bin/zconsole /usr/local/bin/page
"""
# Without D-Bus there is no logind, which would start the user's systemd.
START_MANAGER_OF_USER: Final = f"""\
id=$(id -u {USER})
install -d -m 700 -o {USER} /run/user /run/user/$id; chmod 755 /run/user
systemd-run -q --unit=lab-user --uid={USER} -p Delegate=yes -E XDG_RUNTIME_DIR=/run/user/$id \\
    -E HOME=/home/{USER} /lib/systemd/systemd --user
"""
FOLDERS: Final = "/root/.local/state/zconsole /root/.local/share/zconsole"  # that the unit may write to
OUTPUT: Final = "/run/limited.json"
DENIED: Final = re.compile(r"not permitted|Permission denied|Read-only file system|Traceback|cannot be")


@pytest.fixture(scope="module")
def host(installed: Guest) -> Iterator[Guest]:
    """A host with zconsole as a command, a mirror, and what messages are sent to."""
    installed.wipe()
    installed.create_pool(f"-o ashift=12 tank mirror {installed.disk(0)} {installed.disk(BAY)}")
    installed.ssh(SET_UP_PROGRAM, stdin=PAGE.encode())
    installed.ssh(SET_UP_MAIL, stdin=SENDMAIL.encode())
    installed.ssh(f"id {USER} >/dev/null 2>&1 || useradd -m -s /bin/sh {USER}")
    boot_under_systemd(installed)
    installed.ssh(START_MANAGER_OF_USER)
    installed.ssh(
        "cat > /run/sink.py; systemd-run -q --unit=lab-sink python3 /run/sink.py", stdin=SINK.encode()
    )
    yield installed
    installed.wipe()
    boot_under_the_script(installed)


@pytest.fixture
def quiet(host: Guest) -> Iterator[Guest]:
    """The host with its mirror whole, and nothing told yet."""
    host.ssh(
        "zpool online tank "
        + host.disk(BAY)
        + " && timeout 60 zpool wait -t resilver tank; zpool clear tank;"
        f"rm -rf /run/posts {SPOOL}/* /root/.local/state/zconsole /home/{USER}/.local/state/zconsole;"
        "journalctl --rotate -q; journalctl --vacuum-time=1s -q"
    )
    yield host
    as_user(host, f"systemctl --user disable -q --now {UNIT}", check=False)
    host.ssh(f"systemctl disable -q --now {UNIT}; rm -f /etc/systemd/system/{UNIT}", check=False)


def as_user(host: Guest, words: str, *, check: bool = True, stdin: bytes = b"") -> str:
    """Run a line as the user, with its own systemd."""
    line = f"export XDG_RUNTIME_DIR=/run/user/$(id -u); {words}"
    return host.ssh(f"su - {USER} -c {shlex.quote(line)}", check=check, stdin=stdin)


def until(host: Guest, command: str, *words: str) -> str:
    """What a command prints once it has all of these words."""
    end = time.monotonic() + PATIENCE_S
    while True:
        found = host.ssh(command, check=False)
        if all(each in found for each in words):
            return found
        assert time.monotonic() < end, f"{words} in:\n{found}\n{host.ssh('journalctl -b -n 50 --no-pager')}"


def begin_by_its_own_words(host: Guest, config: str) -> str:
    """Write the configuration and the unit, and do what the unit says on top; returns the unit."""
    host.ssh(
        "mkdir -p /root/.config/zconsole; cat > /root/.config/zconsole/config.toml", stdin=config.encode()
    )
    text = host.ssh("cd / && zconsole watch --print-unit")
    file = re.match(r"# (\S+)\n", text)
    begin = re.search(r"^# To begin: (.+)$", text, re.MULTILINE)
    assert file is not None
    assert begin is not None
    host.ssh(f"cat > {file[1]}", stdin=text.encode())
    host.ssh(begin[1])
    return text


def log(host: Guest) -> str:
    return host.ssh(f"journalctl -b -u {UNIT} --no-pager -o cat")


PAGED: Final = "journalctl -b -t zconsole-page --no-pager -o cat"


def posts(host: Guest) -> list[dict[str, Any]]:
    return [json.loads(line) for line in host.ssh("cat /run/posts").splitlines()]


def test_a_disk_that_goes_offline_is_told_and_a_restart_tells_nothing(quiet: Guest) -> None:
    text = begin_by_its_own_words(quiet, CONFIG)
    until(quiet, f"journalctl -b -u {UNIT} --no-pager -o cat", "watching; messages go to")
    quiet.ssh(f"zpool offline tank {quiet.disk(BAY)}")
    until(quiet, PAGED, "raised critical vdev-no-redundancy root")
    until(quiet, "cat /run/posts", '"vdev-no-redundancy"')
    quiet.ssh(f"systemctl restart {UNIT}")
    until(quiet, f"journalctl -b -u {UNIT} --no-pager -o cat | grep -c 'watching;'", "2")
    quiet.ssh(f"systemctl kill -s KILL {UNIT}")
    until(quiet, f"journalctl -b -u {UNIT} --no-pager -o cat | grep -c 'watching;'", "3")

    assert "ExecStart=/usr/local/bin/zconsole watch\n" in text
    assert "enabled" == quiet.ssh(f"systemctl is-enabled {UNIT}").strip()
    assert "active" == quiet.ssh(f"systemctl is-active {UNIT}").strip()
    paged = quiet.ssh(PAGED).splitlines()
    assert sorted(set(paged)) == sorted(paged)
    told = [each for each in posts(quiet) if each["id"] == "vdev-no-redundancy"]
    assert [("tank", "raised", "critical")] == [
        (each["pool"], each["phase"], each["severity"]) for each in told
    ]
    assert [] == [line for line in log(quiet).splitlines() if DENIED.search(line)]
    assert "UTC CRITICAL local: tank" in quiet.ssh("zconsole watch --list")


def within_limits(host: Guest, unit: str, command: str) -> str:
    """What a command prints in a unit with the limits of another one."""
    service = unit.partition("[Service]")[2].partition("[Install]")[0]
    options = [
        each for each in service.split("\n") if each and not each.startswith(("Type", "Exec", "Restart"))
    ]
    lines = [
        "[Service]",
        "Type=oneshot",
        f"ExecStart={command}",
        f"StandardOutput=truncate:{OUTPUT}",
        *options,
    ]
    host.ssh("cat > /run/systemd/system/lab-limited.service", stdin="\n".join(lines).encode())
    return host.ssh(f"systemctl daemon-reload; systemctl start lab-limited; cat {OUTPUT}", timeout_s=300)


@pytest.mark.parametrize("words", ["status --json", "disks --json"])
def test_what_is_read_within_its_limits_is_all_that_is_read_without(quiet: Guest, words: str) -> None:
    """Pools, events, disks and their SMART data, messages of the kernel."""
    quiet.ssh(f"zpool offline tank {quiet.disk(BAY)}; mkdir -p {FOLDERS}")
    unit = quiet.ssh("cd / && zconsole watch --print-unit")
    command = f"/usr/local/bin/zconsole {words} --timeout 200"

    free = json.loads(quiet.ssh(f"cd / && {command}", timeout_s=300))
    limited = json.loads(within_limits(quiet, unit, command))

    assert "ProtectSystem=strict\n" in unit
    assert settled(free) == settled(limited)


def settled(document: Any) -> Any:
    """A document without its ages and counters of time."""
    if isinstance(document, dict):
        return {key: settled(each) for key, each in document.items() if not PASSES.search(key)}
    return [settled(each) for each in document] if isinstance(document, list) else document


PASSES: Final = re.compile(r"time|seconds|_at$|age|_s$|bytes|allocated|power_on|temperature")


def test_mail_is_handed_over_to_a_program_with_the_rights_of_a_group(quiet: Guest) -> None:
    begin_by_its_own_words(quiet, CONFIG + MAIL)
    until(quiet, f"journalctl -b -u {UNIT} --no-pager -o cat", "watching; messages go to")
    quiet.ssh(f"zpool offline tank {quiet.disk(BAY)}")

    mail = until(quiet, f"cat {SPOOL}/*", "no redundancy left in mirror-0")
    assert "Subject: [zconsole] CRITICAL local: tank" in mail
    assert "mail" == quiet.ssh(f"stat -c %G {SPOOL}/* | sort -u").strip()
    assert [] == [line for line in log(quiet).splitlines() if DENIED.search(line)]


def test_a_user_has_a_unit_of_its_own(quiet: Guest) -> None:
    """It reads this machine, and hands mail over with the rights of a group."""
    quiet.ssh(
        f"install -d -o {USER} /home/{USER}/.config /home/{USER}/.config/zconsole;"
        f"cat > /home/{USER}/.config/zconsole/config.toml", stdin=(CONFIG + MAIL).encode(),
    )  # fmt: skip
    text = as_user(quiet, "zconsole watch --print-unit")
    begin = re.search(r"^# To begin: (.+)$", text, re.MULTILINE)
    assert begin is not None
    as_user(
        quiet, f"mkdir -p ~/.config/systemd/user; cat > ~/.config/systemd/user/{UNIT}", stdin=text.encode()
    )
    as_user(quiet, begin[1])
    watched = "journalctl -b -t zconsole --no-pager -o cat"
    until(quiet, watched, "watching; messages go to")
    quiet.ssh(f"zpool offline tank {quiet.disk(BAY)}")

    until(quiet, PAGED, f"raised critical vdev-no-redundancy {USER}")
    until(quiet, f"cat {SPOOL}/*", "no redundancy left in mirror-0")
    assert "mail" == quiet.ssh(f"stat -c %G {SPOOL}/* | sort -u").strip()
    assert "enabled" == as_user(quiet, f"systemctl --user is-enabled {UNIT}").strip()
    assert [] == [line for line in quiet.ssh(watched).splitlines() if DENIED.search(line)]
