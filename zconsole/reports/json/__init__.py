"""The documents of `--json`."""
