"""A ruleset as the compiler holds it: symbols, kinds, and the compiled image."""
