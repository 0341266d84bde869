"""The output of the subcommands without `--json`."""
