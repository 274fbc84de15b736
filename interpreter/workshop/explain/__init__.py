"""Clauses and log entries explained."""
