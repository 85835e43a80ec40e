"""Messages, structures, events and actions with every field, and the limits of wire and lobby, as Markdown.

Refusal codes are listed here by hand, and tests compare them with the server.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from textwrap import wrap
from types import ModuleType
from typing import NamedTuple

from msgspec import Struct

from put_protocol import limits, text
from put_protocol.games.families import FAMILIES
from put_protocol.refusals import RefusalCode
from put_protocol.refusals import RefusalCode as Code
from put_protocol.text import capitalized
from put_rules.registry import GAMES
from put_server.lobby import news, open_tables, passcodes, people, presence, table_access
from put_server.table import clock, event_log, seating, step_waits
from put_server.transport import rate_limit, session
from put_text.catalogue import listed
from scripts.reference.shapes import (
    ACTIONS,
    CLIENT,
    EVENTS,
    SERVER,
    TAGGED,
    VIEWS,
    Shape,
    docstrings_in,
    family_of,
    found_in,
    plain,
    shapes,
    structures,
    tag_of,
    title_of,
    vocabularies,
)


class Bound(NamedTuple):
    what: str
    module: ModuleType
    name: str


BOUNDS = (
    Bound("bytes in a frame or a line, without its length or line feed", limits, "FRAME_BYTES"),
    Bound("items in a list of yours", limits, "REQUEST_ARRAY_ITEMS"),
    Bound("items in a list of the server's", limits, "ARRAY_ITEMS"),
    Bound("fields of a map", limits, "MAP_ITEMS"),
    Bound("bytes in one run of bytes", limits, "BIN_BYTES"),
    Bound("characters in a name", text, "NAME_LENGTH"),
    Bound("characters in what you `say`", text, "TALK_LENGTH"),
    Bound("milliseconds from connecting to your first byte", limits, "STRANGER_MS"),
    Bound("milliseconds from your first byte to a whole `hello`", limits, "HELLO_MS"),
    Bound("milliseconds of your silence until the server pings", limits, "QUIET_MS"),
    Bound("milliseconds of your silence until you are taken for gone", limits, "DEAD_MS"),
    Bound("counted requests a second", rate_limit, "REQUESTS_PER_SECOND"),
    Bound("counted requests in one burst, and requests before `welcome`", rate_limit, "REQUESTS_AT_ONCE"),
    Bound(
        "counted requests that came too fast, until you are sent away; one in time makes up for ten",
        rate_limit,
        "REFUSALS_BEFORE_CLOSING",
    ),
    Bound("bytes that may wait for you to read", session, "OUTBOX_BYTES"),
    Bound("milliseconds for you to read the last words", session, "CLOSING_MS"),
    Bound("tables a person may sit at, watch, or have opened and not sat at", rate_limit, "TABLES_A_PERSON"),
    Bound("facts of a table that are kept for who comes back", event_log, "TAIL"),
    Bound("milliseconds for a part of a blind deal that the table waits for", step_waits, "STEP_MS"),
    Bound("minutes of the longest pause", limits, "PAUSE_MINUTES"),
    Bound("spectators at a table", seating, "GALLERY_SIZE"),
    Bound("milliseconds a table stays open at which no player has sat", open_tables, "FRESH_MS"),
    Bound("milliseconds a person is waited for who sits nowhere", presence, "GRACE_MS"),
    Bound("tables, and people, in one `lobby` message", news, "PAGE"),
    Bound("milliseconds between two pieces of news of the lobby or of a gallery", clock, "NEWS_MS"),
    Bound("wrong passcodes until a table hears none from you, or your address", passcodes, "FREE_GUESSES"),
    Bound("wrong passcodes, from all, until a table hears none from anybody", passcodes, "FREE_GUESSES_OF_ALL"),
    Bound("milliseconds for which it then hears none, doubled by each further one", passcodes, "FIRST_WAIT_MS"),
    Bound("milliseconds of the longest such time", passcodes, "LONGEST_WAIT_MS"),
    Bound("invitations to one guest in a minute, from one host", table_access, "FROM_ONE"),
    Bound("invitations to one guest in a minute, from one address", table_access, "FROM_AN_ADDRESS"),
    Bound("invitations to one guest in a minute, from all", table_access, "FROM_ALL"),
    Bound("people you may mute, and block", people, "MOST_HUSHED"),
)


ANYWHERE = (Code.BAD_REQUEST, Code.TOO_FAST, Code.NOT_CARRIED_OUT)
"""Given by the connection, or for requests listed in `asked`; so not listed for each request."""

_CODES = """
hello: version wrong_password bad_token bad_name name_taken server_full draining
open: unknown_game bad_option too_many_tables server_full draining unknown_house not_admitted
sit: unknown_table wrong_passcode not_admitted already_there game_in_play seat_taken no_such_seat \
    too_many_tables draining
