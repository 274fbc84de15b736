"""Differences between rulesets, and rulesets written with overlays applied."""
