"""Tools for authors of rulesets: examples, coverage, provenance, explanations, diff, format, mutation tests."""
