"""What a person sees and types at a terminal: board, narration, prompts."""
