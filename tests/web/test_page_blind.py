"""The page's part of blind deals, without a browser: its modules play at a real server, and judge servers that lie."""

import asyncio
import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec
import pytest

from put_client.fairness.verify import main
from put_client.sdk.blind_table import BlindTable, Unsound
from put_client.sdk.deal_checks import CheckFailed
from put_client.sdk.session_store import KeyMemory
from put_protocol.blind.party import deal_entry
from put_protocol.blind.transcript import SERVER, Entry, Kind
from put_protocol.blind_events import BlindBegun
from put_protocol.cards import FULL_PACK
from put_protocol.games.unions import Action, GameEvent
from put_protocol.messages import Events, TableSnapshot
from put_protocol.seats import Seat
from put_protocol.table_info import SeatInfo
from tests.client.checking_players import close, guest, house, sit_down
from tests.client.test_blind_attacks import (
    ANN,
    BEN,
    INFO,
    SENTENCES,
    Told,
    all_other_places_opened,
    at_hand,
    come_anew,
    more_places_than_cards,
    plain_game_after_ours,
)
from tests.client.test_blind_reading import READ_SENTENCES, Reader, honest_stock
from tests.lobby.blind_evidence import by_node
from tests.protocol.blind.blind_table import SERVER_KEY, in_turn, secret_of
from tests.protocol.blind.blind_table import BlindTable as ServedTable
from tests.repetitions import TURN, some

FOLDER = Path(__file__).parent
NODE = shutil.which("node")

pytestmark = [pytest.mark.skipif(NODE is None, reason="Node is not installed"), pytest.mark.timeout(60)]


class Recorded(BlindTable):
    """A table of the Python client that writes down what it is told."""

    def __init__(self, snapshot: TableSnapshot, keys: KeyMemory | None) -> None:
        super().__init__(snapshot, keys)
        self.snapshot = snapshot
        self.messages: list[Any] = []

    def read(self, message: TableSnapshot | Events | Any) -> Any:
        self.messages.append(message)
        return super().read(message)

    def resume(self, span: bytes) -> None:
        self.messages.append({"type": "span", "data": span})
        super().resume(span)

    def case(self) -> bytes:
        return msgspec.json.encode({"secret": secret_of(0), "snapshot": self.snapshot, "messages": self.messages})

    def lines(self) -> list[bytes]:
        """The same as evidence."""
        events = [event for message in self.messages if isinstance(message, Events) for event in message.events]
        return [*map(msgspec.json.encode, (self.snapshot, *events))]


