"""Plans, runs, the journal and the commands that ran."""
