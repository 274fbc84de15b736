"""Resolves the paths of patches to targets in documents."""
