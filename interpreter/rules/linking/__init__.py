"""Documents become a program: one file per section."""
