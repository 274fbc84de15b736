"""Type inference for expressions, one module per family."""
