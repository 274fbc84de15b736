"""Validation of documents against the JSON Schemas."""
