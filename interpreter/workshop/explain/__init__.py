"""Explanations of clauses and of log entries."""
