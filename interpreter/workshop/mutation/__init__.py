"""Mutation testing of rulesets, and selection of the examples that a change affects."""
