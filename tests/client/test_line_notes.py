"""Notes for beginners, and the coach, in line mode."""

import asyncio
from dataclasses import replace

from put_client.teaching import Teacher
from put_protocol.analysis import Weighed
from put_protocol.cards import Card
from put_protocol.games.put import Play, Put
from put_protocol.messages import Advice, LookAway, Sit
from put_text.catalogue import say
from tests.client.hearing import AT_MOVE, MOVE, SNAPSHOT, heard
from tests.client.scripted_server import PATIENCE_S, Server, decision
from tests.client.speaking import speaking


async def test_line_gives_notes_for_beginners_once(server: Server) -> None:
    """Before the question, with how to have no more of them; which is obeyed at once."""
    async with speaking(server, Sit(0, 7), teacher=Teacher(None)) as moll:
        await moll.grants(Sit, SNAPSHOT, decision())
        await moll.hears("You are to lead.")
        async with asyncio.timeout(PATIENCE_S):
            note = await moll.said.get()
        assert note.startswith("Note: The most tricks win the hand and a point, and 5 points the game.")
        assert note.endswith('Say "teach off" for no more notes.')
        await moll.hears(MOVE, at_once=True)
        moll.types("teach off")
        await moll.hears(say("client-notes-off"), at_once=True)
        moll.types("quit")
        await moll.grants(LookAway)
        await moll.ends
        moll.ends_input()


def test_coach_is_heard_while_the_decision_waits() -> None:
    """The reason, and in full every choice with its chance, the best first; of a decision that is over nothing, and a
    failure always."""
    choices = (Weighed(Play(Card("3s")), "lead the 3 of spades", 4950, 0), Weighed(Put(), 'say "I put"', 4960, 10_000))
    asked = decision()
    says = 'The coach would say "I put": it wins 49.6% of games.'
    advice = Advice(1, 7, asked.decision, choices, reason='Say "I put": it wins 49.6% of games.')
    assert heard(advice, known=AT_MOVE)[1] == (
        says,
        'Say "I put": 49.6% to win the game; perfect play always does it here.',
        "Lead the 3 of spades: 49.5% to win the game; perfect play never does it here.",
    )
    assert heard(advice, known=replace(AT_MOVE, is_brief=True))[1] == (says,)
    assert heard(Advice(1, 7, asked.decision, choices), known=AT_MOVE)[1][0] == 'The coach would say "I put".'
    assert heard(Advice(1, 7, asked.decision - 1, choices), known=AT_MOVE)[1] == ()
    assert heard(Advice(1, 7, asked.decision - 1, flaw="it failed"), known=AT_MOVE)[1] == ("It failed.",)
