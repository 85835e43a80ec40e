"""French on a connection on which a person types: whole games, and whatever else is answered on the way."""

import random

import pytest

from put_protocol.table_info import TableState
from put_server.table.table_effects import TableId
from put_server.transport.rate_limit import REQUESTS_AT_ONCE
from put_text.plain.commands import COMMANDS, TOPICS
from tests.text.english_words import english_in
from tests.transport.dispatcher_harness import DispatcherHarness, TypingPeer, asked

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
