"""Language services for editors: diagnostics, hovers, definitions and completion."""
