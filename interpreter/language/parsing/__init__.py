"""The parser: grammar, tokens, tree builders, and messages for text that does not parse."""
