"""How a hand might end when more than two, or many cards, are in it: everyone plays by one plain rule.

The rule: lead the best card; take the trick as cheaply as the last player can, or with one's best card while others
are still to play; where it cannot be taken, throw the worst card to it.

Cards are strengths, more is better; seats are places in the lists. A result is as in `duel`, for one seat.
"""

from collections.abc import Sequence

Table = list[tuple[int, int]]
"""Seats and the cards they played to the trick on the table, in order."""


def play_out(
    *,
    seat: int,
    hands: Sequence[Sequence[int]],
    is_in: Sequence[bool],
    tricks: Sequence[int],
    table: Sequence[tuple[int, int]],
    leader: int,
    first: int | None = None,
) -> int:
    """The result for `seat`.

    `first` is the card that the next to play is made to play; None: what the rule says. Who is not in takes no part,
    and his cards on the table are dead.
    """
    seats = len(hands)
    left = [list(cards) for cards in hands]
    taken = list(tricks)
    trick = list(table)
    order = [s % seats for s in range(leader, leader + seats) if is_in[s % seats]]
    while True:
        best = max([card for s, card in trick if is_in[s]], default=-1)
        waiting = [s for s in order if all(s != played for played, _ in trick)]
        for place, mover in enumerate(waiting):
            card = _choose(left[mover], best, is_last=place == len(waiting) - 1) if first is None else first
            first = None
            left[mover].remove(card)
            trick.append((mover, card))
            best = max(best, card)
        takers = [s for s, card in trick if card == best and is_in[s]]
        if len(takers) == 1:
            leader = takers[0]
            taken[leader] += 1
            order = [s % seats for s in range(leader, leader + seats) if is_in[s % seats]]
        trick = []
        most = sorted((taken[s] for s in order), reverse=True)
        to_come = len(left[seat])
        if most[0] > most[1] + to_come:
            return 1 if taken[seat] == most[0] else -1
        if to_come == 0:
            # A tie for most cancels the hand for all, also for whom it does not concern.
            return 0


def _choose(cards: Sequence[int], best: int, *, is_last: bool) -> int:
    highest = max(cards)
    if highest < best:
        return min(cards)
    if is_last:
        return min([card for card in cards if card > best], default=min(cards))
    return highest if highest > best else min(cards)
