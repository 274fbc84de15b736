"""YAML files with positions, and where they are found."""
