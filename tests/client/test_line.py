"""Line mode: what is said of every message, what every command comes to, and lines of any kind of file."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace as altered

from put_client.line import line_state
from put_client.line.line_mode import Lines, Session, run
from put_client.line.line_state import LineState
from put_client.sdk.client import Client, ConnectionBack, ConnectionLost, Message
from put_client.sdk.deal_checks import DealChecked, SealBroken, Standing
from put_client.sdk.errors import Cheated, Disconnected, Refusal
from put_protocol.cards import Card
from put_protocol.games.put import DidPut, GameEnded, GameWon, Moment, Play, Played, Put, PutView
from put_protocol.games.unions import Choice
from put_protocol.messages import (
    Act,
    Again,
    Analyse,
    Analysis,
    Bye,
    Decision,
    Dismiss,
    Events,
    Goodbye,
    GoOn,
    Invite,
    Invited,
    Judgement,
    Leave,
    Left,
    LobbyState,
    Look,
    LookAway,
    Notice,
    Ok,
    OpenTable,
    Pause,
    Position,
    Refused,
    Request,
    Resign,
    Say,
    ServerMessage,
    Sit,
    Stand,
    TableSnapshot,
    Turn,
    Watch,
)
from put_protocol.offers import GameOffer, HouseOffer
from put_protocol.refusals import RefusalCode
from put_protocol.seal.findings import Proof, Stage, Tally, Unproved
from put_protocol.seal_events import CutMade, CutsShown, DealVoided, Openings, Sealed
from put_protocol.seats import GALLERY, Seat
from put_protocol.table_events import GameStarted, PresenceChanged, Sat, Stood
from put_protocol.table_info import ClockInfo, PauseInfo, PersonInfo, SeatInfo, TableInfo, TableState
from put_server.app import serving
from put_server.settings import Settings
from put_text.plain import commands
from put_text.plain.commands import COMMANDS, Ask, Outcome, Quit, is_command
from put_text.plain.text_state import TextState, arrived, is_paused
from tests.client.scripted_server import OFFER, PATIENCE_S, Peer, Server, decision, events, info, welcome
from tests.client.sealed_deals import CAUGHT, TALLIES, WHY, called_off, checked, deal, unproved

YOU, NAN = Seat(0), Seat(1)
PLAYING = info(TableState.PLAYING, games=1)
RESTING = info(TableState.PAUSED, games=1, pause=PauseInfo(120))
VIEW = PutView(
    target=5,
    scores=(1, 2),
    hand=1,
    cards=(Card("3s"), Card("10h")),
    counts=(2, 2),
    playing=(True, True),
    tricks=(0, 0),
    to_move=YOU,
    moment=Moment.LEAD,
)
SNAPSHOT = TableSnapshot(table=7, viewer=YOU, number=3, info=PLAYING, view=VIEW)
MOVE = 'Your move. Lead to trick 1. You can: 1 lead the 3 of spades; 2 lead the 10 of hearts; 3 say "I put".'


def listened(*messages: Message, heard: LineState, now: int = 0) -> tuple[LineState, tuple[str, ...]]:
    """All that is remembered after these messages, and what is said of the last."""
    said: tuple[str, ...] = ()
    for message in messages:
        heard, said = line_state.apply_message(heard, message, now)
    return heard, said


def heard(*messages: Message, known: TextState | None = None, now: int = 0) -> tuple[TextState, tuple[str, ...]]:
    """What is known after these messages, and what is said of the last."""
    after, said = listened(*messages, heard=LineState(text=known or TextState()), now=now)
    return after.text, said


OTHER = GameOffer(name="put-1800", title="Later Put", source="Hoyle", summary="Stages.", seats=(2,), options=())
OFFERED = altered(
    welcome(), games=(OFFER, OTHER), houses=(HouseOffer("steady", "plays well"), HouseOffer("random", "plays anything"))
)


def understand(text: str, known: TextState, now: int = 0) -> Outcome:
    """What a line comes to at a server that offers these."""
    return seals(text, LineState(text=known), now)


def seals(text: str, heard: LineState, now: int = 0) -> Outcome:
    """The same for somebody who has deals to ask about."""
    return commands.interpret(text, heard.text, now, OFFERED, partial(line_state.seal, heard))


AT_MOVE, _ = heard(SNAPSHOT, decision())
SEATED, _ = heard(altered(SNAPSHOT, info=info(TableState.BETWEEN, games=1)))
WATCHING, _ = heard(altered(SNAPSHOT, viewer=GALLERY))


# --- what is said ---


def test_snapshot_says_where_we_are_and_the_whole_table() -> None:
    """Who comes to a table, or back to it, is told all there is."""
    known, said = heard(SNAPSHOT)
    assert (known.table, known.viewer, known.names) == (7, YOU, ("Moll", "Nan"))
    assert said[:3] == (
        "You are in seat 0 at table 7.",
        'Say "rules" to hear how it is played, and "why" when you wonder about your choices.',
        "Table 7, put-1674: Moll in seat 0, Nan in seat 1; game 1 is in play.",
    )
    assert said[-1] == "You are to lead."
    assert heard(altered(SNAPSHOT, viewer=GALLERY))[1][0] == "You are in the gallery of table 7."


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
    assert said == ("Bess sits down in seat 1.",)
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
    assert (known, said) == (TextState(), ("You are no longer at table 7: the table was cleared away.",))


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
        "Table 7, put-1674: Moll in seat 0, Nan in seat 1; it waits for players.",
        (
            "Table 9, put-1800: Ned (of the house, away) in seat 0, Rob (a bot) in seat 1, nobody in seat 2; it is"
            " between games, 30 seconds a turn, a passcode is asked, nobody may watch, an exhibition, where nothing"
            " counts."
        ),
        "Here are: Moll, Rob (a bot).",
    )
    gone = altered(info(TableState.PLAYING, games=3), seats=(SeatInfo(name="Peg", is_gone=True), SeatInfo(name="Hal")))
    assert heard(LobbyState(tables=(gone, RESTING), people=(PersonInfo("Peg", is_away=True),)))[1] == (
        "Table 7, put-1674: Peg (gone) in seat 0, Hal in seat 1; game 3 is in play.",
        "Table 7, put-1674: Moll in seat 0, Nan in seat 1; game 1 is paused.",
        "Here are: Peg (away).",
    )
    assert heard(LobbyState(begins=True))[1] == ('No table is open. Say "open" to open one.',)
    assert heard(LobbyState(closed=(3,)))[1] == ()


def test_drop_and_return_are_said() -> None:
    """A lost connection takes the decision with it; a table that did not wait is forgotten."""
    known, said = heard(ConnectionLost("the line dropped"), known=AT_MOVE)
    assert known.decision is None
    assert said == (
        'The connection is lost: the line dropped. Waiting for the server to come back; type "quit" to stop waiting.',
    )
    assert heard(ConnectionBack((7,)), known=known) == (known, ("The connection is back.",))
    assert heard(ConnectionBack(()), known=known) == (
        TextState(),
        ("The connection is back, but table 7 has gone on without you.",),
    )


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
        order = understand(text, known, 0)
        assert isinstance(order, Ask)
        assert order.then is not None


def test_pause_is_told_with_the_table() -> None:
    """Who asks for one; and in one, who is ready and what ends it."""
    asked_for = altered(PLAYING, pause=PauseInfo(120, (NAN,)))
    _, said = heard(altered(SNAPSHOT, info=asked_for))
    assert said[3] == "A pause of at most two hours is asked for by Nan."
    known, said = heard(altered(SNAPSHOT, info=RESTING))
    how = 'The game goes on when every player has said "go on", or when the time is up.'
    assert said[3] == how
    assert said[-1] == "You are to lead."
    ready = altered(RESTING, pause=PauseInfo(120, (YOU, NAN)))
    assert heard(altered(SNAPSHOT, info=ready))[1][3] == f"Ready to go on: you and Nan. {how}"
    assert not is_paused(AT_MOVE)
    assert is_paused(known)
    assert not is_paused(heard(altered(SNAPSHOT, info=RESTING, viewer=GALLERY))[0])


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


@pytest.mark.parametrize(("seat", "words"), [(None, "sit 9"), (NAN, "sit 9 1")])
def test_invitation_says_what_to_say_to_sit_down(seat: Seat | None, words: str) -> None:
    """Who asks, where to, what is played there, and how to come."""
    known, said = heard(Invited(9, "Nan\x1b", altered(SNAPSHOT.info, id=9), seat), known=SEATED)
    assert said == (f'Nan asks you to table 9, put-1674: say "{words}" to sit down there.',)
    assert known == SEATED


def test_what_could_not_be_weighed_is_said_so() -> None:
    """And a position, which cannot be asked for in lines, is not said."""
    for told in (Analysis(7, 1, YOU, flaw="it failed"), Judgement(1, 2, flaw="it failed")):
        assert "t failed" in heard(told, known=SEATED)[1][0]
    assert heard(Position(1, "put-1674", flaw="it failed"), known=SEATED) == (SEATED, ())


def test_every_kind_of_message_is_tried_here() -> None:
    """The messages above leave no kind out."""
    tried = {TableSnapshot, Events, Decision, Left, LobbyState, ConnectionLost, ConnectionBack, Notice, Invited}
    tried |= {Analysis, Judgement, Position}
    assert tried | {DealChecked, SealBroken, Openings} == set(get_args(Message))


# --- sealed deals ---


def test_deals_that_are_sealed_and_fair_are_not_spoken_of() -> None:
    """Seals, cuts, proofs and what comes of checking them are part of every deal; a void one is news."""
    cut = CutsShown(3, (bytes(32), None))
    seal = Sealed(3, (bytes(32), bytes(32)), (YOU, NAN), (bytes(32), None))
    made = CutMade(3, YOU, bytes(32))
    told = (events(4, seal), events(5, made), events(6, cut), Openings(7, 3), checked(deal(3)))
    heard = LineState(text=AT_MOVE)
    for message in told:
        heard, said = listened(message, heard=heard)
        assert said == ()
    assert listened(events(7, DealVoided(4, (NAN,))), heard=heard)[1] == (
        "Deal 4 is called off: Nan did not cut in time; nothing of it counts.",
    )


def test_seal_says_all_there_is_to_know_of_the_deal() -> None:
    """The words to be read aloud, who cut, which pack is played, and each card that was seen with its proof."""
    cards = (("3s", 0, Proof.PROVED), ("10h", 0, Proof.PROVED), ("Kd", 1, Proof.PROVED), ("4c", 1, Proof.AWAITED))
    heard, _ = listened(checked(deal(3, Stage.CUT, *cards)), heard=LineState(text=AT_MOVE))
    assert seals("seal", heard) == (
        "The deal in play is sealed, and all you saw of it is proved.",
        "The words of deal 3 are defib goral dibot razel: read them to each other.",
        "Cut by you.",
        "Nan takes no part in the cutting.",
        "The first pack is played; the second was turned up, and is whole.",
        "Proved: the 3 of spades and the 10 of hearts (you) and the king of diamonds (Nan).",
        "To be proved when the hand is over: the 4 of clubs (Nan).",
    )


def test_seal_speaks_of_any_deal_of_the_sitting() -> None:
    """By its number, also after the picture of the table came anew; and of none that was not."""
    heard = LineState(text=AT_MOVE)
    for number in (1, 2, 3):
        told = deal(2, Stage.VOID, blamed=(1,)) if number == 2 else deal(number)
        heard, _ = listened(checked(told), heard=heard)
    heard, _ = listened(checked(deal(1, is_whole=True)), SNAPSHOT, heard=heard)
    assert [one.deal for one in heard.deals] == [1, 2, 3]
    assert seals("seal 2", heard) == (
        "Deal 2 was called off because of Nan, and does not count. Both its packs were turned up, and are whole.",
    )
    whole = "The first pack is played, which was opened after the game and is whole, too; the second was turned up"
    assert any(says.startswith(whole) for says in seals("seal 1", heard))  # type: ignore[union-attr]  # said
    assert seals("seal 9", heard) == ("No deal 9 was sealed here while you were.",)
    assert seals("seal x", heard) == ('Which deal? For example: "seal", or "seal 3".',)
    elsewhere, _ = listened(Left(7, "it was cleared away"), altered(SNAPSHOT, table=8), heard=heard)
    assert elsewhere == LineState(text=elsewhere.text)
    assert seals("seal", elsewhere) == ("Nothing was dealt here yet.",)


def test_seal_says_nothing_of_a_table_where_nothing_was_dealt() -> None:
    """Though one came there, and is at it."""
    assert seals("seal", LineState(text=SEATED)) == ("Nothing was dealt here yet.",)
    heard, _ = listened(checked(None, None), heard=LineState(text=SEATED))
    assert seals("seal", heard) == ("Nothing was dealt here yet.",)


def test_every_reason_is_tried_here() -> None:
    """None is without its words."""
    assert set(WHY) == set(Unproved)


@pytest.mark.parametrize(("why", "says"), WHY.items())
def test_deal_that_is_not_proved_is_told_at_once(why: Unproved, says: str) -> None:
    """With the reason, once for each deal; and `seal` says it again, and of no earlier deal in its place."""
    heard, said = listened(checked(deal(3), tally=Tally(proved=1)), heard=LineState(text=AT_MOVE))
    assert said == ()
    heard, said = listened(unproved(why, Tally(proved=1)), heard=heard)
    assert said == (f"This deal is not proved: {says}.",)
    heard, said = listened(unproved(why, Tally(proved=1), told=deal(3)), heard=heard)
    assert said == ()
    assert seals("seal", heard) == (f"This deal is not proved: {says}.", "The one deal so far was proved.")
    heard, said = listened(unproved(why, Tally(proved=1, unproved=((why, 1),))), heard=heard)
    assert said == (f"This deal is not proved: {says}.",)


def test_deal_that_turns_out_not_to_be_proved_is_told_when_the_next_one_is_sealed() -> None:
    """What was missed is not this deal's; nor is any deal passed over where several were."""
    lost = Tally(unproved=((Unproved.MISSED, 1),))
    heard, _ = listened(checked(deal(3)), heard=LineState(text=AT_MOVE))
    sealed = altered(checked(deal(4, Stage.SEALED), Standing.AWAITED, tally=lost), unproved_deals=1)
    assert listened(sealed, heard=heard)[1] == (
        "The deal before is not proved: a part of it was lost with the connection.",
    )
    three = Tally(unproved=((Unproved.NOT_SEALED, 2), (Unproved.MISSED, 1)))
    told = altered(unproved(Unproved.NOT_SEALED, three), unproved_deals=3)
    assert listened(told, heard=heard)[1] == (
        "2 deals are not proved: nobody here cuts.",
        "The deal before is not proved: a part of it was lost with the connection.",
    )


