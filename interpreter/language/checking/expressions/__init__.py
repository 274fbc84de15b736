"""Types of expressions, one file per family."""
