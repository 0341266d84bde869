"""What screens and subcommands ask: states, plans, runs, forecasts."""
