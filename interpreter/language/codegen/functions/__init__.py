"""The functions of generated code, and the entry points of rules."""
