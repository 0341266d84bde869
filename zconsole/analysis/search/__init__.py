"""The query language of filters, and searching by it."""
