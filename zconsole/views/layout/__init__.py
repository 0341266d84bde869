"""Styled text, safe text, tables, sorting and filtering: what all views are made of."""
