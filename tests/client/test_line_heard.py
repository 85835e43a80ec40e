"""Line mode: what is said of every message."""

from dataclasses import replace
from typing import get_args

import pytest
from msgspec.structs import replace as altered

from put_client.sdk.deal_checks import CheckFailed, DealChecked, DealWarning
from put_client.sdk.lasting_wire import ConnectionBack, ConnectionLost
from put_client.sdk.traffic import Message
from put_protocol.cards import Card
from put_protocol.games.put import DidPut, GameEnded, GameWon, Played, Put
from put_protocol.games.unions import Choice
from put_protocol.messages import (
    Advice,
    Analysis,
    Decision,
    Events,
    Invited,
    Judgement,
    Left,
    LobbyState,
    Notice,
    Position,
    Recalled,
    TableSnapshot,
    Turn,
)
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted, PresenceChanged, Sat, Stood
from put_protocol.table_info import ClockInfo, PauseInfo, PersonInfo, SeatInfo, TableInfo, TableState
from put_text.catalogue import say_in_english, speaking
from put_text.plain.text_state import Asks, SendRequest, TextState, arrived
from put_text.translated import in_language, with_phrase
from tests.client.hearing import (
    AT_MOVE,
    MOVE,
    NAN,
    PLAYING,
    RESTING,
    SEATED,
    SNAPSHOT,
    VIEW,
    WATCHING,
    YOU,
    heard,
    understand,
    unlogged,
)
from tests.client.scripted_server import decision, events, info


def test_snapshot_says_where_we_are_and_the_whole_table() -> None:
    """Who comes to a table, or back to it, is told all there is."""
    known, said = heard(SNAPSHOT)
    assert (known.table, known.viewer, known.names) == (7, YOU, ("Moll", "Nan"))
    assert said[:3] == (
        "You are in seat 1 at table 7.",
        'Say "rules" to hear how it is played, and "why" when you wonder about your choices.',
        "Table 7, put-1674: you in seat 1, Nan in seat 2; game 1 is in play.",
    )
    assert said[-1] == "You are to lead."
    assert heard(altered(SNAPSHOT, viewer=GALLERY))[1][:2] == (
        "You are in the gallery of table 7.",
        "While a game is played, only the gallery hears what the gallery says.",
    )


def test_events_are_a_sentence_each() -> None:
    """Nothing is left out, and the order is kept."""
    _, said = heard(SNAPSHOT, events(4, Played(NAN, Card("2s")), DidPut(NAN)))
    assert said == ("Nan plays the 2 of spades.", "Nan puts: you must see it or throw in.")


def test_events_of_another_table_are_not_said() -> None:
    """Line mode is at one table."""
    assert heard(SNAPSHOT, events(1, DidPut(NAN), table=8)) == (heard(SNAPSHOT)[0], ())


def test_events_know_who_has_just_come_and_who_has_gone() -> None:
    """A name comes with the event; a player who left keeps it in the sentences that still follow."""
    came = altered(events(4, Sat(NAN, "Bess")), info=info(names=("Moll", "Bess")))
    known, said = heard(SNAPSHOT, came)
    assert said == ("Bess sits down in seat 2.",)
    left = altered(events(5, Stood(NAN, "Bess")), info=info(names=("Moll", None)))
    known, _ = heard(left, known=known)
    assert heard(events(6, DidPut(NAN)), known=known)[1] == ("Bess puts: you must see it or throw in.",)


def test_decision_is_said_with_every_choice() -> None:
    """The question, and all that may be answered, each with its number."""
    known, said = heard(SNAPSHOT, decision(3))
    assert known.decision == decision(3)
    assert said == (MOVE,)


def test_decision_is_over_when_somebody_else_is_to_move() -> None:
    """What time has decided is asked no more; what others do meanwhile changes nothing."""
    assert heard(events(4, DidPut(YOU)), known=AT_MOVE)[0].decision == decision()
    assert heard(altered(events(4, DidPut(YOU)), view=VIEW), known=AT_MOVE)[0].decision == decision()
    moved = altered(events(4, DidPut(YOU)), view=altered(VIEW, to_move=NAN))
    assert heard(moved, known=AT_MOVE)[0].decision is None


@pytest.mark.parametrize(
    ("told", "awaits"),
    [
        (info(TableState.PLAYING), True),
        (info(TableState.BETWEEN), False),
        (info(TableState.BETWEEN, agrees=(True, False)), True),
        (info(TableState.FILLING, agrees=(False, True)), False),
        (info(TableState.PAUSED, pause=PauseInfo(60)), False),
        (info(TableState.PAUSED, pause=PauseInfo(60, (NAN,))), False),
        (info(TableState.PAUSED, pause=PauseInfo(60, (YOU,))), True),
    ],
)
def test_move_is_awaited_as_the_table_says(told: TableInfo, awaits: bool) -> None:
    """Who has just sat down or asked for a game may be asked for a move, until the table tells otherwise."""
    known = arrived(SEATED, 7, YOU)
    assert known.awaits_move
    known, _ = heard(altered(events(4, DidPut(NAN)), info=told), known=known)
    assert known.awaits_move == awaits


