"""Pool planner: space, survival, data budget, and the effect of changes."""
