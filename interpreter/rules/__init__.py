"""A ruleset in memory: documents with positions, schemas, linking, overlays, loading, the cache."""
