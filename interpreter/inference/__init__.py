"""Exact odds of rule text, and its situations."""
