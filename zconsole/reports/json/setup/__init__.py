"""Documents of subcommands that set something up: keys and sudo rules."""
