"""Overlays: errata and variants laid over the documents of a ruleset before they are linked."""
