"""Checked rule text as Python."""
