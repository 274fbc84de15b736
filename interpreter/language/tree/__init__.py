"""The syntax tree of rule text: statements, expressions, types, and how to traverse it."""