@pytest.mark.parametrize("expected", TALLIES, ids=lambda told: told[1])
def test_end_of_a_game_tells_how_many_deals_were_proved(expected: tuple[Tally, *tuple[str, ...]]) -> None:
    """With what became of the others; and `seal` says the same at any time."""
    tally, *says = expected
    over = checked(deal(3), tally=tally, is_game_over=True)
    before = checked(deal(3), tally=altered(tally, called_off=()))
    heard, _ = listened(before, heard=LineState(text=AT_MOVE))
    heard, said = listened(altered(over, unproved_deals=sum(n for _, n in tally.unproved)), heard=heard)
    assert said == tuple(says)
    answer = seals("seal", heard)
    assert isinstance(answer, tuple)
    assert answer[1 : 1 + len(says)] == tuple(says)


def test_calling_off_more_deals_than_connections_were_lost_is_warned_of_at_once() -> None:
    """Once, when it is more than one too many: somebody may try which deals they like."""
    heard = LineState(text=AT_MOVE)
    for deals, drops in ((1, 0), (2, 1)):
        heard, said = listened(checked(deal(3), tally=called_off(1, deals, drops)), heard=heard)
        assert said == ()
    heard, said = listened(checked(deal(4), tally=called_off(1, 3, 1)), heard=heard)
    assert said == (
        (
            "Beware: 3 deals were called off because of Nan, and their connection was lost once. "
            "Somebody may be calling off deals that they do not like."
        ),
    )
    heard, said = listened(checked(deal(5), tally=called_off(1, 4, 1)), heard=heard)
    assert said == ()
    never, _ = listened(checked(deal(3)), heard=LineState(text=AT_MOVE))
    _, said = listened(checked(deal(4), tally=called_off(1, 2, 0)), heard=never)
    assert "and their connection was never lost." in said[0]