def test_left_says_why_and_forgets_the_table() -> None:
    """Who was sent away is at no table."""
    known, said = heard(SNAPSHOT, Left(7, "the table was cleared away"))
    assert unlogged(known) == TextState()
    assert said == ("You are no longer at table 7: the table was cleared away.",)


def test_lobby_is_said_table_by_table() -> None:
    """Tables with all that matters for choosing one, then people."""
    house = TableInfo(
        id=9,
        game="put-1800",
        options={},
        seats=(SeatInfo(name="Ned", is_house=True, is_away=True), SeatInfo(name="Rob", is_bot=True), SeatInfo()),
        clock=ClockInfo(turn=30),
        state=TableState.BETWEEN,
        games=1,
        is_locked=True,
        is_gallery_open=False,
        is_exhibition=True,
    )
    people = (PersonInfo("Moll"), PersonInfo("Rob", is_bot=True))
    _, said = heard(LobbyState(begins=True, tables=(info(), house), people=people))
    assert said == (
        "Table 7, put-1674: Moll in seat 1, Nan in seat 2; it waits for players.",
        (
            "Table 9, put-1800: Ned (of the house, away) in seat 1, Rob (a bot) in seat 2, no player in seat 3; it is"
            " between games, 30 seconds a turn, a passcode is asked, no spectators, an exhibition, where nothing"
            " counts."
        ),
        "Here are: Moll, Rob (a bot).",
    )
    gone = altered(info(TableState.PLAYING, games=3), seats=(SeatInfo(name="Peg", is_gone=True), SeatInfo(name="Hal")))
    assert heard(LobbyState(tables=(gone, RESTING), people=(PersonInfo("Peg", is_away=True),)))[1] == (
        "Table 7, put-1674: Peg (gone) in seat 1, Hal in seat 2; game 3 is in play.",
        "Table 7, put-1674: Moll in seat 1, Nan in seat 2; game 1 is paused.",
        "Here are: Peg (away).",
    )
    assert heard(LobbyState(begins=True))[1] == ('No table is open. Say "open" to open one.',)
    assert heard(LobbyState(closed=(3,)))[1] == ()


def test_drop_and_return_are_said() -> None:
    """A lost connection takes the decision with it; a table that did not wait is forgotten."""
    known, said = heard(ConnectionLost("the wire dropped"), known=AT_MOVE)
    assert known.decision is None
    assert said == (
        'The connection is lost: the wire dropped. Waiting for the server to come back; type "quit" to stop waiting.',
    )
    back, said = heard(ConnectionBack((7,)), known=known)
    assert (unlogged(back), said) == (unlogged(known), ("The connection is back.",))
    gone, said = heard(ConnectionBack(()), known=known)
    assert unlogged(gone) == TextState()
    assert said == ("The connection is back, but table 7 has gone on without you.",)


def test_server_that_says_when_it_is_back_is_quoted() -> None:
    """Who waits knows how long."""
    _, said = heard(ConnectionLost("the server is stopping", back_s=570))
    says = "The connection is lost: the server is stopping. It should be back in about ten minutes; type"
    assert said == (f'{says} "quit" to stop waiting.',)


def test_own_coming_and_going_is_not_told_twice() -> None:
    """The connection said it; of the others it is news."""
    _, said = heard(SNAPSHOT, events(4, PresenceChanged(YOU, away=True), PresenceChanged(NAN, away=True)))
    assert said == ("Nan has lost the connection.",)


def test_game_is_introduced_once() -> None:
    """Its length and the order of the cards, when the first begins or is come upon; and where to hear more."""
    view = altered(VIEW, ranking=("3", "2", "A"), sides=(0, 1))
    introduced = (
        "The game is to five points.",
        "Cards rank, the best first, 3, 2 and ace.",
        "You are partners.",
        "Nan are partners.",
        'Say "rules" to hear how it is played, and "why" when you wonder about your choices.',
    )
    begins = altered(events(4, GameStarted(1, ("Moll", "Nan"))), view=view)
    known, said = heard(begins, known=SEATED)
    assert said == ("Game 1 begins: you and Nan play.", *introduced)
    assert heard(altered(begins, first=5), known=known)[1] == ("Game 1 begins: you and Nan play.",)
    known, said = heard(altered(SNAPSHOT, view=view))
    assert said[1 : len(introduced)] == introduced[1:]
    assert heard(begins, known=known)[1] == ("Game 1 begins: you and Nan play.",)


def test_end_of_a_game_says_what_may_be_done_next() -> None:
    """To those who sit; not between the games of a rubber, nor to the gallery."""
    over = GameEnded(how=GameWon.POINTS, winners=(YOU,), scores=(5, 0), paid=(1, -1))
    assert heard(events(4, over), known=AT_MOVE)[1][1:] == ('Say "again" for another game, or "leave".',)
    assert len(heard(events(4, altered(over, goes_on=True)), known=AT_MOVE)[1]) == 1
    assert len(heard(events(4, over), known=WATCHING)[1]) == 1


