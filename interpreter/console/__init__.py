"""People at a terminal: board, narration, prompts."""
