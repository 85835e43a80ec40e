"""Line mode: what is asked about before it is done, what a yes means, and what is heard again."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as altered

from put_client.line import line_state
from put_client.line.line_state import LineState
from put_protocol.cards import Card
from put_protocol.games.put import DidPut, Played, Put
from put_protocol.messages import Act, Leave, Resign
from put_protocol.seats import GALLERY
from put_protocol.table_events import GameOver, PauseAsked
from put_protocol.table_info import ClockInfo, PauseInfo, SeatInfo, TableState
from put_text.plain import telling
from put_text.plain.interpreter import interpret
from put_text.plain.text_state import LEARNED_GAMES, Asks, EndSession, SendRequest, Sentences, TextState
from tests.client.hearing import (
    AT_MOVE,
    EVERY_MOVE,
    MOVE,
    NAN,
    OFFERED,
    PLAYING,
    SEATED,
    SNAPSHOT,
    VIEW,
    WATCHING,
    YOU,
    heard,
)
from tests.client.scripted_server import decision, events, info

PUT_ASKED = 'You are about to say "I put". Say "yes" to do it, or make another move.'
HINT = ' To be asked no more before such a move, say "ask off".'


def types(known: TextState, *lines: str) -> tuple[TextState, Sentences | SendRequest | EndSession]:
    """What the last line comes to, and the state after it."""
    outcome: Sentences | SendRequest | EndSession = ()
    for line in lines:
        known, outcome = interpret(line, known, 0, OFFERED, lambda _: ())
    return known, outcome


def test_put_is_asked_about_and_yes_does_it() -> None:
    """A slip of the finger costs nothing; how to be asked no more is said once."""
    known, said = types(AT_MOVE, "put")
    assert said == (PUT_ASKED + HINT,)
    known, outcome = types(known, "yes")
    assert isinstance(outcome, SendRequest)
    assert outcome.make(1) == Act(1, 7, 1, Put())
    assert types(known, "put")[1] == (PUT_ASKED,)


@pytest.mark.parametrize("line", ["#3", "number 3", 'say "I put"', "I PUT"])
def test_put_is_asked_about_however_it_is_typed(line: str) -> None:
    """By its number, too."""
    known, said = types(AT_MOVE, line)
    assert known.question is not None
    assert said == (PUT_ASKED + HINT,)


def test_card_is_played_at_once() -> None:
    """What decides nothing by itself is not asked about."""
    assert isinstance(types(AT_MOVE, "3s")[1], SendRequest)


@pytest.mark.parametrize("line", ["no", "hand", "table", "yes please", "yess", "say yes"])
def test_only_yes_is_a_yes(line: str) -> None:
    """After anything else a yes means nothing."""
    _, outcome = types(AT_MOVE, "put", line, "yes")
    assert outcome == ("Nothing was asked that is to be answered with yes or no.",)


def test_empty_line_is_no_yes_and_repeats_the_question() -> None:
    """Enter never does what cannot be undone; afterwards a yes still counts."""
    known, said = types(AT_MOVE, "put", "")
    assert said == (PUT_ASKED + HINT,)
    assert isinstance(types(known, "yes")[1], SendRequest)


def test_yes_comes_too_late_when_the_moment_has_passed() -> None:
    """Time decided meanwhile: the next decision is another one, and is not answered."""
    known, _ = types(AT_MOVE, "put")
    known, _ = heard(decision(2), known=known)
    assert types(known, "yes")[1] == ("That question is no more: the game has gone on. It is not done.", EVERY_MOVE)


def test_yes_after_the_game_gives_up_no_other() -> None:
    """Who asked to resign, and saw the game end, does not resign the next one."""
    known, _ = types(AT_MOVE, "resign")
    known, _ = heard(altered(events(4, DidPut(NAN)), info=info(TableState.PLAYING, games=2)), known=known)
    outcome = types(known, "yes")[1]
    assert isinstance(outcome, tuple)
    assert outcome[0] == "That question is no more: the game has gone on. It is not done."


@pytest.mark.parametrize(("word", "request_"), [("resign", Resign(1, 7)), ("leave", Leave(1, 7))])
@pytest.mark.parametrize("asks", [Asks.ALL, Asks.GIVING_UP])
def test_giving_a_game_up_is_asked_about(word: str, request_: Resign | Leave, asks: Asks) -> None:
    """Also by who is not asked about moves; and it is said how to go without that."""
    known, said = types(replace(AT_MOVE, asks=asks), word)
    means = f"To {word} now gives this game up: you lose it, and pay what is due."
    assert said == (f'{means} Say "yes" to do it. To stop for now and keep your seat, say "quit".',)
    outcome = types(known, "yes")[1]
    assert isinstance(outcome, SendRequest)
    assert outcome.make(1) == request_


def test_leaving_where_the_house_plays_on_says_so() -> None:
    """It is no forfeit there."""
    known, _ = heard(altered(SNAPSHOT, info=altered(PLAYING, options={"abandoned": "house"})))
    said = types(known, "leave")[1]
    assert isinstance(said, tuple)
    assert said[0].startswith("To leave now lets the house play on in your place:")


@pytest.mark.parametrize("known", [SEATED, WATCHING])
def test_leaving_when_no_game_is_lost_by_it_is_not_asked_about(known: TextState) -> None:
    """Between games, and from the gallery."""
    assert isinstance(types(known, "leave")[1], SendRequest)


@pytest.mark.parametrize("word", ["quit", "exit"])
def test_quitting_asks_only_where_it_costs_the_game(word: str) -> None:
    """That is where a table gives no time for being away, or where the server ends with the program."""
    assert types(AT_MOVE, word)[1] == EndSession()
    hurried, _ = heard(altered(SNAPSHOT, info=altered(PLAYING, clock=ClockInfo(bank=0))))
    known, said = types(hurried, word)
    assert said == ('This table has no time for being away: to go now gives the game up. Say "yes" to quit.',)
    assert types(known, "yes")[1] == EndSession()
    known, said = types(replace(AT_MOVE, is_kept=False), word)
    assert said == ('This table ends with the program, and the game with it. Say "yes" to quit.',)
    assert types(known, "yes")[1] == EndSession()


def test_ask_off_asks_about_moves_no_more() -> None:
    """Until `ask on`."""
    known, said = types(AT_MOVE, "ask off")
    assert said == ("You are no longer asked before a move that decides a hand or a game.",)
    assert isinstance(types(known, "put")[1], SendRequest)
    assert types(known, "ask on", "put")[1] == (PUT_ASKED + HINT,)
    assert types(known, "ask")[1] == types(known, "ask maybe")[1]
    assert types(known, "ask")[1] == (
        'Say it as "ask on or off": be asked before a move that decides a hand or a game, or not.',
    )


# --- heard again ---


def hearing(known: TextState, message: object, now: int = 0) -> TextState:
    state, _ = line_state.apply_message(LineState(text=known), message, now)  # type: ignore[arg-type]  # a message
    return state.text


def test_repeat_says_what_the_table_said_since_the_last_line() -> None:
    """All of it, however often, and none of the answers to what we typed; an earlier sentence by its count."""
    known, _ = types(AT_MOVE, "hand")
    known = hearing(known, events(4, Played(NAN, Card("2s"))))
    known = hearing(known, decision())
    for line in ("repeat", "pit", "repeat", "", "hand", "repeat"):
        known, said = types(known, line)
        if line == "repeat":
            assert said == ("Nan plays the 2 of spades.", MOVE)
    assert types(known, "repeat 1")[1] == (MOVE,)
    assert types(known, "score", "repeat 2")[1] == ("Nan plays the 2 of spades.", MOVE)
    assert types(TextState(), "repeat")[1] == ("Nothing was said yet.",)
    assert types(AT_MOVE, "repeat often")[1] == ('Say "repeat", or "repeat 5" for the last five sentences.',)


def test_log_goes_back_by_hands_games_and_minutes() -> None:
    """Each by the view and the time at which it was said."""
    known = AT_MOVE
    for hand, card in ((1, "2s"), (2, "4s"), (2, "5s")):
        event = altered(events(4, Played(NAN, Card(card))), view=altered(VIEW, hand=hand))
        known = hearing(known, event, now=hand * 60_000)
    two, four, five = (f"Nan plays the {rank} of spades." for rank in (2, 4, 5))
    assert types(known, "log")[1] == (four, five)
    first = types(known, "log 1")[1]
    assert first[-1] == two  # type: ignore[index]  # sentences they are
    assert types(known, "log game")[1] == (*first, four, five)  # type: ignore[misc]  # the same
    assert interpret("log 1m", known, 3 * 60_000, OFFERED, lambda _: ())[1] == (four, five)
    assert types(known, "log 3")[1] == ("Nothing is kept of that.",)


def test_log_tells_in_full_what_brief_left_out() -> None:
    """`repeat` says what was said, and `log` all that happened."""
    known, _ = types(AT_MOVE, "brief")
    out = altered(VIEW, playing=(False, True), to_move=NAN)
    known = hearing(known, altered(events(4, DidPut(NAN)), view=VIEW))
    known = hearing(known, altered(events(5, Played(NAN, Card("2s"))), view=out))
    assert types(known, "repeat")[1] == ("Nan puts.",)
    assert types(known, "log")[1][-2:] == (  # type: ignore[index]  # sentences they are
        "Nan puts: you must see it or throw in.",
        "Nan plays the 2 of spades.",
    )


def test_time_is_told_at_half_and_shortly_before_it_is_up() -> None:
    """Once each, with what is really left; not for others, and not where there is no hurry."""
    timed = altered(info(TableState.PLAYING, games=1), clock=ClockInfo(40))
    state, _ = heard(altered(SNAPSHOT, info=timed), altered(decision(), turn_ms=40_000))
    told = []
    for now in range(0, 41_000, 1_000):
        due = telling.warning_due(state, now)
        state, said = telling.warn(state, now)
        assert bool(said) == (due == 0)
        told += [(now, sentence) for sentence in said]
    assert told == [(at, f"You have {(40_000 - at) // 1000} seconds left.") for at in (20_000, 30_000, 35_000)]
    late = telling.warn(replace(state, warned_ms=None), 36_500)
    assert late[1] == ("You have 4 seconds left.",)
    assert telling.warn(replace(late[0], decision=None, warned_ms=None), 36_500)[1] == ()
    unhurried, _ = heard(SNAPSHOT, altered(decision(), turn_ms=600_000))
    assert telling.warning_due(unhurried, 599_000) is None


def test_empty_line_and_clock_agree_about_the_time() -> None:
    """Both say what is left."""
    timed = altered(info(TableState.PLAYING, games=1), clock=ClockInfo(30))
    state, _ = heard(altered(SNAPSHOT, info=timed), altered(decision(), turn_ms=30_000))
    for line in ("", "clock", "time"):
        said = interpret(line, state, 10_000, OFFERED, lambda _: ())[1]
        assert "You have 20 seconds" in str(said), line


def test_enter_says_what_is_waited_for() -> None:
    """One's own move with every choice; else whose turn it is; else what the table waits for."""
    assert types(replace(AT_MOVE, is_brief=True), "")[1] == (EVERY_MOVE,)
    theirs, _ = heard(altered(SNAPSHOT, view=altered(VIEW, to_move=NAN)))
    assert types(theirs, "")[1] == ("Nan is to lead.",)
    assert types(SEATED, "")[1] == ('The next game begins when you and Nan have said "again".',)
    filling = altered(info(), seats=(SeatInfo("Moll"), SeatInfo()), state=TableState.FILLING)
    waiting, _ = heard(altered(SNAPSHOT, info=filling, view=None))
    assert types(waiting, "")[1] == (
        'The table waits for one player. Others come with "sit 7"; "invite" asks a house player.',
    )


