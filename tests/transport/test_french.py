"""French on a connection on which a person types, and on one of a page: whole games, and whatever else is answered on
the way."""

import random
from functools import partial

import pytest

from put_protocol.codecs import LINES
from put_protocol.games.put import GameEnded
from put_protocol.messages import (
    Advice,
    Bye,
    Coach,
    Decision,
    Events,
    Goodbye,
    Ok,
    OpenTable,
    Refused,
    ServerMessage,
    Sit,
    TableSnapshot,
    Welcome,
)
from put_protocol.table_events import GameOver
from put_protocol.table_info import TableState
from put_server.table.table_effects import TableId
from put_server.transport.rate_limit import REQUESTS_AT_ONCE
from put_text.catalogue import say_in_english
from put_text.plain.commands import COMMANDS, TOPICS
from tests.text.english_words import english_in
from tests.transport.dispatcher_harness import DispatcherHarness, TypingPeer, asked
from tests.transport.sockets import running_server

TABLE = TableId(1)

IN_PLAY = (
    "",
    "main",
    "table",
    "points",
    "mes cartes",
    "levée",
    "temps",
    "horloge",
    "qui",
    "pourquoi",
    "choix",
    "donne",
)
REFUSED = (
    "encore",
    "lever",
    "reprendre",
    "conseil",
    "analyser",
    "asseoir 1",
    "inviter 1 sharp",
    "inviter Personne",
    "renvoyer 2",
    "faire partir Ben",
    "taire Personne",
    "bloquer Pilou",
    "jouer 99",
    "blurp",
    "options",
    "règles",
    "journal 1",
    "répéter 3",
    "enregistrer",
    "seul on",
    "seul off",
    "confirmer off",
    "pause 99999d",
    "pause 30m",
    "dire Bonjour",
    "quitter",
    "non",
    "aide",
)
ALONE = (
    "ouvrir whist",
    "ouvrir truc 9",
    "ouvrir truc 2 cut=middle",
    "ouvrir truc 2 turn=x",
    "ouvrir truc 2 turn=9999999",
    "ouvrir truc 2 gallery=half",
    "ouvrir truc 2 admits=cats",
    "ouvrir truc 2 x=y",
    "ouvrir triomphe-forcee 2",
    "asseoir 7",
    "asseoir",
    "regarder 9",
    "jeux",
    "maisons",
    "tables",
    "règles truc",
    "règles triomphe-forcee",
    "options truc",
    "options triomphe-forcee",
    "langue xx",
    "numéros off",
    "bref",
    "complet",
    "aide tout",
    "name Autre",
    "back",
    *[f"aide {topic}" for topic in TOPICS],
    *[f"aide {command.word}" for command in COMMANDS],
)


def type_slowly(harness: DispatcherHarness, person: TypingPeer, lines: tuple[str, ...]) -> None:
    """No more at a time than a person is let ask."""
    for line in lines:
        person.type(line)
        harness.tick(2_000)


@pytest.mark.parametrize(("game", "seats"), [("truc", 2), ("triomphe-forcee", 4)])
def test_whole_game_is_heard_in_french(game: str, seats: int) -> None:
    """No sentence is English: of the login, a game to its end, commands, refusals, rules, help and the goodbye."""
    harness = DispatcherHarness()
    pilou = harness.typist("help", "language fr", "numbers off", "nonsense", "name Pilou")
    type_slowly(harness, pilou, ALONE)
    pilou.type(f"ouvrir {game} {seats} {'rubber=1' if game == 'truc' else 'hands=2'}")
    players = [harness.typist(f"name {name}", "ask off") for name in ("Ben", "Col", "Dan")[: seats - 1]]
    gallery = harness.typist("language fr", "name Rosa", "regarder 1")
    for player in players:
        player.type("sit 1")
    dice, table, moves = random.Random(3), harness.dispatcher.lobby.tables[TABLE], 0
    while table.state is TableState.PLAYING:
        mover, decision = asked([pilou, *players])
        number = dice.randrange(len(decision.legal))
        if mover is pilou:
            moves += 1
            type_slowly(harness, pilou, IN_PLAY if moves < 9 else ())
            type_slowly(harness, pilou, REFUSED if moves == 3 else ())
        assert isinstance(mover, TypingPeer)
        mover.type(f"#{number + 1}", "yes")
    assert moves > 3
    type_slowly(harness, pilou, ("points", "table", "donne", "analyser", "quitter", "tables"))
    gallery.type("table", "fin")
    pilou.type(*["jeux"] * (REQUESTS_AT_ONCE + 5), "fin")
    begins = next(place for place, line in enumerate(pilou.said) if line.startswith("C'est noté"))
    # The harness has house players and a name of its own.
    said = [
        line.partition("chez Here")[0]
        for line in (*pilou.said[begins:], *gallery.said[3:])
        if not line.startswith(("steady", "rash"))
    ]
    assert len(said) > 300
    assert {line: found for line in said if (found := english_in(line))} == {}


