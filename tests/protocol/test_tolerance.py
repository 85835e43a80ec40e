"""Messages of a later release: what is not known here keeps its place, and everything else is read as ever."""

from typing import Any

import msgspec
import pytest

from put_protocol.blind_acts import act_body
from put_protocol.codecs import FRAMES, LINES, Codec, decoder_of_replies, decoder_of_requests
from put_protocol.connection import ClientConnection
from put_protocol.errors import MessageError
from put_protocol.games.families import FAMILIES
from put_protocol.games.family import Family
from put_protocol.games.put import Put, PutView
from put_protocol.games.unions import Choice
from put_protocol.games.unknown import UnknownAction, UnknownEvent, UnknownView
from put_protocol.messages import (
    Act,
    Decision,
    Events,
    Invited,
    LobbyState,
    Ok,
    Position,
    ServerMessage,
    TableSnapshot,
    Welcome,
)
from put_protocol.seats import Seat
from put_protocol.table_events import Agreed
from tests.conformance.every_action import every_action
from tests.protocol import samples
from tests.protocol.test_codecs import map_of, piece, piece_of

CODECS = (FRAMES, LINES)
both_codecs = pytest.mark.parametrize("codec", CODECS, ids=repr)

TAKE = {"do": "whist.take", "trick": [1, {"card": "3s"}], "note": None}
UNKNOWN_TAKE = UnknownAction("whist.take", {"trick": [1, {"card": "3s"}], "note": None})
KNOCK = {"event": "whist.knocked", "seat": 1, "cards": ["3s"]}
UNKNOWN_KNOCK = UnknownEvent("whist.knocked", {"seat": 1, "cards": ["3s"]})
WHIST = {"view": "whist", "to_move": 2, "cards": ["3s", "not a card", 4], "moment": "bid"}
UNKNOWN_WHIST = UnknownView("whist", {"to_move": 2, "cards": ["3s", "not a card", 4], "moment": "bid"})
AGREED = {"event": "agreed", "seat": 0}


def told(codec: Codec, objects: dict[str, Any]) -> ServerMessage | None:
    """What a client makes of these objects."""
    return decoder_of_replies(codec).decode_known(piece(codec, objects))


@both_codecs
def test_unknown_events_keep_their_places(codec: Codec) -> None:
    """Events that are not known here stand between the known ones, with the values that came."""
    happened = {"type": "events", "table": 7, "first": 3, "events": [KNOCK, AGREED, KNOCK], "view": WHIST}
    assert told(codec, happened) == Events(7, 3, (UNKNOWN_KNOCK, Agreed(Seat(0)), UNKNOWN_KNOCK), view=UNKNOWN_WHIST)


@both_codecs
def test_unknown_view_of_a_snapshot_is_kept(codec: Codec) -> None:
    """A client that comes to a game of another family has its view, of which it can read whose move it is."""
    snapshot = TableSnapshot(table=7, viewer=Seat(0), number=9, info=samples.INFO)
    found = told(codec, {**map_of(snapshot), "view": WHIST})
    assert isinstance(found, TableSnapshot)
    assert found == msgspec.structs.replace(snapshot, view=UNKNOWN_WHIST)
    assert isinstance(found.view, UnknownView)
    assert (found.view.to_move, found.view.moment, found.view.cards) == (2, "bid", ("3s",))


@both_codecs
def test_unknown_view_need_not_say_anything(codec: Codec) -> None:
    """A view without the fields that all views have is a view of which nothing can be read."""
    found = told(codec, {"type": "events", "table": 7, "first": 1, "events": [], "view": {"view": "whist"}})
    assert isinstance(found, Events)
    assert isinstance(found.view, UnknownView)
    assert (found.view.to_move, found.view.moment, found.view.cards) == (None, None, ())


@both_codecs
def test_unknown_choices_keep_their_places(codec: Codec) -> None:
    """An action that is not known here can be chosen among the others."""
    legal = [{"action": TAKE, "says": "take the trick"}, {"action": {"do": "put"}, "says": "put"}]
    choices = (Choice(UNKNOWN_TAKE, "take the trick"), Choice(Put(), "put"))
    decision = {"type": "decision", "table": 7, "decision": 4, "asks": "What now?", "legal": legal}
    assert told(codec, decision) == Decision(7, 4, "What now?", choices)
    position = {"type": "position", "id": 3, "game": "whist", "view": WHIST, "legal": legal}
    assert told(codec, position) == Position(3, "whist", view=UNKNOWN_WHIST, legal=choices)


@both_codecs
def test_unknown_action_is_sent_back_as_it_came(codec: Codec) -> None:
    """What a client sends of an action it does not know is the map that it got, byte for byte."""
    connection = ClientConnection(0, codec)
    connection.send(Act(id=1, table=7, decision=4, action=UNKNOWN_TAKE))
    (sent,) = codec.splitter().feed(connection.take())
    assert codec.objects(sent, 64) == {"type": "act", "id": 1, "table": 7, "decision": 4, "action": TAKE}