async def test_line_mode_tells_how_many_deals_were_proved_when_the_game_is_over() -> None:
    """Over a real server: behind the end of the game, with the last deal of it."""
    said: list[str] = []
    dealt = 1  # the draw for the deal, whoever has to draw again
    settings = Settings(host="127.0.0.1", port=0, data=":memory:")
    reading, writing = os.pipe()
    is_over = False

    def say(sentence: str) -> None:
        nonlocal dealt, is_over
        said.append(sentence)
        dealt += " deals hand " in sentence or " deal hand " in sentence
        if sentence.startswith("You are at no table."):
            os.write(writing, b"open put-1674\ninvite\n")
        elif sentence.startswith("Your move."):
            os.write(writing, b"1\n")
        elif " deals so far were " in sentence and not is_over:
            is_over = True
            os.write(writing, b"seal\nquit\n")

    async with (
        asyncio.timeout(PATIENCE_S * 3),
        serving(settings, thinks=False) as server,
        await Client.connect("127.0.0.1", server.port, name="Moll") as client,
    ):
        await run(client, table=None, watch=None, passcode="", descriptor=reading, say=say)
    os.close(writing)
    proved = f"All {dealt} deals so far were proved."
    assert said.count(proved) == 2, "at the end of the game, and when asked"
    place = said.index('Say "again" for another game, or "leave".')
    assert said[place + 1] == proved


