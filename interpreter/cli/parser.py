"""The arguments of every command; nothing here knows how a command works."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, Never

from interpreter.language.diagnostics import did_you_mean

Commands = Any
"""What `add_subparsers` gives; argparse has no public name for it."""
_CHOICE = re.compile(r"argument (.+): invalid choice: '(.*)' \(choose from (.*)\)")
_WORD = re.compile(r"[\w-]+")


def build_parser() -> _Parser:
    """The parser of the whole program. Each command sets `run` to the `module:function` that carries it out."""
    parser = _Parser(
        prog="bicorne",
        description="Plays, checks, explains and reckons board wargames whose rules are data.",
        epilog="'bicorne COMMAND --help' tells more. "
        "Exit codes: 0 success, 1 findings, 2 wrong usage, 130 interrupted.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in (*_PLAY, *_RECKONING, *_WORKSHOP):
        add(commands)
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser that offers the nearest right word for a command, an argument or a choice that there is not."""

    def read(self, argv: Sequence[str] | None) -> argparse.Namespace:
        """The arguments read; leaves with the usage of their command if there are any that it doesn't take."""
        found, left = self.parse_known_args(argv)
        command: argparse.ArgumentParser = vars(found).pop("parser")
        if left:
            known = [each for action in command._actions for each in action.option_strings]
            hint = did_you_mean(left[0].partition("=")[0], known) if left[0].startswith("-") else None
            command.error(f"there is no argument '{' '.join(left)}' here" + (f"; {hint}" if hint else ""))
        return found

    def error(self, message: str) -> Never:
        """Leaves with the usage and what is wrong with the arguments."""
        if (found := _CHOICE.fullmatch(message)) is not None:
            what, given, choices = found.groups()
            known = _WORD.findall(choices)
            hint = did_you_mean(given, known) or f"there are {', '.join(known)}"
            lacks = f"{what} has no choice" if what.startswith("-") else "there is no choice"
            message = f"{'there is no command' if what == 'COMMAND' else lacks} '{given}'; {hint}"
        self.print_usage(sys.stderr)
        print(f"{self.prog}: error: {message}", file=sys.stderr)
        raise MisuseError(message)


class MisuseError(SystemExit):
    """The arguments can't be read; their usage and what is wrong have been said."""

    def __init__(self, message: str) -> None:
        super().__init__(2)
        self.message = message


