"""The arguments of every command; nothing here knows how a command works."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any, Never

from interpreter.cli.argument_types import budget, entry_number, percent, positive_integer, seconds, seed
from interpreter.cli.streams import write
from interpreter.language.diagnostics import did_you_mean

Commands = Any
"""The result of `add_subparsers`; argparse has no public name for its type."""
_CHOICE = re.compile(r"argument (.+): invalid choice: '(.*)' \(choose from (.*)\)")
_WORD = re.compile(r"[\w-]+")


def build_parser() -> _Parser:
    """Returns the parser of the whole program. Each command sets `run` to the `module:function` that implements it."""
    parser = _Parser(
        prog="bicorne",
        description="Plays, checks and explains board wargames whose rules are data, and computes their odds.",
        epilog="'bicorne COMMAND --help' describes a command. "
        "Exit codes: 0 success, 1 findings, 2 wrong usage, 130 interrupted.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in (*_PLAY, *_INFERENCE, *_WORKSHOP):
        add(commands)
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest known word for an unknown command, argument or choice."""

    def __init__(self, *positional: Any, **named: Any) -> None:
        super().__init__(*positional, **named)
        self.color: bool = False
        """Help without colours, which Python adds from version 3.14 on."""

    def read(self, argv: Sequence[str] | None) -> argparse.Namespace:
        """Returns the parsed arguments; exits with the usage of the command if any are unknown."""
        found, left = self.parse_known_args(argv)
        command: argparse.ArgumentParser = vars(found).pop("parser")
        if left:
            known = [each for action in command._actions for each in action.option_strings]
            hint = did_you_mean(left[0].partition("=")[0], known) if left[0].startswith("-") else None
            command.error(f"unknown argument '{' '.join(left)}'" + (f"; {hint}" if hint else ""))
        return found

    def error(self, message: str) -> Never:
        """Prints the usage and the error, and exits."""
        if (found := _CHOICE.fullmatch(message)) is not None:
            what, given, choices = found.groups()
            known = _WORD.findall(choices)
            hint = did_you_mean(given, known) or f"known here: {', '.join(known)}"
            problem = f"{what} has no choice" if what.startswith("-") else "there is no choice"
            message = f"{'there is no command' if what == 'COMMAND' else problem} '{given}'; {hint}"
        write(f"{self.format_usage()}{self.prog}: error: {message}", error=True)
        raise MisuseError(message)

    def _print_message(self, message: str, _file: Any = None) -> None:
        """Prints a help text; the base class calls this."""
        write(message, end="")


class MisuseError(SystemExit):
    """The arguments are wrong; the usage and the error are already printed."""

    def __init__(self, message: str) -> None:
        super().__init__(2)
        self.message = message


