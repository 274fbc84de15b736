"""`bicorne ask`: the value of an expression of the rule language in a situation."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from interpreter.cli.arguments import read_options
from interpreter.cli.output import OK, Output
from interpreter.play.inputs.value_codec import short_name
from interpreter.workshop.examples.query import ask


def run(arguments: Namespace, output: Output) -> int:
    """Prints the value; each element of a list and each entry of a mapping is on a line of its own.

    Raises:
        BicorneError: if the ruleset, the question or the situation is missing or wrong, or a rule fails.
    """
    found = ask(
        arguments.source,
        arguments.question,
        None if arguments.given is None else Path(arguments.given),
        overlays=arguments.overlays,
        options=read_options(arguments.option),
        paths=arguments.path,
    )
    if isinstance(found, dict):
        output.table([], [(key, short_name(each)) for key, each in found.items()])
    else:
        for each in found if isinstance(found, list) else [found]:
            output.line(short_name(each))
    output.document({"question": arguments.question, "value": found})
    return OK
