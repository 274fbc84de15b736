"""Functions that generated code calls at play time."""
