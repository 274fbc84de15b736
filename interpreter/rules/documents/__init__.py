"""Finds YAML files, and reads them into nodes with positions."""
