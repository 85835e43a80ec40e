"""Turns of a recorded game: what its viewer faced and did, to be weighed later."""

from put_client.fairness.referee import events_of_game, rules_of
from put_client.fairness.replay import NotByRules, RulesReplay
from put_protocol.analysis import WeighGame
from put_protocol.cards import place_of
from put_protocol.deal_steps import is_draw
from put_protocol.seats import GALLERY
from put_protocol.table_events import Sat
from put_rules.game import Over
from put_rules.seat_turns import SeatTurns
from put_text.notation import Sheet


def turns_of(sheet: Sheet) -> WeighGame | None:
    """None: it is no whole game of a seat that follows from the rules, or a card of the viewer's is not known."""
    game, seat = rules_of(sheet.game, sheet.options, len(sheet.players)), sheet.viewer
    events = [event for step in sheet.steps for event in step.events]
    told = [event for event in events if type(event) in events_of_game(sheet.game)]
    is_unread = any(place_of(one.card) is not None for event in told for one in event.shows(seat))
    if game is None or seat == GALLERY or not told or is_unread:
        return None
    if any(isinstance(event, Sat) and event.seat == seat for event in events):
        return None  # another player went on in their place
    dealer = None if is_draw(told[0].deal_steps()) else getattr(told[0], "dealer", None)
    replay, turns = RulesReplay(game, seat, dealer), SeatTurns(game, seat)
    try:
        for followed in replay.follow(told):
            turns.take(followed.before, followed.given, followed.told)
    except NotByRules:
        return None
    if not isinstance(replay.awaits(), Over):
        return None
    return WeighGame(sheet.game, dict(sheet.options), sheet.table, sheet.number, seat, tuple(turns.turns))
