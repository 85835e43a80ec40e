"""Views that a server forges while it proves its events: none is delivered, and each is told of as a failed check."""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from put_client.sdk.deal_checks import SealBroken
from put_protocol.cards import FULL_PACK, Card
from put_protocol.games.put import Dealt, Moment, PutView, Saw
from put_protocol.games.tricks import TrickView
from put_protocol.games.triomphe import TriompheView
from put_protocol.games.unions import GameView
from put_protocol.messages import Events, Say, ServerMessage, TableSnapshot, Turn
from put_protocol.seal.findings import Fault, Unproved
from put_protocol.seats import Seat
from put_protocol.table_events import GameStarted
from tests.client.checking_players import close
from tests.client.scripted_deals import MOLL, PLAYING, THEIRS, Seated, cut_of, dealing, dropped, heard, led, seated
from tests.client.scripted_deals import sealed as seal
from tests.client.scripted_server import Server

pytestmark = pytest.mark.usefixtures("no_referee")

Forge = Callable[[PutView], GameView]

NAN = Seat(1)
OPENING = PutView(5, (0, 0), ranking=("3", "2", "A"))
STARTED = GameStarted(1, ("Moll", "Nan"))


def opening_of_game(view: GameView = OPENING) -> Events:
    """The first message of a game, with the view that no event tells."""
    return Events(7, 1, (STARTED,), info=PLAYING, view=view)


async def at_hand(server: Server) -> tuple[Seated, PutView]:
    """In a seat, with a hand and the other's first card, all proved; and the view that follows."""
    who = await seated(server)
    sealing = seal(1, who.end, THEIRS.link(8))
    await heard(who, opening_of_game(), Events(7, 2, (sealing,)))
    deal = dealing(sealing, (await cut_of(who)).link, THEIRS.link(7))
    openings, played = led(deal)
    view = after_lead(deal.hand, played.card)
    events = Events(7, 5, (played,), view=view, turn=Turn(MOLL))
    came = await heard(who, deal.openings, Events(7, 3, (deal.cut, deal.hand)), openings, events)
    assert [message for message in came if isinstance(message, Events)][-1] == events, "an honest view is delivered"
    assert who.client.all_of(SealBroken) == []
    return who, view


def after_lead(hand: Dealt, card: Card) -> PutView:
    return replace(
        OPENING,
        hand=1,
        dealer=NAN,
        eldest=MOLL,
        cards=hand.cards,
        counts=(3, 2),
        playing=(True, True),
        tricks=(0, 0),
        trick=TrickView((NAN,), (card,)),
        to_move=MOLL,
        moment=Moment.REPLY,
    )


def other_hand(view: PutView) -> PutView:
    free = [card for card in FULL_PACK if card not in (*view.cards, *view.trick.cards)]
    return replace(view, cards=tuple(free[:3]))


def other_trick(view: PutView) -> PutView:
    return replace(view, trick=TrickView((NAN,), (view.cards[0],)))


def other_scores(view: PutView) -> PutView:
    return replace(view, scores=(0, 4))


def another_to_move(view: PutView) -> PutView:
    return replace(view, to_move=NAN)


def another_family(view: PutView) -> TriompheView:
    return TriompheView(hands=1, stake=1, force=Card("11t"), gains=(0, 0), cards=view.cards)


FORGERIES = [other_hand, other_trick, other_scores, another_family, another_to_move]


@pytest.mark.parametrize("forge", FORGERIES)
async def test_forged_view_of_events_is_never_delivered(server: Server, forge: Forge) -> None:
    """The fault is, and the view stays as it was. The table hears why; the view that was sent is in the evidence."""
    who, view = await at_hand(server)
    forged = forge(view)
    came = await heard(who, Events(7, 6, (), view=forged, turn=Turn(MOLL)), Events(7, 6, (), view=forged))
    assert [message.view for message in came if isinstance(message, Events)] == [None, None]
    check_told(who, forged)
    assert (await who.peer.hear(Say)).text.startswith("I stop: deal 1: the table was shown otherwise")
    await close(who.client)


@pytest.mark.parametrize("forge", FORGERIES[:4])
async def test_forged_snapshot_after_a_drop_is_never_delivered(server: Server, forge: Forge) -> None:
    """Where no event was missed, it has to be the table that we know."""
    who, view = await at_hand(server)
    forged = forge(view)
    await told_after_a_drop(who, server, TableSnapshot(7, MOLL, 5, PLAYING, forged, Turn(MOLL)), view)
    check_told(who, forged)


