"""Primero on the screen: pot, bets and who answered, announcements, cards traded, the showdown, and the keys."""

import pytest
from msgspec.structs import replace

from put_client.sdk.deal_checks import DealChecked, ProofStanding
from put_client.tui.effects import NO_ID
from put_client.tui.model import Confirm, Model
from put_client.tui.widgets.canvas import Size
from put_protocol.cards import Card
from put_protocol.games.primero import (
    Announce,
    Bet,
    Bid,
    Category,
    Dealt,
    GoOn,
    HandEnded,
    HandWon,
    Moment,
    Pass,
    PrimeroAction,
    PrimeroView,
    Raise,
    Refuse,
    Refused,
    Saw,
    See,
    Showdown,
    ShownHand,
    Stand,
    Trade,
    Vada,
    Withdrawn,
)
from put_protocol.games.unions import Choice, Event
from put_protocol.messages import Act, Decision, Events, TableSnapshot, Turn
from put_protocol.offers import GameOffer
from put_protocol.seats import Direction, Seat
from put_protocol.table_events import GameStarted
from put_protocol.table_info import ClockInfo, SeatInfo, TableInfo, TableState
from tests.client.tui.sample_models import LARGE, SMALL, TABLE, WELCOME, after, screen, send_keys, table_of

WILL, MOLL, ANN, JACK, NAN, TOM = map(Seat, range(6))
NAMES = ("Will", "Moll", "Ann", "Jack", "Nan", "Tom")
CARDS = tuple(map(Card, ("7d", "As", "6s", "Kh")))
"""As they were dealt; laid out they are A♠ 6♠ K♥ 7♦ in their canonical order."""

OFFER = GameOffer(
    name="primero",
    title="Primero",
    source="1990",
    summary="A betting game.",
    seats=(3, 4, 5, 6),
    options=(),
    family="primero",
    direction=Direction.COUNTER_CLOCKWISE,
)
DEALT = Dealt(hand=2, dealer=TOM, eldest=WILL, counts=(2,) * 6, stock=28, antes=(1,) * 6, cards=CARDS[:2])


def view_of(**fields: object) -> PrimeroView:
    """In the second betting, with four cards."""
    view = PrimeroView(
        hands=12,
        limit=6,
        gains=(-3, 4, -1, 0, 0, 0),
        hand=2,
        dealer=TOM,
        eldest=WILL,
        cards=CARDS,
        counts=(4, 4, 4, 0, 4, 4),
        playing=(True, True, True, False, True, True),
        pot=24,
        level=8,
        bettor=MOLL,
        put_in=(2, 8, 2, 0, 2, 8),
        refused=(ANN,),
        barred=(NAN,),
        announced=(None, Category.FLUXUS, None, None, None, Category.NUMERUS),
        traded=(0, 2, 0, 0, 0, 0),
        stock=16,
        to_move=WILL,
        moment=Moment.ANSWER,
    )
    return replace(view, **fields)


def at_it(view: PrimeroView | None = None, *events: Event) -> Model:
    """At a table of six, with this to be seen after these events."""
    info = TableInfo(
        id=TABLE,
        game="primero",
        options={"limit": 6},
        seats=tuple([SeatInfo(name=name) for name in NAMES]),
        clock=ClockInfo(),
        state=TableState.PLAYING,
        games=1,
    )
    waiting = replace(info, games=0, state=TableState.FILLING)
    model = after(
        Model(welcome=replace(WELCOME, games=(OFFER,))),
        TableSnapshot(table=TABLE, viewer=WILL, number=1, info=waiting),
        Events(table=TABLE, first=1, events=(GameStarted(1, NAMES),), info=info, view=view_of(hand=0)),
    )
    events = events or (DEALT,)
    view = view or view_of()
    return after(model, Events(table=TABLE, first=2, events=events, view=view, turn=Turn(WILL)))


def asked(model: Model, *actions: PrimeroAction, says: str = "") -> Model:
    legal = tuple([Choice(action, says or type(action).__name__.lower()) for action in actions])
    return after(model, Decision(table=TABLE, decision=9, asks="See, raise or refuse?", legal=legal))


RAISES = tuple([Raise(amount) for amount in range(1, 7)])
ANSWERS: tuple[PrimeroAction, ...] = (See(), *RAISES, Refuse())
TRADES: tuple[Trade, ...] = (
    *[Trade((card,)) for card in CARDS],
    *[Trade((one, other)) for at, one in enumerate(CARDS) for other in CARDS[at + 1 :]],
)


