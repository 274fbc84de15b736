"""Procedures split into basic blocks, for exact odds."""
