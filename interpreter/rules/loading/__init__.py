"""Rulesets and scenarios loaded, checked, compiled and cached."""