@pytest.mark.parametrize("size", [SMALL, LARGE, Size(200, 60)])
def test_table_shows_everything_of_the_betting(size: Size) -> None:
    """The pot, the bet and by whom, what it costs, and how each stands: in, refused, out, barred, announced, traded."""
    text = screen(asked(at_it(), *ANSWERS), size)
    for words in (
        *("pot 24", "bet 8 by Moll", "6 to see it", "stock 16", " BET ", "in 8", "refused", "out", "barred"),
        *("says Fluxus", "says Numerus", "traded 2", "+4", "-3", "dealer", "hand 2 of 12"),
    ):
        assert words in text
    for name in NAMES:
        assert name in text


def test_smallest_screen_shows_the_bet_and_who_answered() -> None:
    """In one line a player."""
    text = screen(asked(at_it(), *ANSWERS), Size(60, 16))
    for words in (*NAMES, "BET", "refused", "out", "pot 24", "s see"):
        assert words in text


def test_next_player_sits_at_the_right() -> None:
    """Primero goes counter-clockwise."""
    row = next(row for row in screen(at_it()).splitlines() if "Moll" in row and "Tom" in row)
    assert row.index("Tom") < row.index("Moll")


def test_own_cards_lie_suit_by_suit() -> None:
    """With their digits."""
    row = next(row for row in screen(at_it()).splitlines() if "│6" in row)
    assert row.index("6") < row.index("A") < row.index("K") < row.index("7")


def test_bets_share_a_key_and_are_named_once() -> None:
    """In one line, however many there are."""
    assert "s see   + raise 1   2   3   4   5   6   f refuse" in screen(asked(at_it(), *ANSWERS))


def test_key_of_bets_chooses_a_higher_one_each_time_and_enter_does_it() -> None:
    """Nothing is bet by one key alone."""
    model, effects = send_keys(asked(at_it(), *ANSWERS), "+", "+")
    assert effects == ()
    assert "[2]" in screen(model)
    assert send_keys(model, "enter")[1] == (Act(NO_ID, TABLE, 9, Raise(2)),)


def test_digit_chooses_the_amount() -> None:
    """Wherever the bets stand in the list."""
    model, effects = send_keys(asked(at_it(), *ANSWERS), "5")
    assert effects == ()
    assert send_keys(model, "enter")[1] == (Act(NO_ID, TABLE, 9, Raise(5)),)
    first = asked(at_it(), *[Bet(amount) for amount in range(1, 7)], Pass())
    assert send_keys(first, "3", "enter")[1] == (Act(NO_ID, TABLE, 9, Bet(3)),)
    assert send_keys(first, "n")[1] == (Act(NO_ID, TABLE, 9, Pass()),)


def test_refusing_and_calling_vada_are_asked_about_once_more() -> None:
    """They decide the hand; seeing, which has its price before it, is not."""
    for key, action in (("f", Refuse()), ("d", Vada())):
        model, effects = send_keys(asked(at_it(), See(), GoOn(), action), key)
        assert isinstance(model.overlay, Confirm)
        assert effects == ()
        assert send_keys(model, "y")[1] == (Act(NO_ID, TABLE, 9, action),)
    assert send_keys(asked(at_it(), *ANSWERS), "s")[1] == (Act(NO_ID, TABLE, 9, See()),)
    assert send_keys(asked(at_it(), GoOn(), Vada()), "o")[1] == (Act(NO_ID, TABLE, 9, GoOn()),)


def test_digits_choose_the_cards_to_trade() -> None:
    """Each takes its card in or out; the cards chosen stand higher, and Enter trades them."""
    model = asked(at_it(view_of(moment=Moment.TRADE)), *TRADES, Stand())
    hand = [Card(card) for card in ("6s", "As", "Kh", "7d")]
    one, _ = send_keys(model, "2")
    assert "[2]" in screen(one)
    two, effects = send_keys(one, "4")
    assert effects == ()
    done = send_keys(two, "enter")[1]
    assert len(done) == 1
    assert isinstance(done[0], Act)
    assert isinstance(done[0].action, Trade)
    assert set(done[0].action.cards) == {hand[1], hand[3]}
    out, _ = send_keys(two, "2")
    done = send_keys(out, "enter")[1]
    assert done == (Act(NO_ID, TABLE, 9, Trade((hand[3],))),)
    assert send_keys(model, "k")[1] == (Act(NO_ID, TABLE, 9, Stand()),)


