"""Command line of the console: everything that has a name, and the actions on it."""