def played_on(view: PutView) -> PutView:
    """The viewer has answered the lead, and leads the next trick."""
    card, *rest = view.cards
    past = (TrickView((NAN, MOLL), (*view.trick.cards, card), MOLL),)
    return replace(view, cards=tuple(rest), counts=(2, 2), trick=TrickView(), past=past, tricks=(1, 0))


def next_hand(view: PutView) -> PutView:
    return replace(other_hand(view), hand=2, dealer=MOLL, eldest=NAN, trick=TrickView(), counts=(3, 3))


def other_card(view: PutView) -> PutView:
    """The trick as it was, and then another card of the other's, whom the events had play the first."""
    after = played_on(view)
    return replace(after, past=(replace(after.past[0], cards=after.past[0].cards[::-1]),))


def another_target(view: PutView) -> PutView:
    return replace(next_hand(view), target=3)


@pytest.mark.parametrize("forge", [other_hand, other_trick, other_card, another_target, another_family])
async def test_snapshot_in_place_of_missed_events_is_compared(server: Server, forge: Forge) -> None:
    """What was played in the hand lies where it did, nobody has cards that they had not, and the game is the same."""
    who, view = await at_hand(server)
    forged = forge(view)
    await told_after_a_drop(who, server, TableSnapshot(7, MOLL, 9, PLAYING, forged, Turn(MOLL)), view)
    check_told(who, forged)


@pytest.mark.parametrize("go_on", [played_on, next_hand])
async def test_snapshot_that_may_follow_is_delivered(server: Server, go_on: Forge) -> None:
    """But nothing of the deal is proved any more."""
    who, view = await at_hand(server)
    later = go_on(view)
    who = await dropped(who, server, TableSnapshot(7, MOLL, 9, PLAYING, later, Turn(MOLL)))
    came = await heard(who)
    assert [message.view for message in came if isinstance(message, TableSnapshot)] == [later]
    assert who.client.all_of(SealBroken) == []
    assert who.client.checks[-1].unproved is Unproved.MISSED
    await close(who.client)


@pytest.mark.parametrize("forge", FORGERIES)
async def test_forged_view_after_a_drop_is_never_delivered(server: Server, forge: Forge) -> None:
    """The events that were missed come, and with the last of them a view."""
    who, view = await at_hand(server)
    forged = forge(view)
    await told_after_a_drop(who, server, Events(7, 6, (), info=PLAYING, view=forged, turn=Turn(MOLL)), view)
    check_told(who, forged)


async def test_forged_opening_of_a_game_is_never_delivered(server: Server) -> None:
    """Nothing was dealt yet, so there is no card in it."""
    who = await seated(server)
    came = await heard(who, opening_of_game(replace(OPENING, cards=(Card("3s"),), counts=(1, 1))))
    assert [message.view for message in came if isinstance(message, Events)] == [None]
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.VIEW]
    await close(who.client)


async def test_words_of_the_server_are_not_delivered_where_the_client_has_its_own(server: Server) -> None:
    """They could tell another game than the events, which are proved."""
    who, view = await at_hand(server)
    seen = Saw(NAN)
    came = await heard(who, Events(7, 6, (seen,), says=("Nan throws in.",), board=("You have won.",)))
    assert came[0] == Events(7, 6, (seen,), view=replace(view, seen_by=(NAN,), to_move=None, moment=None))
    await close(who.client)


async def told_after_a_drop(who: Seated, server: Server, told: ServerMessage, view: PutView) -> None:
    """The connection drops, and this is told on the next one: what is delivered has the view that we know, or none."""
    who = await dropped(who, server, told)
    came = await heard(who)
    (shown,) = [message.view for message in came if isinstance(message, Events | TableSnapshot)]
    assert shown in (None, view)
    await close(who.client)


def check_told(who: Seated, forged: GameView) -> None:
    (broken,) = who.client.all_of(SealBroken)
    assert [failure.fault for failure in broken.error.failures] == [Fault.VIEW]
    assert broken.error.evidence is not None
    lines = [msgspec.json.decode(line) for line in broken.error.evidence.read_bytes().splitlines()]
    assert [line["view"] for line in lines if line.get("type") == "view"] == [
        msgspec.json.decode(msgspec.json.encode(forged))
    ]
