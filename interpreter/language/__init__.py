"""The rule language: grammar, syntax tree, type checking, and code generation."""
