"""A decision as numbers: a seat's knowledge in the form in which the networks of `sharp` were trained.

Suits do not matter, so a card is its strength: 12 is the best, and a shortened pack lacks low cards. Players are
counted from the seat to move. Of partners only those who play the hand count.
"""

from collections.abc import Collection, Mapping, Sequence

from put_protocol.cards import rank_of
from put_protocol.games.put import Double, Moment, Pass, Play, Put, PutAction, PutView, See, ThrowIn
from put_protocol.seats import Seat
from put_server.house.put.observation import Observation, leader_of
from put_server.house.put.score_values import ScoreUtility, StakeRule

FEATURES = 156

PUT, SEE, THROW, PASS, ACTIONS = range(5, 10)
"""Actions after those for the cards (best card first); and the number of all actions."""

_WORDS: Mapping[type[PutAction], int] = {Put: PUT, Double: PUT, See: SEE, ThrowIn: THROW, Pass: PASS}

_RANKS = 13
_MOMENTS: Mapping[Moment, int] = {
    Moment.OPENING: 43,
    Moment.LEAD: 44,
    Moment.REPLY: 45,
    Moment.ANSWER: 46,
    Moment.LAST_SAY: 47,
}
"""The number that is 1 at each moment of the play."""


def numbered(actions: Sequence[PutAction], view: PutView, observation: Observation) -> dict[int, PutAction]:
    """Actions of the play by number; of several cards of one rank the first. Empty: it is no moment of the play."""
    found: dict[int, PutAction] = {}
    if view.moment in _MOMENTS:
        for action in actions:
            if isinstance(action, Play):
                strength = len(view.ranking) - 1 - view.ranking.index(rank_of(action.card))
                found.setdefault(observation.distinct.index(strength), action)
            elif type(action) in _WORDS:
                found[_WORDS[type(action)]] = action
    return found


def players_of(view: PutView, seat: Seat) -> tuple[Seat, ...]:
    """Those who were dealt into the hand, from this seat on."""
    count = len(view.scores)
    return tuple([Seat(s % count) for s in range(seat, seat + count) if s % count not in view.givers])


def features_of(
    view: PutView,
    observation: Observation,
    utility: ScoreUtility,
    numbers: Collection[int],
    options: Mapping[str, str | int],
) -> list[float]:
    """All numbers of a decision, for which `numbers` are legal."""
    assert view.moment is not None
    assert view.eldest is not None
    found = [0.0] * FEATURES
    seat = Seat(observation.seat)
    players = players_of(view, seat)
    count = len(players)
    # What is at stake.
    found[0] = utility.now
    for place, player in enumerate(players):
        found[1 + place] = utility.after_point(player)
    if utility.stake_rule is StakeRule.DOUBLED:
        found[5], found[6] = [utility.after_point(player, 2) for player in players]
    found[7] = 0.0 if options.get("drawn_put") == "anew" else utility.now
    found[8] = float(options.get("outright") == "double")
    found[9] = float(observation.are_receivers)
    found[8 + count] = 1.0
    pack = len(view.ranking)
    found[13 if pack == _RANKS else 14 if pack == 8 else 15] = 1.0
    for at in range(3):
        found[16 + at] = float(view.value >= 2 << at)
    found[19 + len(view.cards) + (seat in view.trick.seats)] = 1.0
    # What each player has done.
    leader = leader_of(view, view.eldest)
    while not view.playing[leader] and not view.trick.seats:
        leader = Seat((leader + 1) % len(view.scores))
    found[48 + players.index(leader)] = 1.0
    for place, player in enumerate(players):
        found[25 + place] = float(view.tricks[player])
        found[32 + place] = float(player == view.putter)
        found[36 + place] = float(player in view.seen_by)
        if place and view.playing[player]:
            found[28 + place] = 1.0
            is_asked = view.moment is Moment.ANSWER and player != view.putter
            found[39 + place] = float(is_asked and player not in view.seen_by)
    found[_MOMENTS[view.moment]] = 1.0
    table = dict(observation.table)
    if view.moment in (Moment.LEAD, Moment.REPLY):
        found[57] = sum(other not in table for other in observation.others) / 3.0
    standing = {player: card for player, card in table.items() if view.playing[player]}
    lowest = _RANKS - pack
    if standing:
        best = max(standing.values())
        holders = [player for player, card in standing.items() if card == best]
        found[62 + lowest + best] = 1.0
        found[52 + players.index(Seat(holders[0])) if len(holders) == 1 else 56] = 1.0
    found[58] = float(seat == view.eldest)
    found[59] = float(PUT in numbers)
    found[60] = float(THROW in numbers)
    # The cards.
    for held in observation.held:
        found[75 + lowest + held] += 1.0
    for strength, unseen in enumerate(observation.unseen):
        found[88 + lowest + strength] = unseen / 4.0
    for trick in (*view.past, view.trick):
        for player, card in zip(trick.seats, trick.cards, strict=True):
            strength = _RANKS - 1 - view.ranking.index(rank_of(card))
            found[101 + _RANKS * players.index(player) + strength] += 1.0
    if options.get("tied_trick") == "first_winner":
        found[153] = 1.0
        first = next((trick.winner for trick in view.past if trick.winner is not None), None)
        if first is not None:
            found[154 if first == seat else 155] = 1.0
    return found
