"""Loads, checks, compiles and caches rulesets and scenarios."""
