"""Worked examples: prepared, run and checked."""