def test_brief_says_fewer_words_and_full_says_all() -> None:
    """Choices are told when one asks for them."""
    known, said = types(AT_MOVE, "brief")
    assert said == ("You hear few words. An empty line tells your choices.",)
    assert heard(decision(2), known=known)[1] == ("Your move: lead or put.",)
    assert heard(events(4, DidPut(NAN)), known=known)[1] == ("Nan puts.",)
    known, _ = types(known, "full")
    assert heard(decision(2), known=known)[1] == (MOVE,)
    assert heard(events(4, DidPut(NAN)), known=known)[1] == ("Nan puts: you must see it or throw in.",)


def test_few_words_are_usual_after_three_games() -> None:
    """Which is said; who has chosen hears as much as they chose, and a program what it heard before."""
    over = GameOver((1, -1), (YOU,))
    for known, is_brief in (
        (SEATED, True),
        (types(SEATED, "full")[0], False),
        (replace(SEATED, asks=Asks.NOTHING), False),
    ):
        state = known
        said: tuple[str, ...] = ()
        for game in range(1, LEARNED_GAMES + 1):
            assert not state.is_brief
            state, said = heard(events(game, over), known=state)
        assert state.is_brief is is_brief
        assert any(sentence.startswith("From now on you hear few words.") for sentence in said) is is_brief


