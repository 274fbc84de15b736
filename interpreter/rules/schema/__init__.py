"""Validates documents against the JSON Schemas."""
