"""The reasons each request may be refused for: read off the server, and held against what it does by the tests."""

from collections.abc import Mapping

from put_protocol.refusals import RefusalCode as Code

ANYWHERE = (Code.BAD_REQUEST, Code.TOO_FAST, Code.NOT_CARRIED_OUT)
"""Given by the connection, or to what `hello` names in `asked`; so not listed with each request."""

UNCOUNTED = ("act", "again", "cut")
"""Requests that are never too fast: the table itself sets their pace."""

CODES: Mapping[str, tuple[Code, ...]] = {
    "hello": (
        Code.VERSION,
        Code.WRONG_PASSWORD,
        Code.BAD_TOKEN,
        Code.BAD_NAME,
        Code.NAME_TAKEN,
        Code.SERVER_FULL,
        Code.DRAINING,
    ),
    "open": (Code.UNKNOWN_GAME, Code.BAD_OPTION, Code.TOO_MANY_TABLES, Code.SERVER_FULL, Code.DRAINING),
    "sit": (
        Code.UNKNOWN_TABLE,
        Code.WRONG_PASSCODE,
        Code.NOT_ADMITTED,
        Code.ALREADY_THERE,
        Code.GAME_IN_PLAY,
        Code.SEAT_TAKEN,
        Code.NO_SUCH_SEAT,
        Code.TOO_MANY_TABLES,
        Code.DRAINING,
    ),
    "stand": (Code.UNKNOWN_TABLE, Code.NOT_THERE, Code.GAME_IN_PLAY),
    "watch": (
        Code.UNKNOWN_TABLE,
        Code.WRONG_PASSCODE,
        Code.ALREADY_THERE,
        Code.GALLERY_SHUT,
        Code.TOO_MANY_TABLES,
    ),
    "leave": (Code.UNKNOWN_TABLE, Code.NOT_THERE),
    "resign": (Code.UNKNOWN_TABLE, Code.NOT_THERE, Code.NO_GAME),
    "invite": (
        Code.UNKNOWN_TABLE,
        Code.NOT_THERE,
        Code.UNKNOWN_HOUSE,
        Code.UNKNOWN_PERSON,
        Code.NOT_ADMITTED,
        Code.ALREADY_THERE,
        Code.GAME_IN_PLAY,
        Code.SEAT_TAKEN,
        Code.NO_SUCH_SEAT,
        Code.DRAINING,
    ),
    "dismiss": (Code.UNKNOWN_TABLE, Code.NOT_THERE, Code.NO_SUCH_SEAT, Code.GAME_IN_PLAY),
    "again": (Code.UNKNOWN_TABLE, Code.NOT_THERE, Code.ALREADY_THERE, Code.GAME_IN_PLAY, Code.DRAINING),
    "pause": (Code.UNKNOWN_TABLE, Code.NOT_THERE, Code.NO_GAME, Code.PAUSED, Code.ALREADY_THERE),
    "go_on": (Code.UNKNOWN_TABLE, Code.NOT_THERE, Code.NO_GAME, Code.PAUSED, Code.ALREADY_THERE),
    "promise": (Code.UNKNOWN_TABLE, Code.NOT_THERE),
    "cut": (Code.UNKNOWN_TABLE, Code.NOT_THERE, Code.TOO_LATE, Code.BAD_CUT),
    "act": (
        Code.UNKNOWN_TABLE,
        Code.NOT_THERE,
        Code.NO_GAME,
        Code.PAUSED,
        Code.TOO_LATE,
        Code.NOT_YOUR_TURN,
        Code.ILLEGAL,
    ),
    "analyse": (Code.UNKNOWN_TABLE, Code.NOT_THERE, Code.GAME_IN_PLAY, Code.NO_GAME, Code.NOT_SOLVED),
    "drill": (Code.UNKNOWN_GAME, Code.BAD_OPTION, Code.NOT_SOLVED),
    "grade": (Code.UNKNOWN_GAME, Code.BAD_OPTION, Code.NOT_SOLVED),
    "say": (Code.UNKNOWN_TABLE, Code.NOT_THERE, Code.BAD_TALK),
}
"""By the request's `type`, in the order in which a program should think of them."""
