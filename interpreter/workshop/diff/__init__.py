"""Differences between rulesets."""