stand: unknown_table not_there game_in_play
watch: unknown_table wrong_passcode not_admitted already_there gallery_shut too_many_tables
leave: unknown_table not_there
resign: unknown_table not_there no_game
invite: unknown_table not_there unknown_house unknown_person not_admitted already_there game_in_play seat_taken \
    no_such_seat draining
dismiss: unknown_table not_there no_such_seat unknown_person already_there game_in_play
again: unknown_table not_there already_there game_in_play too_late draining
pause: unknown_table not_there no_game paused already_there
mute: unknown_person already_there
block: unknown_person already_there
go_on: unknown_table not_there no_game paused already_there
refresh: unknown_table not_there
blind: unknown_table not_there bad_entry
act: unknown_table not_there no_game paused too_late not_your_turn illegal bad_entry
recall: unknown_table not_there game_in_play no_game
analyse: unknown_table not_there game_in_play no_game not_solved
coach: unknown_table not_there no_game paused not_your_turn against_people not_solved
drill: unknown_game bad_option not_solved
grade: unknown_game bad_option not_solved
say: unknown_table not_there bad_talk
"""

CODES: Mapping[str, tuple[Code, ...]] = {
    request: tuple(map(Code, codes.split()))
    for request, _, codes in (line.partition(": ") for line in _CODES.strip().splitlines())
}
"""Codes by the request's `type`, in the order in which a program should handle them."""


EITHER_WAY = tuple(kind for kind in CLIENT if kind in SERVER)
"""Heartbeats, listed once."""


def table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def folded(text: str) -> list[str]:
    """A paragraph wrapped to the usual width of these pages."""
    return wrap(text, 120, break_long_words=False, break_on_hyphens=False)


PRACTICE = frozenset(
    {"analyse", "recall", "coach", "drill", "grade", "analysis", "recalled", "advice", "position", "judgement"}
)
"""Messages about the worth of decisions, which players do not need: they are in an appendix."""


def _practice_messages() -> list[type[Struct]]:
    return [kind for kind in (*CLIENT, *SERVER) if tag_of(kind) in PRACTICE]


@cache
def practice_kinds() -> frozenset[type]:
    """Structures and enumerations used only by those messages."""
    practice = _practice_messages()
    return frozenset(found_in(practice)) - frozenset(found_in([kind for kind in TAGGED if kind not in practice]))


def _sections(kinds: Iterable[type[Struct]], *, of_practice: bool = False) -> list[str]:
    wanted = [kind for kind in kinds if (kind in practice_kinds()) is of_practice]
    return [line for kind in wanted for line in _section(kind, title_of(kind))][1:]


def put_view() -> list[str]:
    (kind,) = [kind for kind in VIEWS if tag_of(kind) == "put"]
    rows = [
        [
            f"`{shape.name}`",
            shape.type,
            "" if shape.absent is None else f"`{shape.absent}`",
            _cell(_sentence(shape.says)),
        ]
        for shape in shapes(kind)
    ]
    return [line.replace("](#", "](reference.md#") for line in table(["field", "type", "left out", "meaning"], rows)]


def _section(kind: type[Struct], title: str) -> Iterator[str]:
    yield from ("", f"#### {title}", "", *folded(plain(kind.__doc__)))
    yield ""
    if kind in VIEWS:
        yield f"- `{kind.__struct_config__.tag_field}`, `{tag_of(kind)}`: Tells views apart."
    for shape in shapes(kind):
        yield _item(shape)


