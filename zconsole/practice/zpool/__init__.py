"""The `zpool` subcommands that change pools, one module a family."""
