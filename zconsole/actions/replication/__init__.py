"""Receive, resume and syncoid."""