def _item(shape: Shape) -> str:
    """A field: name, default, type, and meaning unless the name and type are enough."""
    absent = "" if shape.absent is None else f" = `{shape.absent}`"
    meaning = "" if shape.is_usual else f": {_sentence(shape.says)}"
    return f"- `{shape.name}`{absent}, {shape.type}{meaning}"


def class_table() -> list[str]:
    """Classes of events and actions by module, each with its name on the wire."""
    rows = []
    for title, kinds in (("events", EVENTS), ("actions", ACTIONS)):
        for module in dict.fromkeys(kind.__module__ for kind in kinds):
            named = [(kind.__name__, tag_of(kind)) for kind in kinds if kind.__module__ == module]
            rows.append([title, f"`{module}`", ", ".join(f"`{name}` (`{tag}`)" for name, tag in named)])
    return table(["", "module", "class (on the wire)"], rows)


def _by_family(kinds: tuple[type[Struct], ...], of_all: str, of_one: str) -> list[str]:
    """A table for types of no family, and one for each family."""
    lines: list[str] = []
    for name in (None, *FAMILIES):
        members = [kind for kind in kinds if family_of(kind) == name]
        if members:
            title = of_all if name is None else f"{of_one} {games_of(name)}"
            lines += ["", f"#### {title}", "", *_members(members)]
    return lines[1:]


def games_of(family: str) -> str:
    """A family by the titles of its games; for more than two games, by its name."""
    titles = [rule_set.offer.title for rule_set in GAMES.values() if rule_set.offer.family == family]
    return listed(titles, "and") if 0 < len(titles) < 3 else f"the {family} family"


def _members(kinds: Iterable[type[Struct]]) -> list[str]:
    """A list, with a list of its fields below each member. The `id` of requests is left out."""
    lines = []
    for kind in kinds:
        codes = CODES.get(tag_of(kind), ())
        refused = f" Refused as {listed([f'`{code}`' for code in codes], 'or')}." if codes else ""
        lines.append(f"- **`{tag_of(kind)}`** {plain(kind.__doc__)}{refused}")
        lines += [f"  {_item(shape)}" for shape in shapes(kind) if shape.name != "id" or kind not in CLIENT]
    return lines


def _vocabularies(*, of_practice: bool) -> list[str]:
    wanted = [kind for kind in vocabularies() if (kind in practice_kinds()) is of_practice]
    return [line for kind in wanted for line in _values(kind)]


def _values(kind: type[Enum]) -> Iterator[str]:
    said = docstrings_in(kind)
    yield from ("", f"#### {title_of(kind)}", "", *folded(plain(kind.__doc__)), "")
    for member in kind:
        yield f"- `{member.value}`: {_sentence(said[member.name])}"


def refusal_table() -> list[str]:
    said = docstrings_in(RefusalCode)
    return [f"- `{code.value}`: {said[code.name]}" for code in RefusalCode]


def _sentence(text: str) -> str:
    """The text with a capital and a full stop, for a cell of its own."""
    text = capitalized(text)
    return text if text.endswith((".", "?", '"')) else f"{text}."


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


PART_BY_MARK: Mapping[str, Callable[[], list[str]]] = {
    "client messages": lambda: _members([kind for kind in CLIENT if kind not in _practice_messages()]),
    "server messages": lambda: _members([kind for kind in SERVER if kind not in (*EITHER_WAY, *_practice_messages())]),
    "practice": lambda: _members(_practice_messages()),
    "practice structures": lambda: [
        *_sections(structures(), of_practice=True),
        *_vocabularies(of_practice=True),
    ],
    "structures": lambda: _sections(structures()),
    "views": lambda: _sections([kind for kind in VIEWS if tag_of(kind) != "put"]),  # the page of play has that
    "put view": put_view,
    "values": lambda: _vocabularies(of_practice=False)[1:],
    "actions": lambda: _by_family(ACTIONS, "Actions of any game", "Actions of"),
    "events with fields": lambda: _by_family(EVENTS, "Events of tables and of blind deals", "Events of"),
    "classes": class_table,
    "refusals": refusal_table,
    "limits": lambda: table(
        ["number", "of"], [[f"{getattr(bound.module, bound.name):,}", bound.what] for bound in BOUNDS]
    ),
}
