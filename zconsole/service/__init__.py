"""Interface for screens and subcommands: states, plans, runs, forecasts."""
