"""The rule language: grammar, syntax tree, names and types, and the emission of Python."""
