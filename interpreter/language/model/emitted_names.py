"""The names in emitted Python code, made so that no two that mean different things can be equal.

Every name of something in a ruleset has the form `prefix_id`, or `prefix_id:id` if several ids distinguish it; a name
that belongs to another name has the form `name::role`. In place of the colon there is a letter that looks like one, and
that no id can contain. Prefixes have no underscore, each belongs to one category, and no name of the engine begins
with one of them and an underscore. So the category, the ids and the role can be read back from any name.
"""

from __future__ import annotations

from typing import Final

SEPARATOR: Final = "\u02d0"
"""A letter that looks like a colon: identifiers of Python may contain it, ids of rulesets may not."""

CATEGORIES: Final[dict[str, Category]] = {}
"""The categories by their prefixes."""


class Category:
    """A category of names: its instances are called with ids, and return the name of what these ids distinguish."""

    __slots__ = ("_head", "meaning", "prefix")

    def __init__(self, prefix: str, meaning: str) -> None:
        if prefix in CATEGORIES or not prefix.isalpha():
            raise ValueError(f"'{prefix}' can't be a new prefix of names")
        CATEGORIES[prefix] = self
        self.prefix, self.meaning = prefix, meaning
        self._head = f"{prefix}_"

    def __call__(self, *ids: str) -> str:
        """Returns the name of what these ids distinguish; a dot in an id separates two."""
        return self._head + SEPARATOR.join(ids).replace(".", SEPARATOR)

    def owns(self, name: str) -> bool:
        """Whether a name belongs to this category, or to a name of it."""
        return name.startswith(self._head)

    def id(self, name: str) -> str:
        """Returns the only id in a name of this category."""
        return name.removeprefix(self._head)


SLOT = Category("a", "slot of an attribute or state value")
HOLDS = Category("c", "slot of the contents of a kind")
ALL = Category("all", "slot of the board: everything of a kind, or all words of an enum")
BY = Category("by", "slot of the board: pieces of a kind by an attribute, and by the kind of their holder")
LOCAL = Category("v", "parameter or local variable")
ITEM = Category("n", "local: the value of an item of a modifier list")
SET = Category("set", "local: a parameter of a search as a set")
DEFINITION = Category("d", "definition, computed attribute")
DEFAULT = Category("da", "default of an attribute")
STATE_DEFAULT = Category("ds", "default of a state value")
PROCEDURE = Category("p", "procedure")
BLOCKS = Category("q", "procedure as basic blocks (variant `odds`)")
OUTCOME = Category("o", "outcome of a procedure")
MODIFIERS = Category("m", "modifier list")
RESTRICTED = Category("b", "restriction list as a truth value")
RESTRICTIONS = Category("x", "restriction list as the reasons that hold")
SEARCH_RULE = Category("r", "search")
CUT_FINDER = Category("rc", "finds where a search is cut")
TABLE = Category("t", "table")
CELL = Category("tc", "record in a cell of a table")
MENU = Category("mo", "what a menu offers")
MENU_CHOICE = Category("mt", "asks for the choice of a menu and runs it")
LEGAL = Category("al", "whether an action is legal")
PICK = Category("ap", "options of a pick of an action")
ACTION = Category("ar", "what an action does")
ACTION_OPTION = Category("ACT", "action as an option of a menu")
STEP = Category("s", "what a step of the sequence does")
STEP_WHEN = Category("sw", "`when` of a step")
STEP_EACH = Category("se", "`each` of a step")
STEP_REPEAT = Category("sr", "`repeat` of a step")
STEP_UNTIL = Category("su", "`until` of a step")
VIEW_WHEN = Category("vw", "`when` of a view")
VIEW_SEEN_BY = Category("vs", "`seen_by` of a view")
PRIOR = Category("pr", "prior")
INVARIANT = Category("iv", "invariant")
KIND = Category("k", "class of a kind")
WORD = Category("e", "word of an enum")
WORDS = Category("es", "all words of an enum")
INDIVIDUAL = Category("i", "individual")
FACES = Category("f", "faces of a kind of dice")
INSIDE = Category("in", "all of a kind inside a thing of another kind")
HOLDER = Category("up", "the nearest holder of a kind")
SHORT_FILTER = Category("some", "short filter, numbered")
DIVIDING = Category("di", "attribute of pieces that contents are divided by, numbered")
CONSTANT_FILTER = Category("few", "constant filter, numbered")

NOW: Final = "now"
"""The role of a memoized function: computes the result."""
KNOWN: Final = "known"
"""The role of a memo table."""
OWN: Final = "own"
"""The role of a definition without the dispatch to sub-kinds, and of a traced procedure without its events."""
BY_KIND: Final = "by_kind"
"""The role of a table from kinds to the functions of a computed attribute."""
CELLS: Final = "cells"
"""The role of the cells of a table whose keys are matched to headings."""
STEPS: Final = "steps"
"""The role of the function that returns the steps of a search from a space."""
KNOWN_STEPS: Final = "known_steps"
"""The role of the table that keeps these steps."""
KEPT: Final = "kept"
"""The role of the result of a constant filter."""


def part_of(name: str, role: str | int) -> str:
    """Returns the name of something that belongs to a name, in a role or by its number."""
    return f"{name}{SEPARATOR}{SEPARATOR}{role}"


def is_part(name: str, role: str) -> bool:
    """Whether a name belongs to another in this role."""
    return name.endswith(f"{SEPARATOR}{SEPARATOR}{role}")


def whole_of(name: str) -> str:
    """Returns the name to which a name belongs: itself if it belongs to no other."""
    return name.partition(SEPARATOR * 2)[0]


def prefix_of(name: str) -> str:
    """Returns the prefix of a name of any category."""
    return name.partition("_")[0]


def ids_of(name: str) -> tuple[str, ...]:
    """Returns the ids in a name of any category."""
    return tuple(whole_of(name).partition("_")[2].split(SEPARATOR))


def layer(rule: str, distinction: str | int) -> str:
    """Returns the name of an inner layer of a rule, which no id equals."""
    return f"{rule}{SEPARATOR}{distinction}"


def window_depth(window: str) -> str:
    """Returns the name of the state value that counts how deep a window is open in itself; no id equals it."""
    return layer(window, "depth")


def is_hidden_name(name: str) -> bool:
    """Whether no ruleset can give this name, so that no reader is shown what it names."""
    return SEPARATOR in name


def victory_rule(condition: str, role: str) -> str:
    """Returns the name of the definition of one text of a victory condition; no id begins with a digit."""
    return layer(layer("0victory", condition), role)


def note_role(note: str, value: str = "") -> str:
    """Returns the role of the condition of a note to a victory condition, or of one of its values."""
    return layer(layer("note_value", note), value) if value else layer("note", note)


def victory_role(name: str) -> str:
    """Returns the role of a definition that is a text of a victory condition, without the names of its note."""
    return name.split(SEPARATOR)[2]