@both_codecs
def test_server_refuses_what_it_does_not_know(codec: Codec) -> None:
    """To a server an action of another release is a bad request, as ever."""
    act = {"type": "act", "id": 1, "table": 7, "decision": 4, "action": TAKE}
    with pytest.raises(MessageError) as caught:
        decoder_of_requests(codec).decode(piece(codec, act))
    assert caught.value.field == "$.action.do"


@both_codecs
@pytest.mark.parametrize(
    "wrong",
    [
        {"events": [KNOCK, {"event": "agreed"}]},
        {"events": [KNOCK, {"event": 7}]},
        {"events": [KNOCK], "first": "3"},
        {"events": [KNOCK], "view": {"view": "put", "target": "5"}},
        {"events": [KNOCK], "view": {"view": 5}},
    ],
)
def test_what_is_wrong_beside_the_unknown_is_an_error(codec: Codec, wrong: dict[str, Any]) -> None:
    """Tolerance is for unknown tags alone: whatever else is wrong is an error, as from a server of this release."""
    with pytest.raises(MessageError):
        told(codec, {"type": "events", "table": 7, "first": 3, **wrong})


@both_codecs
def test_analysis_of_unknown_actions_is_passed_over(codec: Codec) -> None:
    """Nothing can be said of the worth of actions that are not known here."""
    judged = {"before": 1, "after": 1, "quality": "fine", "done": TAKE, "choices": []}
    assert told(codec, {"type": "judgement", "id": 1, "number": 2, "judged": judged}) is None
    with pytest.raises(MessageError):
        told(codec, {"type": "judgement", "id": 1, "number": 2, "judged": {**judged, "done": {"do": "play"}}})


@both_codecs
def test_unknown_options_of_an_offer_are_left_out(codec: Codec) -> None:
    """A rule set with an option of a kind that is not known here is offered without that option."""
    welcome = map_of(samples.WELCOME)
    first = welcome["games"][0]
    option = {"name": "teams", "meaning": "who plays with whom", "default": [[0, 2], [1, 3]]}
    later = {**first, "options": [option, *first["options"]], "direction": "diagonal"}
    found = told(codec, {**welcome, "games": [later, *welcome["games"][1:]]})
    assert isinstance(found, Welcome)
    assert found == samples.WELCOME


@both_codecs
def test_unknown_option_values_of_a_table_are_told_as_text(codec: Codec) -> None:
    """A table with such an option is listed all the same, wherever a table is told."""
    info = msgspec.to_builtins(samples.INFO)
    later = {**info, "options": {"teams": [[0, 2]], "blind": True, "target": 5}}
    mended = msgspec.structs.replace(samples.INFO, options={"teams": "[[0, 2]]", "blind": "True", "target": 5})
    assert told(codec, {"type": "lobby", "tables": [later]}) == LobbyState(tables=(mended,))
    assert told(codec, {"type": "invited", "table": 7, "by": "Moll", "info": later}) == Invited(7, "Moll", mended)
    events = told(codec, {"type": "events", "table": 7, "first": 1, "events": [AGREED], "info": later})
    assert events == Events(7, 1, (Agreed(Seat(0)),), info=mended)


def test_known_messages_are_read_as_by_a_strict_decoder() -> None:
    """What is known does not become unknown."""
    view = PutView(target=5, scores=(0, 0))
    for message in (*samples.REPLIES, Ok(1), Events(7, 1, (Agreed(Seat(0)),), view=view)):
        for codec in CODECS:
            body = piece_of(codec, message)
            assert decoder_of_replies(codec).decode_known(body) == decoder_of_replies(codec).decode(body) == message


@both_codecs
@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_family_that_is_not_known_is_signed_as_by_a_client_that_knows_it(codec: Codec, family: Family) -> None:
    """Every kind of action, also those that others may not read: which these are is told by the choice."""
    known = [next(every_action(kind)) for kind in family.actions]
    choices = [msgspec.to_builtins(Choice(action, "", None, action.IS_UNSEEN)) for action in known]
    for choice in choices:
        choice["action"]["do"] = f"later.{choice['action']['do']}"
    decision = told(codec, {"type": "decision", "table": 7, "decision": 1, "asks": "", "legal": choices})
    assert isinstance(decision, Decision)
    for found, action, choice in zip(decision.legal, known, choices, strict=True):
        assert isinstance(found.action, UnknownAction)
        assert found.action.IS_UNSEEN == action.IS_UNSEEN
        assert act_body(found.action) == msgspec.msgpack.encode(choice["action"])
