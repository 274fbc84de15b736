"""Mutants of a ruleset, and the examples that notice them."""
