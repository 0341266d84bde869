"""What sudo and doas answer about rules of each kind, as JSON: run as root in a guest.

python -m tests.lab ssh NAME python3 - < tests/lab/record_privileges.py
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

USER = "zconsole-recorded"
SUDOERS = Path("/etc/sudoers.d/zconsole-recorded")
DOAS = Path("/etc/doas.conf")
SCRUB = ("zpool", "scrub", "tank")
ASK = ("sudo", "-n", "-l", "-l", *SCRUB)
VALIDATE = ("sudo", "-n", "-k", "-v")
RUN = ("sudo", "-n", *SCRUB)
DOAS_ASK = ("doas", "-C", str(DOAS), *SCRUB)
DOAS_RUN = ("doas", "-n", "zpool", "version")
ENVIRONMENT = ("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8")
RULE = f"{USER} ALL = (root) {{}}/usr/sbin/zpool scrub *\n"
ANOTHER = f"{USER} ALL = (root) NOPASSWD: /usr/bin/true\n"
SUDO = {
    "nopasswd": RULE.format("NOPASSWD: "),
    "passwd": RULE.format("PASSWD: ") + ANOTHER,
    "untagged": RULE.format("") + ANOTHER,
    "setenv": RULE.format("SETENV: ") + ANOTHER,
    "defaults": f"Defaults:{USER} !authenticate\n" + RULE.format(""),
    "another": ANOTHER,
    "untold": RULE.format(""),
    "nobody": "",
}
DOAS_RULES = {
    "permit-nopass": f"permit nopass {USER}\n",
    "permit-nopass-args": f"permit nopass {USER} as root cmd zpool args scrub tank\n",
    "permit": f"permit {USER}\n",
    "permit-persist": f"permit persist {USER}\n",
    "deny": "permit nopass root\n",
    "hidden": f"permit nopass {USER}\n",
    "absent": None,
}


def answer(argv: tuple[str, ...]) -> dict[str, object]:
    """What became of a command as that user, in the environment that the console gives."""
    done = subprocess.run(
        ["/usr/sbin/runuser", "-u", USER, "--", "env", "-i", *ENVIRONMENT, *argv],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return {"argv": argv, "status": done.returncode, "stdout": done.stdout, "stderr": done.stderr}


def sudo_cases() -> dict[str, object]:
    """Each rule, and what sudo says of it."""
    found: dict[str, object] = {}
    for name, rule in SUDO.items():
        SUDOERS.write_text(rule)
        found[name] = {"rule": rule, "answers": [answer(argv) for argv in (ASK, VALIDATE, RUN)]}
    SUDOERS.unlink()
    return found


def doas_cases() -> dict[str, object]:
    """Each rule, and what doas says of it."""
    found: dict[str, object] = {}
    for name, rule in DOAS_RULES.items():
        DOAS.unlink(missing_ok=True)
        if rule is not None:
            DOAS.write_text(rule)
            DOAS.chmod(0o600 if name == "hidden" else 0o644)
        found[name] = {"rule": rule, "answers": [answer(argv) for argv in (DOAS_ASK, DOAS_RUN)]}
    DOAS.unlink(missing_ok=True)
    return found


def main() -> None:
    """Print it all."""
    subprocess.run(["/usr/sbin/useradd", "-m", USER], check=True)
    try:
        print(json.dumps({"sudo": sudo_cases(), "doas": doas_cases()}, indent=1))
    finally:
        subprocess.run(["/usr/sbin/userdel", "-r", USER], check=False, stderr=subprocess.DEVNULL)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