def words_of(message: ServerMessage) -> list[str]:
    """All that a message says to people."""
    match message:
        case Welcome(games=games, houses=houses):
            rules = [(offer.title, offer.summary, *offer.rules) for offer in games if offer.family != "primero"]
            return [house.meaning for house in houses] + [text for texts in rules for text in texts]
        case Events() | TableSnapshot():
            return [*message.says, *message.board] if isinstance(message, Events) else [*message.board]
        case Decision():
            assert message.asks_phrase is message.why_phrase is message.legal[0].phrase is None
            return [message.asks, message.why, *[choice.says for choice in message.legal]]
        case Advice():
            return [message.reason, message.flaw]
        case Refused() | Goodbye():
            return [message.says]
        case _:
            return []


def is_end(message: ServerMessage) -> bool:
    return isinstance(message, Events) and any(isinstance(event, GameEnded | GameOver) for event in message.events)


async def test_who_has_the_words_of_the_server_alone_is_told_in_french() -> None:
    """Whole games over a socket, as the page plays them: events, boards, questions, choices, reasons, the games and
    players of the welcome, refusals, the coach, and the goodbye. What would come as a message beside is not sent."""
    async with running_server() as harness:
        peer = await harness.call(LINES)
        await peer.hello("Pilou", knows=(), language="fr")
        assert isinstance(await peer.ask(lambda number: Sit(number, 77)), Refused)
        games: list[tuple[str, int, dict[str, int | str]]] = [
            ("truc", 2, {"rubber": 1}),
            ("triomphe-forcee", 4, {"hands": 2}),
        ]
        for game, seats, options in games:
            opened = await peer.ask(partial(OpenTable, game=game, seats=seats, options=options, house="steady"))
            assert isinstance(opened, Ok)
            at, last = opened.table or 0, 0
            while not any(is_end(message) and message.table == at for message in peer.messages):  # type: ignore[union-attr]  # it is `Events`
                decisions = [one for one in peer.messages if isinstance(one, Decision) and one.table == at]
                if not decisions or decisions[-1].decision == last:
                    await peer.read()
                    continue
                last = decisions[-1].decision
                if len(decisions) < 3:
                    await peer.ask(partial(Coach, table=at))
                    await peer.until(Advice, lambda advice, decision=last: advice.decision == decision)  # type: ignore[misc]
                await peer.act(decisions[-1], decisions[-1].legal[-1].action)
        peer.send(Bye())
        assert await peer.over() is not None
    said = [text for message in peer.messages for text in words_of(message)]
    assert any(isinstance(message, Advice) and message.reason for message in peer.messages)
    assert len(said) > 200
    assert {text: found for text in said if (found := english_in(text))} == {}


async def test_who_says_the_words_themselves_has_the_message_of_each_refusal() -> None:
    """With its arguments, beside the English; so has a goodbye. Without a language of theirs nobody is sent any."""
    async with running_server() as harness:
        for language, has_phrase in (("fr", True), ("tlh", True), ("", False)):
            peer = await harness.call(LINES)
            await peer.hello("Pilou", knows=("put",), language=language)
            refused = await peer.ask(lambda number: Sit(number, 77))
            peer.send(Bye())
            goodbye = await peer.over()
            for message in (refused, goodbye):
                assert isinstance(message, Refused | Goodbye)
                phrase = message.phrase
                assert (phrase is not None) == has_phrase
                assert phrase is None or say_in_english(phrase.id, **phrase.args) == message.says
                assert phrase is None or isinstance(message, Goodbye) or 77 in phrase.args.values()
