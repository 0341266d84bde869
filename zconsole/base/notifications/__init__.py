"""Settings of alerts and of findings: what calls the user, where messages go, and what is silenced."""