def test_brief_lasts_from_table_to_table() -> None:
    """So does whether one is asked."""
    known, _ = types(AT_MOVE, "brief", "ask off")
    _, order = types(known, "leave", "yes")
    assert isinstance(order, SendRequest)
    known, _ = heard(altered(SNAPSHOT, table=8), known=replace(known, table=None))
    assert (known.is_brief, known.asks) == (True, Asks.GIVING_UP)


# --- who hears, and who asks for a pause ---


def test_watcher_is_told_who_hears_them() -> None:
    """On coming, and when they speak; and between games everyone hears them."""
    assert heard(altered(SNAPSHOT, viewer=GALLERY))[1][1] == (
        "While a game is played, only the gallery hears what the gallery says."
    )
    order = types(WATCHING, "say well played")[1]
    assert isinstance(order, SendRequest)
    assert order.then is not None
    assert order.then(WATCHING, None)[1] == (  # type: ignore[arg-type]  # the answer is not looked at
        "While a game is played, only the gallery hears what the gallery says.",
    )
    between, said = heard(altered(SNAPSHOT, viewer=GALLERY, info=info(TableState.BETWEEN, games=1)))
    assert said[1] == "Everyone at the table and in the gallery hears what you say."
    assert order.then(between, None)[1] == ()  # type: ignore[arg-type]  # the same


