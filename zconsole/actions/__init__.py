"""What a user can do: intents, plans, rules and guards."""
