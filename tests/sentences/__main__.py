"""`python -m tests.sentences`: say what was never said; `--write` makes docs/sentences.md."""

from __future__ import annotations

import sys

from tests.sentences.words_in_source import watch


def main(arguments: list[str]) -> int:
    """Return 1 where a sentence was never said, or the page is not current and is not written."""
    watch()
    from tests.sentences.page import PAGE, page, seen, unsaid  # noqa: PLC0415 - after `watch`

    found = seen()
    missing = unsaid(found)
    for each in missing:
        sys.stdout.write(f"never said: {each.place.module} {each.place.function}: {each.words}\n")
    if missing:
        return 1
    text = page(found)
    if "--write" in arguments:
        PAGE.write_text(text, "utf-8")
    elif not PAGE.exists() or text != PAGE.read_text("utf-8"):
        sys.stdout.write("docs/sentences.md is not current: python -m tests.sentences --write\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
