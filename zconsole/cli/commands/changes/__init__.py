"""Subcommands about changes: plan them, execute them, list past ones, guide a repair."""
