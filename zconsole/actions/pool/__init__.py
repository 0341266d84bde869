"""Actions on whole pools."""
