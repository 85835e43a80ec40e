"""Limits in the reference: every bound of wire and lobby, and what each request may be refused for.

The reasons for refusals are read off the server, and held against what it does by the tests.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import NamedTuple

from put_protocol import limits, text
from put_protocol.refusals import RefusalCode as Code
from put_server.lobby import invitations, news, open_tables, passcodes, people, presence
from put_server.table import event_log, gallery_news, sealed_deal, seating
from put_server.transport import rate_limit, session


class Bound(NamedTuple):
    what: str
    """The things it counts."""
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
    Bound("milliseconds to cut a sealed deal", sealed_deal, "CUT_MS"),
    Bound("minutes of the longest pause", limits, "PAUSE_MINUTES"),
    Bound("spectators at a table", seating, "GALLERY_SIZE"),
    Bound("milliseconds a table stays open at which no player has sat", open_tables, "FRESH_MS"),
    Bound("milliseconds a person is waited for who sits nowhere", presence, "GRACE_MS"),
    Bound("tables, and people, in one `lobby` message", news, "PAGE"),
    Bound("milliseconds between two pieces of news of the lobby or of a gallery", gallery_news, "NEWS_MS"),
    Bound("wrong passcodes until a table hears none from you, or your address", passcodes, "FREE_GUESSES"),
    Bound("wrong passcodes, from all, until a table hears none from anybody", passcodes, "FREE_GUESSES_OF_ALL"),
    Bound("milliseconds for which it then hears none, doubled by each further one", passcodes, "FIRST_WAIT_MS"),
    Bound("milliseconds of the longest such time", passcodes, "LONGEST_WAIT_MS"),
    Bound("invitations to one guest in a minute, from one host", invitations, "FROM_ONE"),
    Bound("invitations to one guest in a minute, from one address", invitations, "FROM_AN_ADDRESS"),
    Bound("invitations to one guest in a minute, from all", invitations, "FROM_ALL"),
    Bound("people you may mute, and block", people, "MOST_HUSHED"),
)


ANYWHERE = (Code.BAD_REQUEST, Code.TOO_FAST, Code.NOT_CARRIED_OUT)
"""Given by the connection, or to what `hello` names in `asked`; so not listed with each request."""

UNCOUNTED = ("act", "again", "cut")
"""Requests that are never too fast: the table itself sets their pace."""

_CODES = """
hello: version wrong_password bad_token bad_name name_taken server_full draining
open: unknown_game bad_option too_many_tables server_full draining
sit: unknown_table wrong_passcode not_admitted already_there game_in_play seat_taken no_such_seat \
    too_many_tables draining
stand: unknown_table not_there game_in_play
watch: unknown_table wrong_passcode not_admitted already_there gallery_shut too_many_tables
leave: unknown_table not_there
resign: unknown_table not_there no_game
invite: unknown_table not_there unknown_house unknown_person not_admitted already_there game_in_play seat_taken \
    no_such_seat draining
dismiss: unknown_table not_there no_such_seat unknown_person already_there game_in_play
again: unknown_table not_there already_there game_in_play draining
pause: unknown_table not_there no_game paused already_there
mute: unknown_person already_there
block: unknown_person already_there
go_on: unknown_table not_there no_game paused already_there
promise: unknown_table not_there
cut: unknown_table not_there too_late bad_cut
refresh: unknown_table not_there
act: unknown_table not_there no_game paused too_late not_your_turn illegal
recall: unknown_table not_there game_in_play no_game
analyse: unknown_table not_there game_in_play no_game not_solved
coach: unknown_table not_there no_game paused not_your_turn not_solved against_people
drill: unknown_game bad_option not_solved
grade: unknown_game bad_option not_solved
say: unknown_table not_there bad_talk
"""

CODES: Mapping[str, tuple[Code, ...]] = {
    request: tuple(map(Code, codes.split()))
    for request, _, codes in (line.partition(": ") for line in _CODES.strip().splitlines())
}
"""Reasons by the request's `type`, in the order in which a program should think of them."""
