"""The gallery's sentences of a game of Put, without anything else: from them alone somebody knows how it stands."""

import random
import re

import pytest

from put_protocol.cards import Card, pack_of
from put_protocol.games.put import PutView
from put_protocol.seats import GALLERY
from put_rules.game import Over, Shuffle, Turn
from put_rules.registry import GAMES
from put_text import presenters
from put_text.catalogue import card_in_words

_CARD_SAID = r"(the (?:\d+|knave|queen|king|ace) of \w+)"
_NAMES = ("Ann", "Bess", "Cate", "Doll")
_CARDS = {
    card_in_words(card): card for card in pack_of(("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"))
}


class Listener:
    """Follows a game by ear: everything here was taken from the gallery's sentences."""

    def __init__(self, seats: int) -> None:
        self.names = _NAMES[:seats]
        self.scores: tuple[int, ...] = (0,) * seats
        self.tricks: tuple[int, ...] = ()
        self.dealer: str | None = None
        self.putter: str | None = None
        self.seers: list[str] = []
        self.trick: list[tuple[str, Card]] = []
        self.out: set[str] = set()
        self.winner: str | None = None
        self.purses: tuple[int, ...] = ()

    def hear(self, said: str) -> None:
        assert re.fullmatch(r"[A-Z][^\n]*[.]", said)
        if dealt := re.match(r"(\w+) deals hand", said):
            self.dealer, self.putter, self.seers, self.trick, self.out = dealt[1], None, [], [], set()
            self.tricks = (0,) * len(self.names)
        if played := re.fullmatch(rf"(\w+) (lead|play)s {_CARD_SAID}[.]", said):
            assert (played[2] == "lead") == (not self.trick)
            self.trick.append((played[1], _CARDS[played[3]]))
        if put := re.match(r"(\w+) puts:", said):
            self.putter = put[1]
        if saw := re.match(r"(\w+) sees the put", said):
            self.seers.append(saw[1])
        if out := re.match(r"(\w+) (?:throws in|runs out of time|gives up the game)", said):
            self.out.add(out[1])
        if re.search(r"rick \d is tied|takes trick \d", said):
            self.trick = []
            self.tricks = self.counted(said)
        if "score is" in said or "score stays" in said:
            self.scores = self.counted(said)
        if "scores go back to nothing" in said:
            self.scores = (0,) * len(self.names)
        if won := re.match(r"(\w+) wins the game", said):
            self.winner = won[1]
            words = {"one": 1, "two": 2, "three": 3}
            flows = {name: (words[n], verb) for name, verb, n in re.findall(r"(\w+) (pays|receives) (\w+) stake", said)}
            moved = [flows.get(name, (0, "")) for name in self.names]
            self.purses = tuple(-amount if verb == "pays" else amount for amount, verb in moved)

    def counted(self, said: str) -> tuple[int, ...]:
        return tuple(int(number) for name in self.names for number in re.findall(rf"{name} (\d+)", said))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_sentences_alone_tell_a_whole_game(seats: int, seed: int) -> None:
    """Who hears nothing but the gallery's sentences knows score, tricks, table, put and outcome after each step."""
    dice = random.Random(seed)
    game = GAMES["put-1674"].make(seats, {"drawn_put": dice.choice(("keep", "anew"))})
    listener = Listener(seats)
    state = game.begin(None)
    while True:
        awaits = game.awaits(state)
        if isinstance(awaits, Over):
            break
        if isinstance(awaits, Shuffle):
            state, facts = game.deal(state, tuple(dice.sample(awaits.cards, len(awaits.cards))))
        else:
            assert isinstance(awaits, Turn)
            state, facts = (
                game.act(state, dice.choice(game.legal(state))) if dice.random() < 0.98 else game.expire(state)
            )
        events = [event for fact in facts if (event := fact.seen_by(GALLERY)) is not None]
        for event in events:
            listener.hear(presenters.format_event(event, listener.names, you=GALLERY))
        view = game.view(state, GALLERY)
        assert isinstance(view, PutView)
        assert listener.scores == view.scores
        if view.to_move is not None:
            assert listener.tricks == view.tricks
            assert listener.trick == [(_NAMES[s], c) for s, c in zip(view.trick.seats, view.trick.cards, strict=True)]
            assert listener.putter == (None if view.putter is None else _NAMES[view.putter])
            assert listener.seers == [_NAMES[seat] for seat in view.seen_by]
            assert listener.out == {_NAMES[seat] for seat, is_in in enumerate(view.playing) if not is_in}
    paid = game.paid(state)
    assert listener.purses == paid
    assert listener.winner == _NAMES[max(range(seats), key=lambda seat: paid[seat])]
