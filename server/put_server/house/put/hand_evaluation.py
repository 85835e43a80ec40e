"""Three evaluations of a hand: perfect play between two, play by a rule, and a quick estimate of its strength.

- `lead_results` and `reply_results` search the end of a hand of two players who know each other's cards. At a table no
  player does; but averaged over all hands of the other, the errors of the two nearly cancel. The result is exact where
  it matters most: in the last trick, and in hands that cannot be lost.
- `play_out` uses one simple rule for all players, when the search is too slow because of many players or cards: lead
  the best card; take the trick as cheaply as possible as the last player, otherwise with the best card; throw the worst
  card if the trick cannot be taken.
- `strength` estimates a hand's chance without a search.

Cards are strengths (more is better), seats are indices in lists, and hands are sorted best card first. A result is 1
for a hand won, 0 for a drawn one, -1 for one lost.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb

Cards = tuple[int, ...]

_MEMORY = 1 << 14
"""Positions to cache: enough for all pairs of hands of three, in the form of `compress_ranks`."""


def compress_ranks(known: Iterable[int], highest: int) -> list[int]:
    """Renumber all strengths up to the highest, in the same order, with one number for equivalent strengths.

    Only comparisons between the two players' cards matter. `known` are all cards of one player: two strengths are
    equivalent if none of these lies between them. So two hundred thousand pairs of hands of three become some
    thousands, and their results fit a cache.
    """
    ranks, below, marked = set(known), 0, []
    for strength in range(highest + 1):
        is_known = strength in ranks
        marked.append(below + is_known)
        below += 2 * is_known
    return marked


@lru_cache(maxsize=_MEMORY)
def lead_results(mine: Cards, theirs: Cards, ahead: int) -> Cards:
    """Result of leading each own card; `ahead` is the player's lead in tricks."""
    # The other side's best is this side's worst.
    return tuple([-max(reply_results(theirs, _without(mine, at), card, -ahead)) for at, card in enumerate(mine)])


@lru_cache(maxsize=_MEMORY)
def reply_results(mine: Cards, theirs: Cards, led: int, ahead: int) -> Cards:
    """Result of playing each own card to the led one; `theirs` are the cards left to the other."""
    results = []
    for at, card in enumerate(mine):
        left = _without(mine, at)
        now = ahead + (card > led) - (card < led)
        if abs(now) > len(left) or not left:
            results.append((now > 0) - (now < 0))
        elif card > led:
            results.append(max(lead_results(left, theirs, now)))
        else:
            results.append(-max(lead_results(theirs, left, -now)))
    return tuple(results)


def _without(cards: Cards, at: int) -> Cards:
    return cards[:at] + cards[at + 1 :]


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
    """Result for `seat`. Hands are sorted best card first; `table` has seats and their cards in this trick.

    `first` is the card that the next player must play; None: by the rule. Players who are not in do not play, and their
    cards on the table do not count.
    """
    left = [list(cards) for cards in hands]
    taken = list(tricks)
    playing = [s for s, plays_on in enumerate(is_in) if plays_on]
    # Those who play on, from the leader or the first of them to the leader's left.
    order = [s for s in playing if s >= leader] + [s for s in playing if s < leader]
    best, taker = -1, -1
    for played, card in table:
        if is_in[played]:
            taker = played if card > best else -1 if card == best else taker
            best = max(best, card)
    have_played = [played for played, _ in table]
    waiting = [s for s in order if s not in have_played]
    while True:
        last = waiting[-1]
        for mover in waiting:
            cards = left[mover]
            if first is not None:
                card, first = first, None
                cards.remove(card)
            elif cards[0] <= best:
                card = cards.pop()
            elif mover != last:
                card = cards.pop(0)
            else:
                at = -1
                while cards[at] <= best:
                    at -= 1
                card = cards.pop(at)
            if card > best:
                best, taker = card, mover
            elif card == best:
                taker = -1
        if taker >= 0:
            taken[taker] += 1
            at = playing.index(taker)
            order = playing[at:] + playing[:at]
        most = sorted([taken[s] for s in playing])
        to_come = len(left[seat])
        if most[-1] > most[-2] + to_come:
            return 1 if taken[seat] == most[-1] else -1
        if to_come == 0:
            # A tie for most cancels the hand for all, also for whom it does not concern.
            return 0
        waiting, best, taker = order, -1, -1


@lru_cache(maxsize=1 << 14)  # two between whom a hand is exact ask for some thousands again and again
def strength(cards: Cards, ahead: int, led: int | None, ranks: int) -> float:
    """The chance to win if the best cards meet, then the second best, and so on; draws count half.

    `ahead` is the lead in tricks. `led` is the card to beat, with the cheapest card that can, otherwise the worst is
    thrown. `ranks` is the number of ranks.
    """
    if led is not None:
        played = reply(cards, led)
        at = cards.index(played)
        return strength(cards[:at] + cards[at + 1 :], ahead + (played > led) - (played < led), None, ranks)
    chances = {ahead: 1.0}
    for place, card in enumerate(cards):
        below, not_above = _below(place, len(cards), card, ranks), _below(place, len(cards), card + 1, ranks)
        after: dict[int, float] = {}
        for lead, likely in chances.items():
            for step, share in ((1, below), (0, not_above - below), (-1, 1 - not_above)):
                after[lead + step] = after.get(lead + step, 0.0) + likely * share
        chances = after
    return sum(likely * (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0) for lead, likely in chances.items())


def reply(cards: Cards, led: int) -> int:
    """The lowest card that takes the trick, otherwise the worst card."""
    for card in reversed(cards):
        if card > led:
            return card
    return cards[-1]


@lru_cache(maxsize=1024)
def _below(place: int, size: int, card: int, ranks: int) -> float:
    """The chance that the card at this index of a hand of this size, best first, is worse than `card`."""
    share = card / ranks
    return sum(
        [float(comb(size, above) * (1 - share) ** above * share ** (size - above)) for above in range(place + 1)]
    )