def test_dealer_who_is_caught_is_told_at_once(tmp_path: Path) -> None:
    """With what was wrong and where the evidence is; the question that was open is none any more."""
    error = Cheated(7, (CAUGHT,), tmp_path / "told.jsonl")
    heard, said = listened(SealBroken(7, error), heard=LineState(text=AT_MOVE))
    assert heard.text.decision is None
    assert said[0].startswith(
        "The dealer at table 7 does not deal fairly. Deal 3, the 3 of spades, seat 1: it was shown without an opening. "
    )
    assert said[0].endswith(f" All that was told of it is kept in {tmp_path / 'told.jsonl'}.")
    assert said[1] == "The dealer was caught: nothing more is played here."
    broken = checked(deal(3, Stage.CUT, ("3s", 1, Proof.FAILED), failures=(CAUGHT,)), Standing.BROKEN)
    heard, _ = listened(broken, heard=heard)
    said = seals("seal", heard)  # type: ignore[assignment]  # sentences
    assert said[1] == CAUGHT.says
    assert said[-1] == "NOT PROVED: the 3 of spades (Nan)."


# --- commands ---


def asked(order: Outcome) -> list[Request]:
    """The requests an order comes to, if each is carried out."""
    made: list[Request] = []
    while isinstance(order, Ask):
        made.append(order.make(1))
        order = order.then(TextState(), Ok(1, table=7, seat=YOU))[1] if order.then is not None else ()
    return made


@pytest.mark.parametrize(
    ("text", "known", "requests"),
    [
        ("tables", TextState(), [Look(1), LookAway(1)]),
        ("LOBBY", TextState(), [Look(1), LookAway(1)]),
        ("who", TextState(), [Look(1), LookAway(1)]),
        ("open", TextState(), [OpenTable(1, "put-1674"), Sit(1, 7)]),
        ("open put-1800 4", TextState(), [OpenTable(1, "put-1800", 4), Sit(1, 7)]),
        (
            "open put-1674 target=7 turn=30 passcode=rose cut=low gallery=shut bank=0",
            TextState(),
            [
                OpenTable(1, "put-1674", 2, {"target": 7, "cut": "low"}, 30, 0, "rose", False),
                Sit(1, 7, passcode="rose"),
            ],
        ),
        ("sit 7", TextState(), [Sit(1, 7)]),
        ("sit 7 1", TextState(), [Sit(1, 7, NAN)]),
        ("sit 7 any secret", TextState(), [Sit(1, 7, passcode="secret")]),
        ("sit 7", WATCHING, [Sit(1, 7)]),
        ("watch 7", TextState(), [Watch(1, 7)]),
        ("watch 7 secret", TextState(), [Watch(1, 7, passcode="secret")]),
        ("invite", SEATED, [Invite(1, 7)]),
        ("invite 1", SEATED, [Invite(1, 7, NAN)]),
        ("invite random", SEATED, [Invite(1, 7, house="random")]),
        ("invite 1 random", SEATED, [Invite(1, 7, NAN, "random")]),
        ("dismiss 1", SEATED, [Dismiss(1, 7, NAN)]),
        ("stand", SEATED, [Stand(1, 7)]),
        ("leave", WATCHING, [Leave(1, 7)]),
        ("resign", AT_MOVE, [Resign(1, 7)]),
        ("again", SEATED, [Again(1, 7)]),
        ("pause", AT_MOVE, [Pause(1, 7)]),
        ("pause 2h", AT_MOVE, [Pause(1, 7, 120)]),
        ("go on", AT_MOVE, [GoOn(1, 7)]),
        ("goon", AT_MOVE, [GoOn(1, 7)]),
        ("say  well   played", SEATED, [Say(1, 7, "well played")]),
        ("say I put", AT_MOVE, [Say(1, 7, "I put")]),
        ("play 3s", AT_MOVE, [Act(1, 7, 1, Play(Card("3s")))]),
        ("#2", AT_MOVE, [Act(1, 7, 1, Play(Card("10h")))]),
        ("put", AT_MOVE, [Act(1, 7, 1, Put())]),
        ('say "I put"', AT_MOVE, [Act(1, 7, 1, Put())]),
    ],
)
def test_command_makes_its_requests(text: str, known: TextState, requests: list[Request]) -> None:
    """What is typed becomes these requests and no others."""
    assert asked(understand(text, known)) == requests


