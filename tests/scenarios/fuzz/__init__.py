"""Damaged files, forged answers, extreme numbers, slow expressions."""
