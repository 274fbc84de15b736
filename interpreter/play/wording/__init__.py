"""Messages and values as text, in the language of the reader."""