NOWHERE = (
    'You are at no table. Say "tables" to hear which there are, "games" what is played here, "open" to open one.',
)
GAMES = (
    "put-1674: Put, for 2 or 3 players. After Cotton 1674.",
    "put-1800: Later Put, for 2 players. After Hoyle.",
    'Say "rules" and a name to hear how it is played, "open" and the name to play it.',
)
RULES = ("Put, after Cotton 1674.", "Cards rank 3 2 A.", "Most tricks win.")


@pytest.mark.parametrize(
    ("text", "known", "said"),
    [
        ("hand", AT_MOVE, ("You hold the 3 of spades and the 10 of hearts.",)),
        ("hand", WATCHING, ("You hold no cards.",)),
        ("legal", AT_MOVE, ('You can: 1 lead the 3 of spades; 2 lead the 10 of hearts; 3 say "I put".',)),
        ("legal", SEATED, ("It is not your move.",)),
        ("table", TextState(), NOWHERE),
        (
            "score",
            AT_MOVE,
            (
                "The score is you 1, Nan 2.",
                "The purses, in stakes won less stakes lost, are you 0, Nan 0.",
            ),
        ),
        ("score", TextState(), NOWHERE),
        ("clock", TextState(), NOWHERE),
        (
            "who",
            SEATED,
            ("In seat 0: Moll (you).", "In seat 1: Nan.", "In the gallery: nobody."),
        ),
        ("stand", TextState(), NOWHERE),
        ("say hello", TextState(), NOWHERE),
        (
            "say",
            SEATED,
            ('Say it as "say TEXT": talk to the table; from the gallery, to the gallery until the game is over.',),
        ),
        ("hand me", SEATED, ('Say it as "hand": hear the cards you hold.',)),
        ("sit", TextState(), ('Say it as "sit TABLE [SEAT] [PASSCODE]": take that seat, or any.',)),
        ("sit x", TextState(), ('Which seat? For example "sit 1 0" for the first at table 1, or "sit 1" for any.',)),
        ("sit 1 x", TextState(), ('Which seat? For example "sit 1 0" for the first at table 1, or "sit 1" for any.',)),
        ("pause", TextState(), NOWHERE),
        ("pause 2w", SEATED, ('How long? For example "30m", "2h" or "7d": minutes, hours or days.',)),
        ("go", SEATED, ('Say it as "go on": be ready to go on after a pause.',)),
        ("go off", SEATED, ('Say "go on" when you are ready to go on after a pause.',)),
        ("watch x", TextState(), ('Which table? For example: "watch 1".',)),
        ("dismiss x", SEATED, ('Out of which seat? For example: "dismiss 1".',)),
        ("open put-1674 two", TextState(), ('How many seats? For example: "open put-1674 2".',)),
        ("open whist", TextState(), ('There is no game "whist" here. Say "games" to hear which there are.',)),
        (
            "open put-1800 target=7",
            TextState(),
            ('There is no option "target" in put-1800. There are turn, bank, passcode, gallery and admits.',),
        ),
        (
            "open put-1674 turn=long",
            TextState(),
            ('Turn and bank are numbers of seconds, as in "turn=60": for a decision, and for being away in all.',),
        ),
        ("open put-1674 gallery=no", TextState(), ('The gallery is open or shut, as in "gallery=shut".',)),
        ("games", SEATED, GAMES),
        ("houses", SEATED, ("steady: plays well.", "random: plays anything.", 'Say "invite" and a name.')),
        ("rules", TextState(), GAMES),
        ("rules whist", SEATED, GAMES),
        ("rules", SEATED, RULES),
        ("rules put-1674", TextState(), RULES),
        ("rules put-1800", SEATED, ("Later Put, after Hoyle.", "Stages.")),
        (
            "options put-1674",
            SEATED,
            (
                "target: points that win; 1 to 21; unless you say otherwise 5.",
                "cut: who deals first; high or low; unless you say otherwise high.",
                "arranged: these cards lie on top; unless you say otherwise nothing.",
            ),
        ),
        ("options put-1800", SEATED, ("put-1800 has no options.",)),
        ("why", AT_MOVE, ("Lead to trick 1.",)),
        ("why", SEATED, ("It is not your move.",)),
        ("open", SEATED, ('You are at table 7. Say "leave" first.',)),
        ("sit 8", SEATED, ('You are at table 7. Say "leave" first.',)),
        ("sit 8", WATCHING, ('You are at table 7. Say "leave" first.',)),
        ("watch 8", SEATED, ('You are at table 7. Say "leave" first.',)),
        ("put", SEATED, ('It is not your move. Say "help" to hear what you can say.',)),
        ("dance\x1b[2J", TextState(), ('"dance[2J" is no command. Say "help" to hear what you can say.',)),
        ("see", AT_MOVE, (f"There is nothing for you to see now. {MOVE.partition('trick 1. ')[2]}",)),
        ("", AT_MOVE, ()),
    ],
)
def test_command_is_answered_at_once(text: str, known: TextState, said: tuple[str, ...]) -> None:
    """What needs no server is said; what cannot be done is answered with how to do it."""
    assert understand(text, known, 0) == said


