"""Renames an id wherever it is used."""