def test_digits_are_amounts_until_a_trade_is_chosen() -> None:
    """Before the first bet one may do either."""
    view = view_of(moment=Moment.OPEN, cards=CARDS[:2], level=0, bettor=None)
    trades = (Trade(CARDS[:1]), Trade(CARDS[1:2]), Trade(CARDS[:2]))
    model = asked(at_it(view), *[Bet(amount) for amount in range(1, 7)], *trades)
    assert send_keys(model, "2", "enter")[1] == (Act(NO_ID, TABLE, 9, Bet(2)),)
    done = send_keys(model, "x", "2", "enter")[1]
    assert isinstance(done[0], Act)
    assert done[0].action == Trade(CARDS[:2])


def test_announcements_are_numbered() -> None:
    """Each with its name."""
    model = asked(at_it(), *[Announce(category) for category in Category])
    assert "1 Numerus   2 Primero   3 Supremus   4 Fluxus   5 Chorus" in screen(model)
    assert send_keys(model, "4")[1] == (Act(NO_ID, TABLE, 9, Announce(Category.FLUXUS)),)


SHOWN = (
    ShownHand(WILL, CARDS, Category.NUMERUS, 34),
    ShownHand(MOLL, (Card("7s"), Card("5s"), Card("As"), Card("2s")), Category.FLUXUS, 64),
)
WON = (Showdown(SHOWN), HandEnded(HandWon.SHOWDOWN, MOLL, 24))


def test_showdown_shows_every_hand() -> None:
    """At the seats until the next deal."""
    view = view_of(shown=SHOWN, counts=(0,) * 6, level=0, bettor=None, pot=0, to_move=None, moment=None)
    text = screen(at_it(view, DEALT, *WON), LARGE)
    assert "7♠ 5♠ A♠ 2♠" in text
    assert "Fluxus 64" in text
    assert "[Moll]" in text


def test_last_showdown_stays_beside_the_next_hand() -> None:
    """Which is dealt at once; nobody could read it otherwise."""
    model = at_it(view_of(hand=3), DEALT, *WON, replace(DEALT, hand=3))
    for size in (SMALL, LARGE):
        text = screen(model, size)
        assert "The last showdown" in text
        assert "[Moll]  7♠ 5♠ A♠ 2♠" in text


def test_last_showdown_marks_cards_that_were_not_proved() -> None:
    """And so does the story."""
    model = at_it(view_of(hand=3), DEALT, *WON, replace(DEALT, hand=3, cards=(Card("3s"),)))
    proved = after(model, DealChecked(TABLE, ProofStanding.PROVED, None))
    assert "[Moll]  7♠ 5♠ A♠ 2♠" in screen(proved, LARGE)
    doubted = after(model, DealChecked(TABLE, ProofStanding.UNPROVED, None))
    for shown in (doubted, send_keys(doubted, "e")[0]):
        assert "[Moll]" in screen(shown, LARGE)
        assert "2♠?" in screen(shown, LARGE)


def test_story_tells_the_betting_and_who_gained() -> None:
    """In clauses, with the showdown under them."""
    betting = (
        Bid(MOLL, 2, 2, 2),
        Bid(ANN, 6, 8, 8),
        Refused(JACK),
        Withdrawn(ANN, 8, 2, MOLL),
        Saw(WILL, 2),
    )
    text = screen(send_keys(at_it(None, DEALT, *betting, *WON), "e")[0], LARGE)
    assert "2 -3 +21 -1 -1 -1 -1" in " ".join(text.split())
    assert "Moll bets 2; Ann raises the bet by 6 and pays 8; Jack refuses the bet;" in text
    assert "takes the pot of 24, for the best hand." in text
    assert "[Moll] 7♠ 5♠ A♠ 2♠ Fluxus 64" in text


def test_cards_laid_down_are_told_to_who_laid_them_down() -> None:
    """In their own line."""
    assert "laid down 2♣" in screen(at_it(view_of(thrown=(Card("2c"),), announced=())), LARGE)


def test_help_explains_the_keys_of_the_game() -> None:
    """As they are bound."""
    model, _ = send_keys(at_it(), "?")
    assert "choose how much to bet or raise by; Enter does it" in screen(model, LARGE)
    assert table_of(model).family == "primero"