@pytest.mark.parametrize(
    ("clock", "turn", "said"),
    [
        (
            ClockInfo(),
            None,
            ("This table has no limit of its own for a decision, but 5 minutes a game for being disconnected.",),
        ),
        (
            ClockInfo(turn=30, bank=1),
            Turn(YOU, turn_ms=30_000),
            (
                "There are 30 seconds for each decision, and 1 second a game for being disconnected.",
                "You have 18 seconds left.",
            ),
        ),
        (
            ClockInfo(turn=30, bank=130),
            Turn(NAN, turn_ms=3_000),
            (
                "There are 30 seconds for each decision, and 2 minutes and 10 seconds a game for being disconnected.",
                "Nan has 0 seconds left.",
            ),
        ),
    ],
)
def test_clock_says_what_is_left(clock: ClockInfo, turn: Turn | None, said: tuple[str, ...]) -> None:
    """The time since it was told is taken off, and never below nothing."""
    known, _ = heard(altered(SNAPSHOT, info=altered(PLAYING, clock=clock), turn=turn), now=1_000)
    assert understand("clock", known, 13_000) == said


def test_quit_is_the_end() -> None:
    """`quit` ends the program, wherever one is."""
    assert [understand("quit", known, 0) for known in (TextState(), AT_MOVE)] == [Quit(), Quit()]


def test_help_says_every_command() -> None:
    """The help is made from the table of commands, and says how to move."""
    said = understand("help", TextState(), 0)
    assert isinstance(said, tuple)
    assert [line.partition(":")[0] for line in said[:-1]] == [command.usage for command in COMMANDS]
    assert "throw in" in said[-1]


def test_commands_are_no_moves() -> None:
    """No word of a move is a command's, so neither hides the other."""
    for move in (
        "3s",
        "10h",
        "k",
        "queen of hearts",
        "play 3",
        "lead 3s",
        "put",
        "see",
        "throw in",
        "#1",
        "1",
        "i put",
    ):
        assert not is_command(move)
    assert len({command.word for command in COMMANDS}) == len(COMMANDS)


def test_answered_decision_is_not_asked_again_but_the_next_is() -> None:
    """When a move was taken its decision is over; one that came meanwhile stands."""
    order = understand("put", AT_MOVE, 0)
    assert isinstance(order, Ask)
    assert order.then is not None
    assert order.then(AT_MOVE, Ok(1))[0].decision is None
    meanwhile, _ = heard(decision(2), known=AT_MOVE)
    assert order.then(meanwhile, Ok(1))[0].decision == decision(2)


# --- lines ---


async def all_of(lines: Lines) -> list[str]:
    taken = []
    while (line := await lines.next()) is not None:
        taken.append(line)
    return taken


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (b"", []),
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\n\ntwo", ["one", "", "two"]),
        (b"caf\xc3\xa9\n\xff\n", ["caf\u00e9", "\ufffd"]),
        (b"x" * 10_000 + b"\nshort\n", ["x" * 4096, "short"]),
    ],
)
async def test_lines_of_a_file_and_of_a_pipe(tmp_path: Path, written: bytes, lines: list[str]) -> None:
    """A regular file and a pipe give the same lines, the last of them without its end too."""
    path = tmp_path / "lines"
    path.write_bytes(written)
    file = os.open(path, os.O_RDONLY)
    reading, writing = os.pipe()
    os.write(writing, written)
    os.close(writing)
    async with asyncio.timeout(10):
        for descriptor in (file, reading):
            assert await all_of(Lines(descriptor)) == lines
            os.close(descriptor)


async def test_lines_of_nothing_and_of_a_terminal() -> None:
    """/dev/null ends at once; a terminal's lines come one by one and end when it hangs up."""
    null = os.open(os.devnull, os.O_RDONLY)
    keyboard, terminal = os.openpty()
    async with asyncio.timeout(10):
        assert await all_of(Lines(null)) == []
        lines = Lines(terminal)
        os.write(keyboard, b"put\n")
        assert await lines.next() == "put"
        os.write(keyboard, b"\x04")
        assert await lines.next() is None
    for descriptor in (null, keyboard, terminal):
        os.close(descriptor)


# --- the whole ---