async def judged(*cases: bytes) -> list[dict[str, Any]]:
    """What the page finds in each case."""
    run = await asyncio.create_subprocess_exec(
        str(NODE), FOLDER / "read_blind_table.mjs", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await run.communicate(b"\n".join(cases))
    return [json.loads(line) for line in out.splitlines()]


T = TypeVar("T", bound=Told)


def recorded(monkeypatch: pytest.MonkeyPatch, begin: Callable[[], T], lie: Callable[[T], Any]) -> Recorded:
    monkeypatch.setattr("tests.client.test_blind_attacks.BlindTable", Recorded)
    told = begin()
    with suppress(Unsound):
        lie(told)
    assert isinstance(told.ann, Recorded)
    return told.ann


def test_every_act_is_compared_with_who_signed_it() -> None:
    """But those after an accident in the dealing, which blind deals do not have, and `let`: the giving is told."""
    assert {kind.__struct_config__.tag for kind in get_args(Action) if not kind.TOLD_BY} == {"redeal", "abide", "let"}
    events = {kind.__struct_config__.tag for kind in get_args(GameEvent)}
    assert {kind.TOLD_BY for kind in get_args(Action) if kind.TOLD_BY} <= events


async def test_page_says_of_each_lie_what_the_client_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each, the one sentence; and of an honest hand nothing. The suite tells some of them."""
    told = some([*SENTENCES.items()], 5)
    lies = [lie for lie, _ in told]
    cases = [recorded(monkeypatch, at_hand, lie).case() for lie in (*lies, plain_game_after_ours, lambda _: None)]
    *answers, plain, honest = await judged(*cases)
    for (lie, sentence), found in zip(told, answers, strict=True):
        assert sentence in found["says"], lie.__name__
    assert [plain["says"], honest["says"]] == ["", ""]


async def test_page_loaded_again_by_a_player_who_gave_up_finds_no_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do they play on; but in the next game it is one."""
    monkeypatch.setattr("tests.client.test_blind_attacks.BlindTable", Recorded)
    table = come_anew()
    assert isinstance(table, Recorded)
    first = table.case()
    with suppress(Unsound):
        table.resume(ServedTable((SERVER, 1), FULL_PACK, game=2).game.span())
    honest, lie = await judged(first, table.case())
    assert honest["says"] == ""
    assert "You keep the key of your cards" in lie["says"]


def test_hands_of_another_size_are_found_by_the_second_verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a card of them is told."""
    lies = (more_places_than_cards, all_other_places_opened, lambda _: None)
    told = [recorded(monkeypatch, at_hand, lie).lines() for lie in lies]
    assert [one.is_false for one in by_node(told)] == [True, True, False]


@pytest.mark.timeout(120)
async def test_lies_about_what_was_read_are_found_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says the client's sentence, and the second verifier finds them, too. The suite tells some of them."""
    lies = some([*READ_SENTENCES.items()], 6)
    told = [recorded(monkeypatch, Reader, lie) for lie in (*[lie for lie, _ in lies], honest_stock)]
    *answers, honest = await judged(*[one.case() for one in told])
    for (lie, sentence), found in zip(lies, answers, strict=True):
        assert sentence in found["says"], lie.__name__
    assert honest["says"] == ""
    asked = (0, 1, 4, 5, 6, 8, 12) if TURN else (0, 1)  # it takes long for each
    found_false = [one.is_false for one in by_node([told[at].lines() for at in (*asked, -1)])]
    assert found_false == [*[True] * len(asked), False]


async def test_page_keeps_the_key_that_it_sat_down_to_keep() -> None:
    """Whatever the server says of the seat from the first."""
    snapshot = TableSnapshot(1, ANN, 0, msgspec.structs.replace(INFO, seats=(SeatInfo("Ann"), INFO.seats[BEN])))
    begun = Events(1, 1, (BlindBegun(ServedTable((SERVER, 1), FULL_PACK).terms.encoded),))
    case = {"secret": secret_of(0), "snapshot": snapshot, "messages": [begun]}
    watched, sat = await judged(*[msgspec.json.encode(case | {"keeps_key": keeps}) for keeps in (False, True)])
    assert watched["says"] == ""
    assert sat["says"] == "You keep the key of your cards, and the server says that it has it."


@pytest.mark.parametrize("is_dealt", [False, True])
async def test_page_accuses_a_stacked_pack(monkeypatch: pytest.MonkeyPatch, is_dealt: bool) -> None:
    """In place of its shares."""
    monkeypatch.setattr("tests.client.test_blind_attacks.BlindTable", Recorded)
    told = Told()
    told.begin()
    while (entry := told.server.next()) is not None and entry[:2] != bytes([BEN, Kind.SHUFFLE]):
        told.order(entry)
    one = Entry.parse(entry or b"")
    told.order(told.signed(replace(one, body=one.body[:66] * 2 + one.body[132:], proof=b"")))
    if is_dealt:
        told.order(deal_entry(told.server.game, SERVER_KEY, in_turn(2, 6)))
    assert isinstance(told.ann, Recorded)
    (found,) = await judged(told.ann.case())
    assert found == {"says": "", "due": Kind.ACCUSE}


PLAYED: list[tuple[str, int, dict[str, int | str]]] = [
    ("put-1674", 2, {"target": 1, "pack": 28}),
    ("truc", 2, {"rubber": 1}),
    ("triomphe-forcee", 4, {"hands": 1}),
    ("put-partners", 4, {"target": 1, "pack": 28}),
    ("primero", 3, {"hands": 3 if TURN else 1}),
]
"""Of which the suite plays one whose hands the server cannot read, and one where it reads them."""


@pytest.mark.parametrize(("game", "seats", "options"), some(PLAYED, 3))
async def test_page_plays_with_a_client_each_checking_the_other(
    game: str, seats: int, options: dict[str, int | str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A whole game, in which the page loses its connection again and again. Neither finds anything wrong, and the file
    that the page would save is found good by others."""
    async with house() as server:
        moll = await guest(server, "Moll")
        table = await moll.open_table(game, seats=seats, options={"dealing": "blind"} | options)
        for seat in range(2, seats):
            await moll.invite(table, house="steady", seat=Seat(seat))
        page = await asyncio.create_subprocess_exec(
            str(NODE), FOLDER / "page_player.mjs", str(server.port), "Nan", str(table), "drop", stdout=-1
        )
        try:
            ((record,), (out, _)) = await asyncio.gather(
                asyncio.gather(*sit_down(table, moll, games=1, boldness=0.5)), page.communicate()
            )
        finally:
            if page.returncode is None:
                page.kill()
        assert moll.all_of(CheckFailed) == []
        assert record.proved == record.deals > 0
        await close(moll)
    found = json.loads(out)
    assert (found["faults"], found["refused"], found["places"]) == ([], [], 0)
    assert found["standing"]["proved"] == record.proved
    evidence = tmp_path / "evidence.jsonl"
    evidence.write_text("\n".join(found["evidence"]) + "\n", "utf-8")
    with pytest.raises(SystemExit) as ended:
        main([str(evidence)])
    said = capsys.readouterr().out
    assert ended.value.code in {0, None}, said
    assert "every shuffle is proved" in said
