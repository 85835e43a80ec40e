"""The rule sets: one constant each, with its source and the rules for players.

A new rule set is a new constant here; CONTRIBUTING.md has the other steps. `prose` is for a player who has only a
screen: messages of the catalogue in order; a `Line` depends on the table's options. A page of docs/games/ has the long
form, with sources and examples.
"""

from put_protocol.games.put import Moment, Worth
from put_rules.prose import Gist, Line
from put_rules.put.rules import (
    DOUBLE,
    NINETEENTH_CENTURY,
    PASS,
    PUT,
    SEVENTEENTH_CENTURY,
    THROW_IN,
    HandRules,
    PutRules,
)

_EVERY_PUT = ("cut", "misdeals", "pack", "target")

# Lines of the rules that several rule sets share.
_CARDS = Line("pack", "rules-cards", is_gist=True)
_TRICK = (Gist("rules-trick"), "rules-tie", Line("tied_trick", "rules-tied-trick"))
_DEAL = Line("cut", "rules-deal")
_FINAL = Line("misdeals", "rules-final")
_TWO_OF_THREE = (
    Line("tied_trick", "rules-two-of-three", is_gist=True),
    Line("tied_trick", "rules-drawn-of-three"),
)
_MOST_TRICKS = (Gist("rules-most-tricks"), "rules-tie-for-most")
_GAME = Line("target", "rules-game")
_SIZES = Gist("rules-sizes")
_DRAWN_PUT = Line("drawn_put", "rules-drawn-put")
_STAGES = (
    *map(Gist, ("rules-stage-1", "rules-stage-2", "rules-stage-3", "rules-stage-4", "rules-stage-5")),
    "rules-stage-6",
    Gist("rules-stage-7"),
    "rules-stage-8",
)
_RECEIVERS = tuple(
    Line("two_handed", f"rules-receivers-{number}", isinstance(stage, Gist)) for number, stage in enumerate(_STAGES, 1)
)

PUT_1674 = PutRules(
    name="put-1674",
    title="offer-put-1674-title",
    source="Cotton 1674, Willughby c. 1665",
    summary="offer-put-1674-summary",
    prose=(
        _SIZES,
        _CARDS,
        "rules-eldest-left",
        *_TRICK,
        *_MOST_TRICKS,
        *map(Gist, ("rules-put-ever", "rules-put-answers", "rules-put-nobody", "rules-put-seen", "rules-put-game")),
        "rules-put-pay",
        _DRAWN_PUT,
        "rules-bluff",
        "rules-put-no-throwing-in",
        "rules-certain",
        _DEAL,
        _GAME,
        _FINAL,
    ),
    seats=(2, 3, 4),
    play=SEVENTEENTH_CENTURY,
    options=(*_EVERY_PUT, "drawn_put"),
)

PUT_1800 = PutRules(
    name="put-1800",
    title="offer-put-1800-title",
    source="Hoyle 1800, Enquire Within 1856",
    summary="offer-put-1800-summary",
    prose=(
        Gist("rules-two-players"),
        _CARDS,
        "rules-eldest-other",
        *_STAGES,
        *_TRICK,
        *_TWO_OF_THREE,
        "rules-after-put",
        "rules-after-third-chance",
        _DRAWN_PUT,
        "rules-bluff",
        "rules-one-point-left",
        _DEAL,
        Line("target", "rules-game-for-two"),
        _FINAL,
    ),
    seats=(2,),
    play=NINETEENTH_CENTURY,
    options=(*_EVERY_PUT, "drawn_put"),
    cut="low",
)

PUT_PARTNERS = PutRules(
    name="put-partners",
    title="offer-put-partners-title",
    source="Enquire Within 1856, Hoyle 1800",
    summary="offer-put-partners-summary",
    prose=(
        Gist("rules-partners"),
        _CARDS,
        Gist("rules-partners-give"),
        "rules-partners-asked",
        Gist("rules-partners-receive"),
        "rules-partners-eldest",
        *_RECEIVERS,
        *_TRICK,
        *_TWO_OF_THREE,
        _DRAWN_PUT,
        _DEAL,
        Line("target", "rules-game-for-pairs"),
        _FINAL,
    ),
    seats=(4,),
    play=NINETEENTH_CENTURY,
    options=(*_EVERY_PUT, "drawn_put", "two_handed"),
    is_partnership=True,
    cut="low",
    two_handed="put-1800",
)

PUT_PARLETT = PutRules(
    name="put-parlett",
    title="offer-put-parlett-title",
    source="Parlett 1994",
    summary="offer-put-parlett-summary",
    prose=(
        Gist("rules-two-players"),
        _CARDS,
        "rules-eldest-leads",
        *_TRICK,
        Gist("rules-parlett-game"),
        "rules-parlett-drawn",
        *map(Gist, ("rules-parlett-lead", "rules-stage-4", "rules-parlett-put")),
        "rules-parlett-asks",
        Line("target", "rules-parlett-points"),
        "rules-certain",
        _DEAL,
        Line("outright", "rules-parlett-pay"),
        _FINAL,
    ),
    seats=(2,),
    play=HandRules(
        may={Moment.LEAD: (PUT, THROW_IN), Moment.REPLY: ()},
        plain=Worth.GAME,
        is_final=False,
    ),
    options=(*_EVERY_PUT, "outright"),
)

PUT_TAVERN = PutRules(
    name="put-tavern",
    title="offer-put-tavern-title",
    source="offer-put-tavern-source",
    summary="offer-put-tavern-summary",
    prose=(
        _SIZES,
        _CARDS,
        "rules-eldest-left",
        Gist("rules-tavern-opening"),
        "rules-tavern-later",
        *map(Gist, ("rules-tavern-answers", "rules-tavern-nobody", "rules-tavern-seen", "rules-put-game")),
        "rules-tavern-pay",
        "rules-tavern-no-put",
        *_TRICK,
        *_MOST_TRICKS,
        _DRAWN_PUT,
        "rules-bluff",
        "rules-certain",
        _DEAL,
        _GAME,
        _FINAL,
    ),
    seats=(2, 3, 4),
    play=HandRules(may={Moment.OPENING: (PASS, PUT), Moment.LEAD: (), Moment.REPLY: ()}),
    options=(*_EVERY_PUT, "drawn_put"),
)

TRUC = PutRules(
    name="truc",
    title="offer-truc-title",
    source="Parlett 1994",
    summary="offer-truc-summary",
    prose=(
        Line("ranking", "rules-truc-pack", is_gist=True),
        Line("ranking", "rules-truc-cards", is_gist=True),
        "rules-eldest-leads",
        *_TRICK,
        *_TWO_OF_THREE,
        *map(Gist, ("rules-truc-worth", "rules-truc-double", "rules-truc-answer")),
        "rules-truc-again",
        "rules-no-throwing-in",
        "rules-truc-drawn",
        "rules-certain",
        _DEAL,
        Gist("rules-truc-game"),
        Line("rubber", "rules-truc-rubber"),
        _FINAL,
    ),
    seats=(2,),
    play=HandRules(may={Moment.LEAD: (DOUBLE,), Moment.REPLY: (DOUBLE,)}, accepted=Worth.VALUE, is_final=False),
    options=("cut", "ranking", "rubber", "tied_trick"),
    cut="low",
    ranking="french",
    rubber=2,
    target=12,
)

RULE_SETS = tuple(constant for constant in vars().values() if isinstance(constant, PutRules))
"""All of the above, in their order."""
