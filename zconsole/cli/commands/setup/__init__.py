"""Subcommands that set up hosts and shells: sudo rules, host keys, completion."""
