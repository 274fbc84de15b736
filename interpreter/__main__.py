"""`python -m interpreter` is `bicorne`."""

import sys

from interpreter.cli.main import main

sys.exit(main())
