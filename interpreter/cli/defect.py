"""The report of a defect: an exception that no mistake of a user explains."""

from __future__ import annotations

import os
from pathlib import Path
from traceback import extract_tb, format_exception
from typing import Final

from interpreter.cli.streams import write

DEBUG_VARIABLE: Final = "BICORNE_DEBUG"
"""The environment variable that shows the tracebacks of defects."""
_ROOT: Final = Path(__file__).resolve().parents[2]


def defect_text(error: BaseException) -> str:
    """Returns the text to be reported, without values of the game; prints the traceback if the user wants it."""
    if os.environ.get(DEBUG_VARIABLE):
        write("".join(format_exception(error)).rstrip(), error=True)
    return (
        f"a defect of Bicorne, not of your input: {type(error).__name__} at {_place_of(error)}. Please report this "
        f"line, the command and its files; {DEBUG_VARIABLE}=1 in the environment prints the traceback"
    )


def _place_of(error: BaseException) -> str:
    """Returns the file and line of the program where an exception was raised."""
    places = [(Path(each.filename), each.lineno) for each in extract_tb(error.__traceback__)]
    own = [(path.relative_to(_ROOT), line) for path, line in places if path.is_relative_to(_ROOT / "interpreter")]
    return ":".join(map(str, [*places[-1:], *own][-1])) if places else "an unknown place"
