"""The `zfs` subcommands of the practice host, one module a family."""
