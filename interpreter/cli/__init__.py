"""The command line: arguments, output, exit codes and the games of people at a terminal; no rule logic."""
