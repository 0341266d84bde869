"""What is said of a finding beside its sentence, by its id."""
