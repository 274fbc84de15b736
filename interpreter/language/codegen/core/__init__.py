"""What every code writer shares: context, output, call sites, literals."""