class Speaker:
    """Somebody at a line: types, and listens."""

    def __init__(
        self, client: Client, peer: Peer, *, table: int | None, watch: int | None, keeps: bool = False
    ) -> None:
        self.peer = peer
        self.said: asyncio.Queue[str] = asyncio.Queue()
        reading, self._writing = os.pipe()
        self.ends = asyncio.ensure_future(
            run(
                client,
                table=table,
                watch=watch,
                passcode="pw",
                keeps=keeps,
                descriptor=reading,
                say=self.said.put_nowait,
            )
        )

    def types(self, *lines: str) -> None:
        os.write(self._writing, "".join(f"{line}\n" for line in lines).encode())

    def ends_input(self) -> None:
        os.close(self._writing)

    async def hears(self, sentence: str, *, at_once: bool = False) -> None:
        """This is said, sooner or later, or before anything else."""
        async with asyncio.timeout(PATIENCE_S):
            while (said := await self.said.get()) != sentence:
                assert not at_once, said

    async def grants(self, kind: type[Request], *then: ServerMessage) -> None:
        request = await self.peer.hear(kind)
        self.peer.say(Ok(id=request.id, table=7, seat=YOU), *then)


@asynccontextmanager
async def speaking(
    server: Server, *, table: int | None = None, watch: int | None = None, keeps: bool = False
) -> AsyncIterator[Speaker]:
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll", waits=lambda: (0.0,)))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client:
        yield Speaker(client, peer, table=table, watch=watch, keeps=keeps)


async def test_line_plays_and_quits(server: Server) -> None:
    """A table is opened, a move made, talk sent, and `quit` says bye."""
    async with speaking(server) as moll:
        await moll.hears('You are Moll, at scripted. Say "help" for help.')
        moll.types("open")
        await moll.grants(OpenTable)
        await moll.grants(Sit, SNAPSHOT, decision())
        await moll.hears(MOVE)
        moll.types("3s", "say your turn")
        await moll.grants(Act, events(4, Played(YOU, Card("3s"), leads=True)))
        await moll.hears("You lead the 3 of spades.")
        await moll.grants(Say)
        moll.types("quit")
        await moll.grants(LookAway)
        await moll.peer.hear(Bye)
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_sits_where_it_was_told_to(server: Server) -> None:
    """With a table given, the first request is the seat, with its passcode."""
    async with speaking(server, table=7) as moll:
        request = await moll.peer.hear(Sit)
        assert request == Sit(request.id, 7, passcode="pw", end=request.end)
        moll.peer.say(Refused(request.id, RefusalCode.SEAT_TAKEN, "no seat is free"))
        with pytest.raises(Refusal, match="No seat is free"):
            await moll.ends
        moll.ends_input()


async def test_line_says_a_refusal_and_goes_on(server: Server) -> None:
    """What is refused is one sentence, and the next line is taken."""
    async with speaking(server) as moll:
        moll.types("watch 9", "tables")
        request = await moll.peer.hear(Watch)
        moll.peer.say(Refused(request.id, RefusalCode.UNKNOWN_TABLE, "there is no table 9"))
        await moll.hears("There is no table 9.")
        await moll.grants(Look, LobbyState(begins=True))
        await moll.grants(LookAway)
        await moll.hears('No table is open. Say "open" to open one.')
        moll.types("quit")
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_at_the_end_of_input_a_player_quits_when_all_was_done(server: Server) -> None:
    """Moves piped in wait until they are asked for, and what they cause is heard before the end."""
    won = GameEnded(how=GameWon.POINTS, winners=(YOU,), scores=(5, 0), paid=(1, -1))
    async with speaking(server) as moll:
        moll.types("sit 7", "3s", "put")
        moll.ends_input()
        await moll.grants(Sit, SNAPSHOT, decision(1))
        await moll.grants(Act, altered(events(4, DidPut(NAN)), view=altered(VIEW, to_move=NAN)))
        moll.peer.say(altered(events(5, DidPut(NAN)), view=VIEW), decision(2))
        await moll.grants(Act, altered(events(6, won), info=info(TableState.BETWEEN, games=1)))
        await moll.grants(LookAway)
        await moll.peer.hear(Bye)
        assert await moll.ends == os.EX_OK
        await moll.hears(
            "You win the game on points, with the score at you 5, Nan 0; Nan pays one stake and you receive one stake."
        )


async def test_line_does_not_wait_for_a_move_that_will_not_come(server: Server) -> None:
    """A move left over when the game has ended is answered, and the line behind it obeyed."""
    between = Events(7, 4, (), info=info(TableState.BETWEEN, games=1))
    async with speaking(server) as moll:
        moll.types("sit 7")
        await moll.grants(Sit, SNAPSHOT)
        await moll.hears("You are to lead.")
        moll.types("put", "again")
        moll.peer.say(between)
        await moll.hears('It is not your move. Say "help" to hear what you can say.')
        await moll.grants(Again)
        moll.ends_input()
        await moll.grants(LookAway)
        assert await moll.ends == os.EX_OK


class NoLines(Lines):
    """Input that has ended before it began."""

    def __init__(self) -> None:
        pass

    async def next(self) -> None:
        return None


