"""User actions: intents, plans, rules and guards."""
