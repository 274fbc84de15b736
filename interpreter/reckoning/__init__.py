"""Exact odds and sampling of rule text."""
