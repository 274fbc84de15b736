"""A ruleset for Bicorne; there is no code in it."""
