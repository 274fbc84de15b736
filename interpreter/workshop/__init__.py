"""What an author uses: check, examples, coverage, provenance, explain, format."""
