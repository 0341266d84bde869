"""Subcommands about space: plan it, forecast it, free it."""