class _Version(argparse.Action):
    """Prints the version of the engine; looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: Any) -> None:
        from interpreter.rules.documents.package_data import engine_version  # noqa: PLC0415 - package metadata is slow to read

        print(f"bicorne {engine_version()}")
        parser.exit()


def _command(commands: Commands, name: str, run: str, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text[:1].upper() + text[1:] + "."
    )
    parser.set_defaults(run=run, parser=parser)
    parser.add_argument("--json", action="store_true", help="give the result as JSON on standard output")
    parser.add_argument(
        "--path", action="append", default=[], metavar="DIR", help="look for rulesets here first (repeatable)"
    )
    return parser


def _option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help="set an option of the ruleset (repeatable)"
    )


def _with(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--with",
        dest="overlays",
        action="append",
        default=[],
        metavar="OVERLAY",
        help="lay an overlay on: a file, or a name that 'list' shows (repeatable, lowest first)",
    )


def _language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=("en", "ja"), default="en", help="language of names and prompts")


# ---------------------------------------------------------------- playing
def _add_list(commands: Commands) -> None:
    text = "rulesets, scenarios and overlays, with version and where they come from"
    parser = _command(commands, "list", "list:run", text)
    parser.add_argument("ruleset", metavar="RULESET", nargs="?", help="only this one, with the options that it has")


def _add_play(commands: Commands) -> None:
    parser = _command(commands, "play", "play:play", "play a scenario at the terminal, or have it played")
    parser.add_argument(
        "scenario", metavar="SCENARIO", help="ruleset/scenario, a file, or a ruleset with a single scenario"
    )
    _players(parser)
    parser.add_argument(
        "--seed", type=_seed, default=None, help="the seed of the dice; taken at random and told if left out"
    )
    parser.add_argument("--save", metavar="FILE", help="keep the game here, step by step, to go on with by 'resume'")
    _option(parser)
    _language(parser)
    _with(parser)


def _add_resume(commands: Commands) -> None:
    parser = _command(commands, "resume", "play:resume", "go on with a saved game")
    parser.add_argument("file", metavar="FILE", help="a file written by --save; it keeps its options and overlays")
    _players(parser)
    _language(parser)
    _with(parser)


def _players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="SEAT=PLAYER",
        help="who plays a seat: human, random, greedy, search or search:BUDGET (200 trials or 0.5s a decision). "
        "All others are random, or people at a terminal where no seat is given to one",
    )
    parser.add_argument("--log", metavar="FILE", help="write the game as a log that 'replay' verifies")
    parser.add_argument("--turns", type=_natural, metavar="N", help="stop when this many turns are over")
    parser.add_argument("--quiet", action="store_true", help="print the end only")


def _add_replay(commands: Commands) -> None:
    text = "read logs and saves again: verify every state in them, or see what other rules make of them"
    parser = _command(commands, "replay", "replay:run", text)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="files written by --log or --save, or folders of them; several: a report",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="ID",
        help="take an overlay off that the game was played under",
    )
    parser.add_argument(
        "--branch", metavar="NEW", help="write a save that stands just before the game parts from its record"
    )
    parser.add_argument("--workers", type=_natural, metavar="W", help="processes that read many files (default: cores)")
    _with(parser)


# ---------------------------------------------------------------- reckoning
def _add_odds(commands: Commands) -> None:
    parser = _command(commands, "odds", "odds:run", "exact odds of a procedure's outcomes")
    parser.add_argument("ruleset", metavar="RULESET")
    parser.add_argument("procedure", metavar="PROCEDURE")
    parser.add_argument(
        "--given", metavar="FILE", required=True, help="YAML: the situation, written like that of an example"
    )
    parser.add_argument("--compare", action="store_true", help="reckon with the overlays and without, side by side")
    parser.add_argument("--chart", metavar="FILE", help="draw the odds, too: FILE.svg or FILE.png")
    _option(parser)
    _with(parser)


def _add_ask(commands: Commands) -> None:
    parser = _command(commands, "ask", "ask:run", "what an expression of the rule language gives in a situation")
    parser.add_argument("source", metavar="RULESET or SCENARIO")
    parser.add_argument("question", metavar="EXPRESSION")
    parser.add_argument("--given", metavar="FILE", help="YAML: the situation, as 'bicorne odds' takes it")
    _option(parser)
    _with(parser)


def _add_simulate(commands: Commands) -> None:
    parser = _command(commands, "simulate", "simulate:run", "play many games and count how they end")
    parser.add_argument("scenario", metavar="SCENARIO")
    parser.add_argument("--games", type=_natural, default=1000, metavar="N", help="how many games (default 1000)")
    parser.add_argument(
        "--seed", type=_seed, default="0", help="the games have the seeds SEED/0, SEED/1 and so on (default 0)"
    )
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="SEAT=PLAYER",
        help="who plays a seat: random, greedy, search or search:TRIALS; all others are random",
    )
    parser.add_argument(
        "--workers", type=_natural, metavar="W", help="processes to play in (default: one for each core); same games"
    )
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on the Dask cluster of this scheduler instead")
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write every game to FILE.jsonl, .csv or .parquet; interrupted, the same command goes on",
    )
    parser.add_argument("--compare", action="store_true", help="play every seed with the overlays and without")
    _option(parser)
    _language(parser)
    _with(parser)


def _add_bench(commands: Commands) -> None:
    parser = _command(commands, "bench", "bench:run", "the benchmarks, as a table")
    parser.add_argument(
        "scenarios", metavar="SCENARIO", nargs="*", help="what to measure; one of every ruleset if none"
    )
    parser.add_argument("--seconds", type=_seconds, default=1.0, metavar="S", help="time for each figure (default 1)")
    parser.add_argument("--profile", action="store_true", help="tell which rules take the time of random games")
    parser.add_argument(
        "--yardstick", metavar="FILE", help="a Python file with play_random(seed): the same game written by hand"
    )
    parser.add_argument(
        "--odds", metavar="PROCEDURE", help="measure the exact odds of a procedure, against dice that come as near"
    )
    parser.add_argument("--given", metavar="FILE", help="the situation for --odds, as 'bicorne odds' takes it")


# ---------------------------------------------------------------- workshop
def _add_check(commands: Commands) -> None:
    parser = _command(commands, "check", "check:run", "check rulesets and scenarios: shapes, names, types, clauses")
    parser.add_argument(
        "targets", metavar="WHAT", nargs="*", help="rulesets, scenarios, folders or files; everything installed if none"
    )
    parser.add_argument("--format", choices=("text", "json", "github"), default="text", help="how findings are written")
    _with(parser)


def _add_test(commands: Commands) -> None:
    parser = _command(commands, "test", "test:run", "run the worked examples of rulesets")
    parser.add_argument("rulesets", metavar="RULESET", nargs="*", help="names or folders; everything installed if none")
    parser.add_argument("--only", action="append", default=[], metavar="EXAMPLE", help="this example (repeatable)")
    _option(parser)
    _with(parser)


def _add_explain(commands: Commands) -> None:
    parser = _command(commands, "explain", "explain:run", "what stands behind a clause, or a result in a log")
    parser.add_argument("target", metavar="RULESET|FILE", help="a ruleset; or a save or log, to list it")
    parser.add_argument("clause", metavar="CLAUSE", nargs="?", help="the id of a clause")
    parser.add_argument("--at", type=int, metavar="N", help="explain entry N of the save or log")
    _language(parser)
    _with(parser)


def _add_coverage(commands: Commands) -> None:
    text = "clauses implemented, exercised by examples and in random play, and not at all"
    parser = _command(commands, "coverage", "reports:coverage", text)
    parser.add_argument("ruleset", metavar="RULESET")
    parser.add_argument("--games", type=_natural, default=20, metavar="N", help="random games to watch (default 20)")
    parser.add_argument("--all", action="store_true", help="list every clause with what implements it")
    _with(parser)


def _add_provenance(commands: Commands) -> None:
    text = "every figure by standing: stated, derived, found, reconstructed"
    parser = _command(commands, "provenance", "reports:provenance", text)
    parser.add_argument("ruleset", metavar="RULESET")
    parser.add_argument("--all", action="store_true", help="list the stated figures too")
    _with(parser)


def _add_diff(commands: Commands) -> None:
    parser = _command(commands, "diff", "diff:run", "what overlays change, in the ruleset's own terms")
    parser.add_argument("ruleset", metavar="RULESET")
    _with(parser)
    _option(parser)
    parser.add_argument("--write", metavar="DIR", help="write the ruleset out as it is under the overlays")
    parser.add_argument(
        "--no-examples",
        dest="examples",
        action="store_false",
        help="leave out which worked examples come out otherwise",
    )


def _add_mutate(commands: Commands) -> None:
    text = "how many small wrong changes to its rules a ruleset's examples and invariants notice"
    parser = _command(commands, "mutate", "mutate:run", text)
    parser.add_argument("ruleset", metavar="RULESET")
    parser.add_argument("--only", metavar="PATH", help="rules whose path begins so, such as tables or procedures/rout")
    parser.add_argument("--sample", type=_natural, metavar="N", help="try so many of the changes, drawn by --seed")
    parser.add_argument("--seed", type=_seed, default="0", help="of the sample (default 0)")
    parser.add_argument("--least", type=_percent, metavar="P", help="find fault if fewer than P per cent are noticed")
    parser.add_argument("--workers", type=_natural, metavar="W", help="processes (default: one for each core)")
    parser.add_argument("--all", action="store_true", help="list what was noticed too, and by what")


def _add_format(commands: Commands) -> None:
    parser = _command(commands, "format", "format:run", "rewrite ruleset documents in the one style")
    parser.add_argument("files", metavar="FILE", nargs="+", help="documents, or folders of them")
    parser.add_argument("--check", action="store_true", help="change nothing; say what is not in the style")


def _add_lsp(commands: Commands) -> None:
    _command(commands, "lsp", "lsp:run", "language server over standard input and output, for editors")


def _add_new(commands: Commands) -> None:
    parser = _command(commands, "new", "new:run", "a small complete ruleset to start from")
    parser.add_argument("what", choices=("ruleset",), help="what to make")
    parser.add_argument("name", metavar="NAME", help="its name, which is the new folder's too")
    parser.add_argument("--into", metavar="DIR", default=".", help="where the folder is made (default: here)")


_PLAY: tuple[Callable[[Commands], None], ...] = (_add_list, _add_play, _add_resume, _add_replay)
_RECKONING: tuple[Callable[[Commands], None], ...] = (_add_odds, _add_ask, _add_simulate, _add_bench)
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


def _percent(text: str) -> float:
    try:
        share = float(text.removesuffix("%"))
    except ValueError:
        share = -1.0
    if not 0 <= share <= 100:
        raise argparse.ArgumentTypeError(f"a percentage from 0 to 100 is needed, not '{text}'")
    return share


def _seconds(text: str) -> float:
    try:
        time = float(text)
    except ValueError:
        time = 0.0
    if not 0 < time <= 3_600:
        raise argparse.ArgumentTypeError(f"seconds above 0, up to an hour, are needed, not '{text}'")
    return time


def _natural(text: str) -> int:
    if not text.isdecimal() or len(text) > 4_000 or not 0 < int(text) <= 10**9:
        up_to = ", up to 1,000,000,000," if text.isdecimal() and text.strip("0") else ""
        raise argparse.ArgumentTypeError(f"a whole number from 1 on{up_to} is needed, not '{text}'")
    return int(text)


def _seed(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(
            f"a number or a text is needed, not bytes that are no UTF-8: {text!a}"
        ) from None
    return text