class _Version(argparse.Action):
    """Prints the version of the engine, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: Any) -> None:
        from interpreter.rules.documents.package_data import engine_version  # noqa: PLC0415 - package metadata is slow to read

        write(f"bicorne {engine_version()}")
        parser.exit()


def _add_command(commands: Commands, name: str, run: str, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text[:1].upper() + text[1:] + "."
    )
    parser.set_defaults(run=run, parser=parser)
    parser.add_argument("--json", action="store_true", help="give the result as JSON on standard output")
    parser.add_argument(
        "--path", action="append", default=[], metavar="DIR", help="search rulesets in this folder first (repeatable)"
    )
    return parser


def _add_option_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help="set an option of the ruleset (repeatable)"
    )


def _add_overlay_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--with",
        dest="overlays",
        action="append",
        default=[],
        metavar="OVERLAY",
        help="apply an overlay: a file, or a name that 'list' shows (repeatable, lowest first)",
    )


def _add_budget_argument(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--budget",
        type=budget,
        metavar="SECONDS",
        help=f"stop after this CPU time, and say what was not done (default: {default})",
    )


def _add_language_argument(parser: argparse.ArgumentParser, default: str | None = "en") -> None:
    text = "language of names and prompts" + ("" if default else " (by default as saved)")
    parser.add_argument("--language", choices=("en", "ja"), default=default, help=text)


# ---------------------------------------------------------------- playing
def _add_list(commands: Commands) -> None:
    text = "rulesets, scenarios and overlays, with version and where they come from"
    parser = _add_command(commands, "list", "list:run", text)
    parser.add_argument(
        "ruleset",
        metavar="RULESET",
        nargs="?",
        help="only this ruleset, with its options; or a scenario, with its seats",
    )
    _add_overlay_arguments(parser)


def _add_play(commands: Commands) -> None:
    parser = _add_command(
        commands, "play", "play:play", "play a scenario at the terminal, or let computer players play it"
    )
    parser.add_argument(
        "scenario", metavar="SCENARIO", help="ruleset/scenario, a file, or a ruleset with a single scenario"
    )
    _add_player_arguments(parser)
    parser.add_argument(
        "--seed", type=seed, default=None, help="the seed of the dice; if left out, a random one of 128 bits"
    )
    parser.add_argument("--save", metavar="FILE", help="save the game here after every step; continue with 'resume'")
    _add_option_argument(parser)
    _add_language_argument(parser)
    _add_overlay_arguments(parser)


def _add_resume(commands: Commands) -> None:
    parser = _add_command(commands, "resume", "play:resume", "continue a saved game")
    parser.add_argument("file", metavar="FILE", help="a file written by --save; it includes its options and overlays")
    _add_player_arguments(parser)
    _add_language_argument(parser, None)
    _add_overlay_arguments(parser)


def _add_player_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="SEAT=PLAYER",
        help="who plays a seat: human, random, greedy, search or search:BUDGET (200 trials or 0.5s a decision). "
        "All other seats are random, or human at a terminal if no seat is given as human",
    )
    parser.add_argument("--log", metavar="FILE", help="write the game as a log that 'replay' verifies")
    parser.add_argument("--turns", type=positive_integer, metavar="N", help="stop after N turns")
    parser.add_argument("--quiet", action="store_true", help="print only the end")


def _add_replay(commands: Commands) -> None:
    text = "replay logs and saves: verify them, step through a game, or find where it diverges under other rules"
    parser = _add_command(commands, "replay", "replay:run", text)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="files written by --log or --save, or folders of them; several files give a summary",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="ID",
        help="replay without this overlay of the recorded game (repeatable)",
    )
    parser.add_argument(
        "--branch",
        metavar="NEW",
        help="write a save of the game at the point of --to, or just before it diverges from its record",
    )
    parser.add_argument(
        "--to", metavar="POINT", help="show the game at a point: the number of a log entry, 'turn N', start or end"
    )
    parser.add_argument("--seat", metavar="SEAT", help="show only what this seat may see, at --to or at a prompt")
    _add_language_argument(parser, None)
    parser.add_argument(
        "--workers", type=positive_integer, metavar="W", help="processes for many files (default: one for each core)"
    )
    _add_overlay_arguments(parser)


# ---------------------------------------------------------------- inference
def _add_odds(commands: Commands) -> None:
    parser = _add_command(commands, "odds", "odds:run", "exact odds, of a procedure in a situation or in a saved game")
    parser.add_argument("source", metavar="RULESET, SCENARIO or SAVE")
    parser.add_argument(
        "procedure",
        metavar="PROCEDURE, OPTION or ORDER",
        nargs="?",
        help="the procedure; for a saved game, an option of its decision (default: each option) or an order",
    )
    parser.add_argument("--given", metavar="FILE", help="YAML: the situation, in the form of an example's situation")
    parser.add_argument(
        "--orders",
        metavar="FILE",
        action="append",
        default=[],
        help="YAML: standing orders for decisions, in the form of a situation's (repeatable; earlier ones come first)",
    )
    parser.add_argument(
        "--compare", action="store_true", help="compute the odds with and without the overlays, side by side"
    )
    parser.add_argument("--chart", metavar="FILE", help="draw the odds as well, to FILE.svg or FILE.png")
    _add_option_argument(parser)
    _add_overlay_arguments(parser)


def _add_ask(commands: Commands) -> None:
    parser = _add_command(commands, "ask", "ask:run", "the value of an expression of the rule language in a situation")
    parser.add_argument("source", metavar="RULESET or SCENARIO")
    parser.add_argument("question", metavar="EXPRESSION")
    parser.add_argument("--given", metavar="FILE", help="YAML: the situation, as for 'bicorne odds'")
    _add_option_argument(parser)
    _add_overlay_arguments(parser)


def _add_simulate(commands: Commands) -> None:
    parser = _add_command(commands, "simulate", "simulate:run", "play many games and count how they end")
    parser.add_argument("scenario", metavar="SCENARIO")
    parser.add_argument(
        "--games", type=positive_integer, default=1000, metavar="N", help="the number of games (default 1000)"
    )
    parser.add_argument(
        "--seed", type=seed, default="0", help="the games have the seeds SEED/0, SEED/1 and so on (default 0)"
    )
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="SEAT=PLAYER",
        help="who plays a seat: random, greedy, search or search:TRIALS; all others are random",
    )
    parser.add_argument(
        "--workers",
        type=positive_integer,
        metavar="W",
        help="processes (default: one for each core); the games are the same for any number",
    )
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on the Dask cluster of this scheduler instead")
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write every game to FILE.jsonl, .csv or .parquet; after an interrupt, the same command continues",
    )
    parser.add_argument("--compare", action="store_true", help="play every seed with and without the overlays")
    parser.add_argument("--chart", metavar="FILE", help="draw the outcomes as well, to FILE.svg or FILE.png")
    _add_invariants_argument(parser)
    _add_option_argument(parser)
    _add_language_argument(parser)
    _add_overlay_arguments(parser)


def _add_invariants_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--invariants", action="store_true", help="test the invariants after every step; this is slower"
    )


def _add_match(commands: Commands) -> None:
    parser = _add_command(commands, "match", "match:run", "compare two players by pairs of games with sides changed")
    parser.add_argument("scenario", metavar="SCENARIO", help="ruleset/scenario, or a ruleset with a single scenario")
    for name in ("player", "opponent"):
        parser.add_argument(
            name, metavar=name.upper(), help="random, greedy, search, search:TRIALS or search:SECONDSs (as search:0.5s)"
        )
    parser.add_argument(
        "--pairs", type=positive_integer, default=10, metavar="N", help="the number of pairs of games (default 10)"
    )
    parser.add_argument("--seed", type=seed, default="0", help="the pairs have the seeds SEED/0, SEED/1 and so on")
    parser.add_argument("--workers", type=positive_integer, metavar="W", help="processes (default: one for each core)")
    _add_invariants_argument(parser)
    _add_option_argument(parser)
    _add_overlay_arguments(parser)


def _add_tune(commands: Commands) -> None:
    text = "improve the weights of an evaluation by self-play, and write them as an overlay"
    parser = _add_command(commands, "tune", "tune:run", text)
    parser.add_argument("scenario", metavar="SCENARIO", help="ruleset/scenario, or a ruleset with a single scenario")
    parser.add_argument(
        "--games",
        type=positive_integer,
        default=200,
        metavar="N",
        help="the number of games, of which a quarter compares the new weights with the old ones (default 200)",
    )
    parser.add_argument(
        "--player", default="greedy", metavar="PLAYER", help="who plays: greedy or search:TRIALS (default greedy)"
    )
    parser.add_argument("--seed", type=seed, default="0", help="the seed of the games and of the changes (default 0)")
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="the overlay to write (default: RULESET_tuned.yaml); after an interrupt, the same command continues",
    )
    parser.add_argument(
        "--workers", type=positive_integer, metavar="W", help="processes, at most 2 (default: one for each core)"
    )
    _add_option_argument(parser)


def _add_bench(commands: Commands) -> None:
    parser = _add_command(commands, "bench", "bench:run", "run the benchmarks and print a table")
    parser.add_argument(
        "scenarios", metavar="SCENARIO", nargs="*", help="what to measure; by default one scenario of every ruleset"
    )
    parser.add_argument("--seconds", type=seconds, default=1.0, metavar="S", help="time for each figure (default 1)")
    parser.add_argument("--profile", action="store_true", help="show which rules take the time of random games")
    parser.add_argument(
        "--yardstick", metavar="FILE", help="a Python file with play_random(seed): the same game written by hand"
    )
    parser.add_argument(
        "--odds", metavar="PROCEDURE", help="measure the exact odds of a procedure, against sampling of equal precision"
    )
    parser.add_argument("--given", metavar="FILE", help="the situation for --odds, as for 'bicorne odds'")


# ---------------------------------------------------------------- workshop
def _add_check(commands: Commands) -> None:
    parser = _add_command(commands, "check", "check:run", "check rulesets and scenarios: shapes, names, types, clauses")
    parser.add_argument(
        "targets",
        metavar="WHAT",
        nargs="*",
        help="rulesets, scenarios, folders or files; by default everything installed",
    )
    parser.add_argument(
        "--format", choices=("text", "json", "github"), default="text", help="the format of the findings"
    )
    _add_overlay_arguments(parser)


def _add_test(commands: Commands) -> None:
    parser = _add_command(commands, "test", "test:run", "run the worked examples of rulesets")
    parser.add_argument(
        "rulesets", metavar="RULESET", nargs="*", help="names or folders; by default everything installed"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="EXAMPLE", help="run only this example (repeatable)"
    )
    _add_budget_argument(parser, "300")
    _add_option_argument(parser)
    _add_overlay_arguments(parser)


def _add_explain(commands: Commands) -> None:
    parser = _add_command(
        commands, "explain", "explain:run", "what implements a clause, or how a result in a log came about"
    )
    parser.add_argument("target", metavar="RULESET|FILE", help="a ruleset; or a save or log, whose entries are listed")
    parser.add_argument("clause", metavar="CLAUSE", nargs="?", help="the id of a clause")
    parser.add_argument("--at", type=entry_number, metavar="N", help="explain entry N of the save or log")
    parser.add_argument("--seat", metavar="SEAT", help="of a save or log, show only what this seat may know")
    _add_language_argument(parser)
    _add_overlay_arguments(parser)


def _add_coverage(commands: Commands) -> None:
    text = "clauses implemented, exercised by examples and in random play, and not at all"
    parser = _add_command(commands, "coverage", "reports:coverage", text)
    parser.add_argument("ruleset", metavar="RULESET")
    parser.add_argument(
        "--games", type=positive_integer, default=20, metavar="N", help="random games to observe (default 20)"
    )
    _add_budget_argument(parser, "600")
    parser.add_argument("--all", action="store_true", help="list every clause with what implements it")
    _add_overlay_arguments(parser)


def _add_provenance(commands: Commands) -> None:
    text = "every figure by standing: stated, derived, found, reconstructed"
    parser = _add_command(commands, "provenance", "reports:provenance", text)
    parser.add_argument("ruleset", metavar="RULESET")
    parser.add_argument("--all", action="store_true", help="list the stated figures too")
    _add_overlay_arguments(parser)


def _add_diff(commands: Commands) -> None:
    parser = _add_command(commands, "diff", "diff:run", "what overlays change, in the terms of the ruleset")
    parser.add_argument("ruleset", metavar="RULESET")
    _add_overlay_arguments(parser)
    _add_option_argument(parser)
    parser.add_argument("--write", metavar="DIR", help="write the ruleset with the overlays applied")
    parser.add_argument(
        "--no-examples",
        dest="examples",
        action="store_false",
        help="leave out which worked examples have other results",
    )
    _add_budget_argument(parser, "600")


def _add_mutate(commands: Commands) -> None:
    text = "how many small wrong changes to a ruleset its examples and invariants detect"
    parser = _add_command(commands, "mutate", "mutate:run", text)
    parser.add_argument("ruleset", metavar="RULESET")
    parser.add_argument(
        "--only", metavar="PATH", help="only rules whose path begins with PATH, such as tables or procedures/rout"
    )
    parser.add_argument("--sample", type=positive_integer, metavar="N", help="try N of the changes, drawn with --seed")
    parser.add_argument("--seed", type=seed, default="0", help="the seed of the sample (default 0)")
    parser.add_argument("--least", type=percent, metavar="P", help="exit with 1 if less than P per cent are detected")
    parser.add_argument("--workers", type=positive_integer, metavar="W", help="processes (default: one for each core)")
    _add_budget_argument(parser, "60 and 10 for each change; each process has this time")
    parser.add_argument("--all", action="store_true", help="also list the detected changes, and what detected them")


def _add_format(commands: Commands) -> None:
    parser = _add_command(commands, "format", "format:run", "rewrite ruleset documents in the standard style")
    parser.add_argument("files", metavar="FILE", nargs="+", help="documents, or folders of them")
    parser.add_argument("--check", action="store_true", help="change nothing; list the files that are not in the style")


def _add_lsp(commands: Commands) -> None:
    _add_command(commands, "lsp", "lsp:run", "run a language server for editors over standard input and output")


def _add_new(commands: Commands) -> None:
    parser = _add_command(commands, "new", "new:run", "create a small complete ruleset to start from")
    parser.add_argument("what", choices=("ruleset",), help="what to create")
    parser.add_argument("name", metavar="NAME", help="the name of the ruleset and of its folder")
    parser.add_argument("--into", metavar="DIR", default=".", help="where the folder is created (default: here)")


_PLAY: tuple[Callable[[Commands], None], ...] = (_add_list, _add_play, _add_resume, _add_replay)
_INFERENCE: tuple[Callable[[Commands], None], ...] = (
    _add_odds,
    _add_ask,
    _add_simulate,
    _add_match,
    _add_tune,
    _add_bench,
)
_WORKSHOP: tuple[Callable[[Commands], None], ...] = (
    _add_check,
    _add_test,
    _add_explain,
    _add_coverage,
    _add_provenance,
    _add_diff,
    _add_mutate,
    _add_format,
    _add_lsp,
    _add_new,
)
