"""The server's offers in sentences, and requests for a table in words. Pure; without knowledge of games.

Texts of the offers are translated here, because a person may choose another language at any time.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from put_protocol.messages import OpenTable, Welcome
from put_protocol.offers import GameOffer, OptionOffer
from put_protocol.table_info import Admits
from put_protocol.text import printable
from put_text.catalogue import listed, say
from put_text.translated import in_own_words

_OWN = {"gallery": ("open", "shut"), "admits": tuple(map(str, Admits))}
"""Values of options of a table."""

USUAL_GAME = "put-1674"


def whole(begun: str, words: Iterable[str]) -> str:
    """The only word with this beginning; otherwise the typed text."""
    found = [word for word in words if word.casefold().startswith(begun.casefold())]
    return found[0] if len(found) == 1 and begun else begun


def offer_of(welcome: Welcome, game: str) -> GameOffer | None:
    """The server's offer of a rule set, by its name or an abbreviation."""
    name = whole(game, [offer.name for offer in welcome.games])
    return next((offer for offer in welcome.games if offer.name == name), None)


def games(welcome: Welcome) -> tuple[str, ...]:
    named = [
        say("command-game", name=offer.name, seats=_either(offer.seats), **_titled(offer)) for offer in welcome.games
    ]
    return (*map(printable, named), say("command-say-game"))


def houses(welcome: Welcome) -> tuple[str, ...]:
    named = [say("command-house", name=house.name, meaning=in_own_words(house.meaning)) for house in welcome.houses]
    return (*map(printable, named), say("command-say-house"))


def rules(offer: GameOffer) -> tuple[str, ...]:
    heading = say("command-rules-of", **_titled(offer))
    return tuple(map(printable, (heading, *map(in_own_words, offer.rules or (offer.summary,)))))


def _titled(offer: GameOffer) -> Mapping[str, Any]:
    return {"title": in_own_words(offer.title), "source": in_own_words(offer.source)}


def options(offer: GameOffer, chosen: Mapping[str, int | str] | None = None) -> tuple[str, ...]:
    """Every option with its meaning and value: a table's choice, or the default."""
    said = []
    for option in offer.options:
        value = (chosen or {}).get(option.name, option.default)
        where, value = "default" if chosen is None else "here", "none" if value == "" else value
        about: dict[str, Any] = {
            "meaning": in_own_words(option.meaning),
            "range": _range(option),
            "where": where,
            "value": value,
        }
        said.append(say("command-option", name=option.name, **about))
    return tuple(map(printable, said)) or (say("command-no-options", game=printable(offer.name)),)


def _range(option: OptionOffer) -> str:
    if option.values:
        return _either(option.values)
    if option.least is None or option.most is None:
        return "none"
    return say("command-range", least=option.least, most=option.most)


def _either(values: Sequence[object]) -> str:
    return listed([str(value) for value in values], "or")


def wanted(words: Sequence[str], welcome: Welcome) -> OpenTable | str:
    """The request, without an id, for words such as `put-1674 3 target=7 turn=30`; or a sentence that helps to correct
    them.

    The server decides whether a value is valid.
    """
    plain = [word for word in words if "=" not in word]
    game = plain[0] if plain else USUAL_GAME
    offer = offer_of(welcome, game)
    if offer is None:
        return say("command-no-game", game=printable(game)[:40])
    game = offer.name
    seats = whole_number(plain[1]) if len(plain) > 1 else min(offer.seats)
    if seats is None or len(plain) > 2:
        return say("command-how-many", game=game, seats=min(offer.seats))
    known = {option.name: option for option in offer.options}
    options: dict[str, int | str] = {}
    own = {"turn": "0", "bank": "300", "passcode": "", "gallery": "open", "admits": "all"}
    for begun, _, value in (word.partition("=") for word in words if "=" in word):
        name = whole(begun, [*known, *own])
        if name in known:
            value = whole(value, map(str, known[name].values))
            if known[name].longest is not None:
                value = value.replace(",", " ")  # a blank would begin another word
            options[name] = (
                int(value) if isinstance(known[name].default, int) and whole_number(value) is not None else value
            )
        elif name in own:
            own[name] = whole(value, _OWN.get(name, ()))
        else:
            return say("command-no-option", name=printable(name)[:40], game=game, options=[*known, *own])
    turn, bank = whole_number(own["turn"]), whole_number(own["bank"])
    if turn is None or bank is None:
        return say("command-seconds")
    if own["gallery"] not in ("open", "shut"):
        return say("command-gallery")
    if own["admits"] not in [*Admits]:
        return say("command-admits")
    return OpenTable(
        0,
        game=game,
        seats=seats,
        options=options,
        turn=turn,
        bank=bank,
        passcode=own["passcode"],
        gallery=own["gallery"] == "open",
        admits=Admits(own["admits"]),
    )


def whole_number(text: str) -> int | None:
    """The number in a typed word; None: no number, or too long."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
