"""Patch paths and the entries they lead to."""
