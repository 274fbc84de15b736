"""The entry point of `bicorne`. It imports the rest of the program only where an interrupt is caught."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command.

    Returns 0 for success, 1 for findings, 2 for wrong usage, unreadable input or a defect, 130 when interrupted.
    """
    try:
        from interpreter.cli.run_command import run_command  # noqa: PLC0415 - may be interrupted

        return run_command(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
