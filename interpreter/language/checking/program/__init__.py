"""Checks of whole rules, declarations and data."""
