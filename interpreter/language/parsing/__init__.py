"""From rule text to a syntax tree: grammar, tokens, and what is said of text that does not parse."""