def test_pause_that_is_asked_for_says_who_asks_and_who_has_to_agree() -> None:
    """House players always do."""
    table = altered(
        PLAYING,
        seats=(SeatInfo("Moll"), SeatInfo("Nan"), SeatInfo("Bess"), SeatInfo("Doll", is_house=True)),
        pause=PauseInfo(120, (NAN,)),
    )
    known, said = heard(altered(events(4, PauseAsked(NAN, 120)), info=table), known=AT_MOVE)
    assert said == ("Nan asks for a pause of at most two hours.", 'Say "pause" to agree to it.')
    asks = 'A pause of at most two hours is asked for by Nan. It begins when you and Bess agree: say "pause".'
    assert asks in types(known, "who")[1]  # type: ignore[operator]  # sentences they are
    agreed = altered(table, pause=PauseInfo(120, (NAN, YOU)))
    known, said = heard(altered(events(5, PauseAsked(YOU, 120)), info=agreed), known=known)
    assert said == ("You ask for a pause of at most two hours.",)
    asks = "A pause of at most two hours is asked for by Nan and you. It begins when Bess agrees."
    assert asks in types(known, "who")[1]  # type: ignore[operator]  # sentences they are


# --- how long a seat is kept ---


def test_time_a_seat_is_kept_is_what_the_server_said_last() -> None:
    """All that the table gives; what is left of it, once some is spent; and exactly, where the server told it."""
    from put_text.plain.answers import kept  # noqa: PLC0415

    assert kept(SEATED) == "Your seat at table 7 is kept for 5 minutes."
    known, _ = heard(SNAPSHOT)
    after = "After that the game is given up."
    assert kept(known) == f"Your seat at table 7 is kept for what is left of 5 minutes. {after}"
    known, _ = heard(altered(decision(), bank_ms=130_000), known=known)
    assert kept(known) == f"Your seat at table 7 is kept for 2 minutes and 10 seconds. {after}"


def test_purse_that_ends_with_the_seat_is_said() -> None:
    """Whoever sits down again begins at nothing."""
    purse = altered(info(TableState.BETWEEN, games=1), seats=(SeatInfo("Moll", purse=-3), SeatInfo("Nan", purse=3)))
    known, _ = heard(altered(SNAPSHOT, info=purse))
    order = types(known, "leave")[1]
    assert isinstance(order, SendRequest)
    assert order.then is not None
    assert order.then(known, None)[1] == (  # type: ignore[arg-type]  # the answer is not looked at
        "You have left table 7.",
        "Your purse of minus 3 ends with your seat: when you sit down again it begins at nothing.",
    )
