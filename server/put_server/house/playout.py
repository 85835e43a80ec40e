"""An estimate of how a hand ends when more than two, or many cards, are in it: everyone plays by one plain rule.

The rule: lead the best card; take the trick as cheaply as the last player can, or with one's best card while others
are still to play; where it cannot be taken, throw the worst card to it.

Cards are strengths, more is better; seats are places in the lists. A result is as in `duel`, for one seat.
"""

from collections.abc import Sequence


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
    """The result for `seat`. Hands come best card first; `table` is seats and the cards they played to this trick.

    `first` is the card that the next to play is made to play; None: what the rule says. Who is not in takes no part,
    and their cards on the table are dead.
    """
    left = [list(cards) for cards in hands]
    taken = list(tricks)
    playing = [s for s, plays_on in enumerate(is_in) if plays_on]
    order = _from(leader, playing)
    best, taker = -1, -1
    for played, card in table:
        if is_in[played]:
            taker = played if card > best else -1 if card == best else taker
            best = max(best, card)
    waiting = [s for s in order if all(s != played for played, _ in table)] if table else order
    while True:
        for mover in waiting:
            cards = left[mover]
            if first is None:
                card = cards.pop(_place(cards, best, is_last=mover == waiting[-1]))
            else:
                card = first
                cards.remove(card)
                first = None
            if card > best:
                best, taker = card, mover
            elif card == best:
                taker = -1
        if taker >= 0:
            taken[taker] += 1
            order = _from(taker, playing)
        most = sorted([taken[s] for s in playing], reverse=True)
        to_come = len(left[seat])
        if most[0] > most[1] + to_come:
            return 1 if taken[seat] == most[0] else -1
        if to_come == 0:
            # A tie for most cancels the hand for all, also for whom it does not concern.
            return 0
        waiting, best, taker = order, -1, -1


def _from(leader: int, playing: Sequence[int]) -> list[int]:
    """Those who play on, from the leader or the first of them to the leader's left."""
    return [s for s in playing if s >= leader] + [s for s in playing if s < leader]


def _place(cards: Sequence[int], best: int, *, is_last: bool) -> int:
    """Where in the hand the card is that the rule has played."""
    if cards[0] <= best:
        return -1
    if not is_last:
        return 0
    at = len(cards) - 1
    while cards[at] <= best:
        at -= 1
    return at
