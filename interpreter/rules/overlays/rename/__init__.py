"""Renaming an id everywhere it is used."""
