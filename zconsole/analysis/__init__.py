"""Pure functions from model to finding."""
