"""Memoized results with their read sets, and dependency tracking."""
