"""Applies overlays (errata and variants) to the documents of a ruleset before they are linked."""
