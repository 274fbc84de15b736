"""Coverage of a rulebook: implemented, cited and exercised clauses, and the provenance of figures."""
