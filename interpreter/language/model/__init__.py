"""The compiler's model of a ruleset: symbols, kinds, and the compiled image."""