def test_decision_says_how_long_there_is_for_it() -> None:
    """Where there is a limit; and why it is these choices, for whoever asks."""
    known, said = heard(altered(decision(), turn_ms=30_000, why="Nobody has put"), known=AT_MOVE)
    assert said == (f"{MOVE} You have 30 seconds.",)
    assert understand("why", known, 0) == ("Nobody has put.",)


def test_choice_named_in_the_servers_words_is_no_talk() -> None:
    """`say "I put"` puts, also where the server adds what follows from it."""
    legal = (Choice(Put(), 'say "I put": they throw in for a point, or this hand decides the game'),)
    known, _ = heard(altered(decision(), legal=legal), known=AT_MOVE)
    for text in ('say "I put"', 'SAY "i put"', legal[0].says):
        order = understand(text, replace(known, asks=Asks.NOTHING), 0)
        assert isinstance(order, SendRequest)
        assert order.then is not None


def test_pause_is_told_with_the_table() -> None:
    """Who asks for one; and in one, who is ready and what ends it."""
    asked_for = altered(PLAYING, pause=PauseInfo(120, (NAN,)))
    _, said = heard(altered(SNAPSHOT, info=asked_for))
    assert said[3] == 'A pause of at most two hours is asked for by Nan. It begins when you agree: say "pause".'
    _, said = heard(altered(SNAPSHOT, info=RESTING))
    how = 'The game goes on when every player has said "go on", or when the time is up.'
    assert said[3] == how
    assert said[-1] == "You are to lead."
    ready = altered(RESTING, pause=PauseInfo(120, (YOU, NAN)))
    assert heard(altered(SNAPSHOT, info=ready))[1][3] == f"Ready to go on: you and Nan. {how}"


def test_clock_says_how_long_a_pause_may_last() -> None:
    """And nothing of the time for a move, which stands still."""
    turn = Turn(YOU, turn_ms=30_000, paused_ms=7_200_000)
    known, _ = heard(altered(SNAPSHOT, info=RESTING, turn=turn), now=1_000)
    said = understand("clock", known, 1_000 + 3_600_000)
    assert isinstance(said, tuple)
    assert said[-1] == "The game is paused, and goes on in one hour at most. No clock runs until then."


def test_notice_is_said_and_made_safe() -> None:
    """The operator's word reaches everyone, without control characters."""
    assert heard(Notice("we close\x1b[2J soon"))[1] == ("The operator says: We close[2J soon.",)


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "The server says: This server sends no push messages there."),
        ("fr", "Le serveur dit\N{NO-BREAK SPACE}: Ce serveur n'y envoie pas de notifications."),
    ],
)
def test_notice_of_the_server_itself_is_not_the_operators(language: str, says: str) -> None:
    """In each language, whether the server names the message of the catalogue or sends only its English."""
    notice = Notice(say_in_english("refused-push"))
    for told in (notice, with_phrase(notice)):
        with speaking(language):
            assert heard(in_language(told))[1] == (says,)


def test_warning_of_this_program_is_in_its_own_name() -> None:
    """In the log, too."""
    state, said = heard(DealWarning(7, "Your hand is lost."), known=SEATED)
    assert said == ("Your hand is lost.",)
    assert state.log[-1].full == "Your hand is lost."


@pytest.mark.parametrize(("seat", "words"), [(None, "sit 9"), (NAN, "sit 9 2")])
def test_invitation_says_what_to_say_to_sit_down(seat: Seat | None, words: str) -> None:
    """Who asks, where to, what is played there, and how to come."""
    known, said = heard(Invited(9, "Nan\x1b", altered(SNAPSHOT.info, id=9), seat), known=SEATED)
    assert said == (f'Nan asks you to table 9, put-1674: say "{words}" to sit down there.',)
    assert unlogged(known) == unlogged(SEATED)


def test_what_could_not_be_weighed_is_said_so() -> None:
    """And a position, a judgement or a game, which cannot be asked for in lines, is not said."""
    for told in (
        Analysis(7, 1, YOU, flaw="it failed"),
        Advice(1, 7, 1, flaw="it failed"),
    ):
        assert "t failed" in heard(told, known=SEATED)[1][0]
    for untold in (
        Position(1, "put-1674", flaw="it failed"),
        Judgement(1, 2, flaw="it failed"),
        Recalled(7, 1, YOU, flaw="it failed"),
    ):
        assert heard(untold, known=SEATED) == (SEATED, ())


def test_every_kind_of_message_is_tried_here() -> None:
    """The messages above leave no kind out."""
    tried = {TableSnapshot, Events, Decision, Left, LobbyState, ConnectionLost, ConnectionBack, Notice, Invited}
    tried |= {Advice, Analysis, Judgement, Position, Recalled}
    assert tried | {CheckFailed, DealChecked, DealWarning} == set(get_args(Message))
