"""Recorded games replayed under other rules."""
