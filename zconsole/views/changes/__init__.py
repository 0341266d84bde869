"""Plans, runs, the journal and the command log."""
