"""Line mode: what every command comes to."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as altered

from put_protocol.cards import Card
from put_protocol.games.put import Play, Put
from put_protocol.games.tricks import TrickView
from put_protocol.messages import (
    Act,
    Again,
    Dismiss,
    GoOn,
    Invite,
    Leave,
    Look,
    LookAway,
    Ok,
    OpenTable,
    Pause,
    Request,
    Resign,
    Say,
    Sit,
    Stand,
    Turn,
    Watch,
)
from put_protocol.table_info import ClockInfo, TableState
from put_text.plain.commands import COMMANDS, TOPICS
from put_text.plain.interpreter import is_command
from put_text.plain.text_state import EndSession, Outcome, SendRequest, TextState
from tests.client.hearing import (
    AT_MOVE,
    EVERY_MOVE,
    NAN,
    PLAYING,
    SEATED,
    SNAPSHOT,
    UNASKED,
    VIEW,
    WATCHING,
    YOU,
    heard,
    understand,
)
from tests.client.scripted_server import decision, info


def asked(order: Outcome) -> list[Request]:
    """The requests an order comes to, if each is carried out."""
    made: list[Request] = []
    while isinstance(order, SendRequest):
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
        ("open put-18 4", TextState(), [OpenTable(1, "put-1800", 4), Sit(1, 7)]),
        (
            "open put-16 targ=7 cut=l gal=s",
            TextState(),
            [OpenTable(1, "put-1674", 2, {"target": 7, "cut": "low"}, gallery=False), Sit(1, 7)],
        ),
        (
            "open put-1674 target=7 turn=30 passcode=rose cut=low gallery=shut bank=0",
            TextState(),
            [
                OpenTable(1, "put-1674", 2, {"target": 7, "cut": "low"}, 30, 0, "rose", False),
                Sit(1, 7, passcode="rose"),
            ],
        ),
        ("sit 7", TextState(), [Sit(1, 7)]),
        ("sit 7 2", TextState(), [Sit(1, 7, NAN)]),
        ("sit 7 any secret", TextState(), [Sit(1, 7, passcode="secret")]),
        ("sit 7", WATCHING, [Sit(1, 7)]),
        ("watch 7", TextState(), [Watch(1, 7)]),
        ("watch 7 secret", TextState(), [Watch(1, 7, passcode="secret")]),
        ("invite", SEATED, [Invite(1, 7)]),
        ("invite 2", SEATED, [Invite(1, 7, NAN)]),
        ("invite random", SEATED, [Invite(1, 7, house="random")]),
        ("invite ran", SEATED, [Invite(1, 7, house="random")]),
        ("send aw Long Ben", SEATED, [Dismiss(1, 7, person="Long Ben")]),
        ("invite 2 random", SEATED, [Invite(1, 7, NAN, "random")]),
        ("dismiss 2", SEATED, [Dismiss(1, 7, NAN)]),
        ("send away Long Ben", SEATED, [Dismiss(1, 7, person="Long Ben")]),
        ("stand", SEATED, [Stand(1, 7)]),
        ("leave", WATCHING, [Leave(1, 7)]),
        ("resign", UNASKED, [Resign(1, 7)]),
        ("leave", UNASKED, [Leave(1, 7)]),
        ("again", SEATED, [Again(1, 7)]),
        ("pause", AT_MOVE, [Pause(1, 7)]),
        ("pause 2h", AT_MOVE, [Pause(1, 7, 120)]),
        ("go on", AT_MOVE, [GoOn(1, 7)]),
        ("goon", AT_MOVE, [GoOn(1, 7)]),
        ("say  well   played", SEATED, [Say(1, 7, "well played")]),
        ("say I put", AT_MOVE, [Say(1, 7, "I put")]),
        ("play 3s", AT_MOVE, [Act(1, 7, 1, Play(Card("3s")))]),
        ("#2", AT_MOVE, [Act(1, 7, 1, Play(Card("10h")))]),
        ("put", UNASKED, [Act(1, 7, 1, Put())]),
        ("pu", UNASKED, [Act(1, 7, 1, Put())]),
        ("p", UNASKED, [Act(1, 7, 1, Put())]),
        ("op", TextState(), [OpenTable(1, "put-1674"), Sit(1, 7)]),
        ("o", TextState(), [OpenTable(1, "put-1674"), Sit(1, 7)]),
        ("inv", SEATED, [Invite(1, 7)]),
        ("ag", SEATED, [Again(1, 7)]),
        ("' well played", SEATED, [Say(1, 7, "well played")]),
        ("c well played", SEATED, [Say(1, 7, "well played")]),
        ('say "I put"', UNASKED, [Act(1, 7, 1, Put())]),
    ],
)
def test_command_makes_its_requests(text: str, known: TextState, requests: list[Request]) -> None:
    """What is typed becomes these requests and no others."""
    assert asked(understand(text, known)) == requests


SEND_AWAY = (
    'Say it as "send away NAME": send a guest away from a table that you opened, between games, and keep them out '
    "until you invite them."
)
NOWHERE = (
    'You are at no table. Say "tables" to hear which there are, "games" what is played here, "open" to open one.',
)
TRICK = TrickView((NAN,), (Card("2c"),))
LED = replace(AT_MOVE, view=altered(VIEW, trick=TRICK))
TAKEN = replace(AT_MOVE, view=altered(VIEW, past=(TrickView((NAN, YOU), (Card("2c"), Card("Kh")), NAN),)))
LAST_TRICK = "In the last trick Nan led the 2 of clubs and you played the king of hearts, and Nan took it."
SAVE = 'Here nothing can be written: keep what your terminal shows, or play with put-client, which takes "save".'
LOG = 'Say "log" for this hand, "log 2" for the second, "log game", or "log 10m" for ten minutes.'
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
        ("ha", AT_MOVE, ("You hold the 3 of spades and the 10 of hearts.",)),
        ("h", AT_MOVE, ("You hold the 3 of spades and the 10 of hearts.",)),
        ("le", TextState(), ('"le" could be legal or leave: say more of it.',)),
        ("le", AT_MOVE, ('"le" could be lead, legal or leave: say more of it.',)),
        ("lea", AT_MOVE, ('"lea" could be lead or leave: say more of it.',)),
        ("lead", AT_MOVE, ("Which one: the 3 of spades or the 10 of hearts?",)),
        ("pit", AT_MOVE, ('"pit" is no choice of yours. Did you mean "put"?',)),
        ("scroe", AT_MOVE, ('"scroe" is no choice of yours. Did you mean "score"?',)),
        ("tabels", TextState(), ('"tabels" is no command. Did you mean "tables"?',)),
        ("4s", AT_MOVE, ("You cannot play the 4 of spades now. You can play the 3 of spades or the 10 of hearts.",)),
        ("legal", AT_MOVE, ('You can: 1 lead the 3 of spades; 2 lead the 10 of hearts; 3 say "I put".',)),
        ("legal", SEATED, ("It is not your move.",)),
        ("table", TextState(), NOWHERE),
        (
            "score",
            AT_MOVE,
            ("The score is you 1, Nan 2; the purses, in stakes won less stakes lost, are you 0, Nan 0.",),
        ),
        ("score", TextState(), NOWHERE),
        ("mine", AT_MOVE, ("You hold the 3 of spades and the 10 of hearts, and have taken no tricks.",)),
        ("mine", TextState(), ("You hold no cards.",)),
        ("trick", AT_MOVE, ("No card was played yet.",)),
        ("trick", LED, ("On the table Nan led the 2 of clubs.",)),
        (
            "trick",
            TAKEN,
            (LAST_TRICK,),
        ),
        ("time", AT_MOVE, ("No clock runs now.",)),
        ("save", AT_MOVE, (SAVE,)),
        ("log", TextState(), ("Nothing was said yet.",)),
        ("log backwards", AT_MOVE, (LOG,)),
        ("clock", TextState(), NOWHERE),
        (
            "who",
            SEATED,
            ("You in seat 1, Nan in seat 2; no spectators; everyone at the table hears what you say.",),
        ),
        ("stand", TextState(), NOWHERE),
        ("say hello", TextState(), NOWHERE),
        (
            "say",
            SEATED,
            ('Say it as "say TEXT": talk to the table; from the gallery, to the gallery until the game is over.',),
        ),
        ("hand me", SEATED, ('Say it as "hand": hear the cards you hold.',)),
        ("sit", TextState(), ('Say it as "sit TABLE, perhaps SEAT, perhaps PASSCODE": take that seat, or any.',)),
        ("sit x", TextState(), ('Which seat? For example "sit 1 2" for the second at table 1, or "sit 1" for any.',)),
        ("sit 1 x", TextState(), ('Which seat? For example "sit 1 2" for the second at table 1, or "sit 1" for any.',)),
        ("pause", TextState(), NOWHERE),
        ("pause 2w", SEATED, ('How long? For example "30m", "2h" or "7d": minutes, hours or days.',)),
        ("go", SEATED, ('Say it as "go on": be ready to go on after a pause.',)),
        ("go off", SEATED, ('Say it as "go on": be ready to go on after a pause.',)),
        ("watch x", TextState(), ('Which table? For example: "watch 1".',)),
        (
            "send us Ben",
            SEATED,
            (SEND_AWAY,),
        ),
        ("dismiss x", SEATED, ("No such house player sits here.",)),
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
        ("see", AT_MOVE, ("There is nothing for you to see now. You can lead or put.",)),
        ("", AT_MOVE, (EVERY_MOVE,)),
        ("", TextState(), NOWHERE),
        ("yes", AT_MOVE, ("Nothing was asked that is to be answered with yes or no.",)),
    ],
)
def test_command_is_answered_at_once(text: str, known: TextState, said: tuple[str, ...]) -> None:
    """What needs no server is said; what cannot be done is answered with how to do it."""
    assert understand(text, known, 0) == said


def test_rules_are_those_of_the_table() -> None:
    """With its options, where no other rule set is named."""
    at_table = altered(info(TableState.BETWEEN, games=1), options={"target": 7})
    seven, _ = heard(altered(SNAPSHOT, info=at_table))
    assert understand("rules", seven) == (*RULES[:-1], "Most tricks win, up to 7.")
    assert understand("rules put-1674", seven) == RULES


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
    assert [understand("quit", known, 0) for known in (TextState(), AT_MOVE)] == [EndSession(), EndSession()]


def test_help_is_short_and_names_its_topics() -> None:
    """How to begin, at a table what tells about it, how to move, and where there is more; each word is in one topic."""
    for state, begins in ((TextState(), "open"), (AT_MOVE, "hand")):
        said = understand("help", state, 0)
        assert isinstance(said, tuple)
        assert len(said) == 4
        assert begins in said[0]
        assert all(topic in said[-1] for topic in TOPICS)
    assert sorted(word for words in TOPICS.values() for word in words) == sorted(command.word for command in COMMANDS)
    for topic, words in TOPICS.items():
        told = understand(f"help {topic}", TextState(), 0)
        assert isinstance(told, tuple)
        assert [line.split()[0].strip(",:") for line in told] == [c.word for c in COMMANDS if c.word in words]
    assert understand("help score", TextState(), 0) == ("score: hear the score and the purses.",)
    (nothing,) = understand("help whist", TextState(), 0)  # type: ignore[misc]  # it asks nothing of the server
    assert nothing.startswith("There is no help about whist.")


def test_help_says_every_command() -> None:
    """The help is made from the table of commands, and says how to move."""
    said = understand("help all", TextState(), 0)
    assert isinstance(said, tuple)
    assert [line.partition(":")[0] for line in said[:-1]] == [command.spoken for command in COMMANDS]
    assert "throw in" in said[-1]
    assert not any(sign in line for line in said for sign in "[]|")


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
        assert not is_command(move, TextState())
    assert len({command.word for command in COMMANDS}) == len(COMMANDS)


def test_answered_decision_is_not_asked_again_but_the_next_is() -> None:
    """When a move was taken its decision is over; one that came meanwhile stands."""
    order = understand("put", UNASKED, 0)
    assert isinstance(order, SendRequest)
    assert order.then is not None
    assert order.then(AT_MOVE, Ok(1))[0].decision is None
    meanwhile, _ = heard(decision(2), known=AT_MOVE)
    assert order.then(meanwhile, Ok(1))[0].decision == decision(2)
