"""The beginner: leads its best card, takes a trick as cheaply as it can, and throws its worst card away."""

from collections.abc import Mapping

from put_protocol.games.triomphe import Play, TriompheView
from put_protocol.games.unions import Choice
from put_protocol.seats import Seat
from put_server.house.player import actions_of
from put_server.house.triomphe.reading import read
from put_server.house.triomphe.tarot import FOOL, NUMBERS, TRUMP, beats


class Beginner:
    """Looks at its own cards and the trick, and remembers nothing."""

    def choose(self, view: TriompheView, legal: tuple[Choice, ...], seat: Seat) -> Play:
        plays: dict[int, Play] = {NUMBERS[action.card]: action for action in actions_of(legal)}
        trick = read(view, seat).trick
        cheap = sorted(plays, key=height)
        if trick.best == FOOL:
            return plays[cheap[-1]]
        taking = [card for card in cheap if beats(card, trick.best)]
        return plays[(taking or cheap)[0]]

    def mixture(self, view: TriompheView, legal: tuple[Choice, ...], seat: Seat) -> Mapping[Play, float]:
        return {self.choose(view, legal, seat): 1.0}


def height(card: int) -> int:
    """The worth of a card to a beginner: any trump is better than a king, and a king of one suit as that of another."""
    if card == FOOL:
        return 0
    return card if card >= TRUMP else (card - 1) % 14 + 1
