"""The command line: arguments, the person at the terminal, tables and exit codes; no rule logic."""