async def test_line_at_the_end_of_input_a_watcher_stays_until_the_table_ends(server: Server) -> None:
    """Without any input every event is heard, to the last."""
    said: list[str] = []
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll"))
    peer = await server.arrival()
    await peer.welcome()
    async with await connecting as client, asyncio.timeout(PATIENCE_S):
        session = Session(client, NoLines(), said.append, is_patient=True)
        starting = asyncio.ensure_future(session.start(None, 7, ""))
        request = await peer.hear(Watch)
        peer.say(Ok(request.id))
        await starting
        await session.read_lines()
        peer.say(altered(SNAPSHOT, viewer=GALLERY), events(4, DidPut(YOU)), Left(7, "nobody sits at it"))
        await session.read_messages()
    await peer.hear(Bye)
    assert said[-2:] == [
        "Moll puts: Nan must see it or throw in.",
        "You are no longer at table 7: nobody sits at it.",
    ]


async def test_line_ends_with_the_connection(server: Server) -> None:
    """A server's goodbye is raised for whoever gives the exit code, though the input goes on."""
    async with speaking(server) as moll:
        moll.peer.say(Goodbye(code="taken_over", says="you came back elsewhere"))
        with pytest.raises(Disconnected, match="you came back elsewhere"):
            await moll.ends
        moll.ends_input()


async def test_line_survives_a_drop(server: Server) -> None:
    """A drop and the return are said; what was typed before it is done after it, and not asked for again."""
    async with speaking(server) as moll:
        moll.types("sit 7", "put")
        await moll.grants(Sit, SNAPSHOT, decision())
        await moll.peer.hear(Act)
        moll.peer.drop()
        await moll.hears("You are to lead.")
        back = await server.arrival()
        gone = PresenceChanged(YOU, away=True), PresenceChanged(YOU, away=False)
        await back.welcome_back(events(4, *gone), decision(), tables=(7,))
        moll.peer = back
        await moll.hears("The connection is back.")
        moll.types("quit")
        await moll.grants(Act, events(6, DidPut(YOU)))
        await moll.hears("You put: Nan must see it or throw in.", at_once=True)
        await moll.grants(LookAway)
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_keeps_the_seat_of_who_quits_during_a_pause(server: Server) -> None:
    """It says so, and says no goodbye to the server."""
    async with speaking(server, keeps=True) as moll:
        moll.types("sit 7", "quit")
        await moll.grants(Sit, altered(SNAPSHOT, info=RESTING))
        await moll.grants(LookAway)
        await moll.hears("Your seat at table 7 is kept: come back with the same command.")
        await moll.peer.hear_end()
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_that_cannot_keep_a_seat_says_goodbye(server: Server) -> None:
    """Also during a pause: nobody could come back to it."""
    async with speaking(server) as moll:
        moll.types("sit 7", "quit")
        await moll.grants(Sit, altered(SNAPSHOT, info=RESTING))
        await moll.grants(LookAway)
        await moll.peer.hear(Bye)
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_interrupted_during_a_pause_keeps_the_seat(server: Server) -> None:
    """^C is another way to quit."""
    async with speaking(server, keeps=True) as moll:
        moll.types("sit 7")
        await moll.grants(Sit, altered(SNAPSHOT, info=RESTING))
        await moll.hears("You are to lead.")
        moll.ends.cancel()
        await moll.hears("Your seat at table 7 is kept: come back with the same command.")
        await moll.peer.hear_end()
        moll.ends_input()


async def test_line_takes_up_the_seat_it_is_back_at(server: Server) -> None:
    """Who comes back to a table is told of it, and sits down nowhere else."""
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, token="t1"))
    peer = await server.arrival()
    await peer.welcome(SNAPSHOT, decision(), tables=(7,))
    async with await connecting as client:
        moll = Speaker(client, peer, table=3, watch=None)
        await moll.hears('You are Moll, at scripted. Say "help" for help.')
        await moll.hears("You are in seat 0 at table 7.", at_once=True)
        await moll.hears(MOVE)
        moll.types("quit")
        await moll.grants(LookAway)
        assert await moll.ends == os.EX_OK
        moll.ends_input()


async def test_line_whose_terminal_goes_away_keeps_the_seat(server: Server) -> None:
    """The end of a terminal's input is a goodbye; the end of the terminal is none."""
    keyboard, terminal = os.openpty()
    connecting = asyncio.ensure_future(Client.connect("127.0.0.1", server.port, name="Moll"))
    peer = await server.arrival()
    await peer.welcome()
    said: asyncio.Queue[str] = asyncio.Queue()
    async with await connecting as client, asyncio.timeout(PATIENCE_S):
        running = asyncio.ensure_future(
            run(client, table=None, watch=None, passcode="", descriptor=terminal, say=said.put_nowait)
        )
        await said.get()
        os.close(keyboard)
        await running
        await peer.hear_end()
        assert client.token == "t1"
    os.close(terminal)


async def test_line_tells_an_analysis_to_who_asked_for_it(server: Server) -> None:
    """The record has games weighed by itself; that is not said."""
    async with speaking(server, table=7) as moll:
        await moll.grants(Sit, altered(SNAPSHOT, info=info(TableState.BETWEEN, games=1)))
        said = "In game 1 nothing was left for you to decide."
        moll.peer.say(Analysis(7, 1, YOU), Notice("That was game 1."))
        async with asyncio.timeout(PATIENCE_S):
            while (heard := await moll.said.get()) != "The operator says: That was game 1.":
                assert heard != said
        moll.types("analyse")
        await moll.grants(Analyse, Analysis(7, 1, YOU))
        await moll.hears(said, at_once=True)
        moll.types("quit")
        await moll.grants(LookAway)
        await moll.ends
        moll.ends_input()
