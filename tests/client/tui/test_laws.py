"""Laws of every screen, over models at random: it fits, it is calm, it obeys nobody, and it says what is asked."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from prompt_toolkit.utils import get_cwidth

from put_client.keymap import BINDINGS, Mode
from put_client.line.line_state import LineState
from put_client.tui.boards import board_of
from put_client.tui.keys import mode_of
from put_client.tui.model import (
    LEAST,
    AtTable,
    Clock,
    Confirm,
    EntryKind,
    Help,
    HouseMenu,
    LobbyModel,
    LogEntry,
    Model,
    Overlay,
    PageKind,
    PromptKind,
    TableLog,
    ToldGame,
    Typing,
    hand_of,
)
from put_client.tui.update.dispatch import KeyPress, update
from put_client.tui.update.form import open_form
from put_client.tui.update.update_message import retold
from put_client.tui.views.prompt_view import lines_below, question_of
from put_client.tui.views.screen import draw
from put_client.tui.widgets.canvas import Line, Size, width_of
from put_client.tui.widgets.theme import ASCII, UNICODE
from put_protocol.cards import PACKS, Card, pack_of, rank_of, suit_of
from put_protocol.games import put
from put_protocol.games.families import FAMILIES
from put_protocol.games.family import Family
from put_protocol.games.tricks import TrickView
from put_protocol.games.unions import Choice
from put_protocol.messages import Decision
from put_protocol.seats import GALLERY, Seat, Viewer
from put_protocol.table_info import ClockInfo, PauseInfo, PersonInfo, SeatInfo, TableInfo, TableState
from put_protocol.text import is_printable
from tests.client.hearing import listened
from tests.client.tui.sample_models import RANKING, WELCOME, frame
from tests.repetitions import often

pytestmark = pytest.mark.timeout(120)  # the first to draw from all of Unicode reads its tables

OFTEN = often(15)

texts = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("Moll 李é\u0301\u202e\x1b")), max_size=60
)
names = st.text(st.sampled_from("MollWiẞ 李小龍é\u0301\u202e\x1b😀"), min_size=1, max_size=24)
sizes = st.one_of(
    st.builds(Size, st.integers(1, 210), st.integers(1, 70)),
    st.sampled_from([Size(60, 16), Size(79, 23), Size(80, 24), Size(120, 40), Size(200, 60)]),
)
cards = st.sampled_from((*pack_of(RANKING), *map(Card, ("#17", "#3", "11h", "Zé", "xx", "1t"))))
"""Of Put, places of cards that are not known, and what no pack has."""

flags = st.booleans()


@st.composite
def tricks(draw_: st.DrawFn, seats: int) -> TrickView:
    played = draw_(st.lists(st.integers(0, seats - 1).map(Seat), unique=True, max_size=seats))
    faces = draw_(st.lists(cards, min_size=len(played), max_size=len(played)))
    winner = draw_(st.sampled_from([None, *played]))
    return TrickView(tuple(played), tuple(faces), winner)


@st.composite
def views(draw_: st.DrawFn, seats: int, viewer: Viewer) -> put.PutView:
    one = st.integers(0, seats - 1).map(Seat)
    counts = draw_(st.one_of(st.just([]), st.lists(st.integers(0, seats + 1), min_size=seats, max_size=seats)))
    held = counts[viewer] if counts and viewer != GALLERY else 0
    target = draw_(st.integers(1, 21))
    return put.PutView(
        target=target,
        scores=tuple(draw_(st.lists(st.integers(0, target), min_size=seats, max_size=seats))),
        hand=draw_(st.integers(0, 99)),
        dealer=draw_(st.one_of(st.none(), one)),
        eldest=draw_(st.one_of(st.none(), one)),
        cards=tuple(draw_(st.lists(cards, min_size=held, max_size=held))),
        counts=tuple(counts),
        playing=tuple(draw_(st.lists(flags, min_size=seats, max_size=seats))),
        tricks=tuple(draw_(st.lists(st.integers(0, 5), min_size=seats, max_size=seats))),
        trick=draw_(tricks(seats)),
        past=tuple(draw_(st.lists(tricks(seats), max_size=4))),
        to_move=draw_(st.one_of(st.none(), one)),
        moment=draw_(st.sampled_from([None, *put.Moment])),
        putter=draw_(st.one_of(st.none(), one)),
        seen_by=tuple(draw_(st.lists(one, unique=True, max_size=seats))),
        ranking=draw_(st.sampled_from([(), RANKING, RANKING[:7]])),
        accident=draw_(st.one_of(st.none(), st.builds(put.AccidentView, law=st.integers(1, 5), seat=one, card=cards))),
        gave=draw_(st.one_of(st.none(), cards)),
        thrown=tuple(draw_(st.lists(cards, max_size=3))),
        givers=tuple(draw_(st.lists(one, unique=True, max_size=2))),
        value=draw_(st.integers(1, 16)),
        accepted=draw_(st.sampled_from(put.Worth)),
        rubber=draw_(st.sampled_from([(), (1,) * seats])),
    )


def value(rng: Random, of: msgspec.inspect.Type, seats: int, pack: tuple[Card, ...]) -> Any:
    """Anything that a field of such a type may hold at a table of so many seats, as it travels."""
    match of:
        case msgspec.inspect.UnionType(types=types):
            return value(rng, rng.choice(types), seats, pack)
        case msgspec.inspect.NoneType():
            return None
        case msgspec.inspect.BoolType():
            return rng.random() < 0.5
        case msgspec.inspect.IntType(ge=least):
            return rng.randint(least or 0, max(seats - 1, least or 0))
        case msgspec.inspect.EnumType(cls=kind):
            return rng.choice([member.value for member in kind])
        case msgspec.inspect.StrType() | msgspec.inspect.Metadata(type=msgspec.inspect.StrType()):
            return rng.choice(pack)
        case msgspec.inspect.VarTupleType(item_type=item, min_length=least):
            length = rng.choice([seats, rng.randint(least or 0, seats + 1)])
            most = length if of.max_length is None else min(of.max_length, length)
            return [value(rng, item, seats, pack) for _ in range(max(most, least or 0))]
        case msgspec.inspect.StructType(fields=fields, tag_field=tag_field, tag=tag):
            told = {field.encode_name: value(rng, field.type, seats, pack) for field in fields}
            return told if tag_field is None else {**told, tag_field: tag}
        case _:
            raise AssertionError(f"no values for {of}")


def anything(rng: Random, kind: type[Struct], seats: int) -> Any:
    """Any view, action or event of a kind, with lists of any length."""
    tag = str(kind.__struct_config__.tag)
    pack = PACKS["tarot-78" if tag.startswith("triomphe") else "french-40"]
    return msgspec.convert(value(rng, msgspec.inspect.type_info(kind), seats, pack), kind)


OTHERS = tuple(family for family in FAMILIES.values() if family.name != "put")
"""Families whose views are drawn from their types; Put's have a strategy of their own."""


@st.composite
def infos(draw_: st.DrawFn, seats: int) -> TableInfo:
    seat = st.builds(
        SeatInfo,
        name=st.one_of(st.none(), names),
        is_house=flags,
        is_bot=flags,
        is_away=flags,
        is_gone=flags,
        agrees=flags,
        purse=st.integers(-500, 500),
    )
    return TableInfo(
        id=draw_(st.integers(1, 2**53 - 1)),
        game=draw_(st.sampled_from(["put-1674", "a-rule-set-nobody-here-knows"])),
        options={"target": 5, "cut": draw_(texts)},
        seats=tuple(draw_(st.lists(seat, min_size=seats, max_size=seats))),
        clock=ClockInfo(turn=draw_(st.integers(0, 86_400))),
        state=draw_(st.sampled_from(TableState)),
        games=draw_(st.integers(0, 999)),
        watchers=draw_(st.integers(0, 500)),
        is_locked=draw_(flags),
        is_gallery_open=draw_(flags),
        is_exhibition=draw_(flags),
        pause=draw_(st.sampled_from([None, PauseInfo(1), PauseInfo(44_640, (Seat(0),)), PauseInfo(90, (Seat(1),))])),
    )


@st.composite
def sittings(draw_: st.DrawFn, seats: int) -> ToldGame:
    """A game told by events in any order, as no server would tell it."""
    one = st.integers(0, seats - 1).map(Seat)
    scores = st.lists(st.integers(0, 99), min_size=seats, max_size=seats).map(tuple)
    happened = st.one_of(
        st.builds(put.Dealt, st.integers(1, 99), one, one, scores),
        st.builds(put.Played, one, cards, flags),
        st.builds(put.TrickEnded, st.integers(1, 9), st.one_of(st.none(), one), one, scores),
        st.builds(put.DidPut, one),
        st.builds(put.Saw, one, st.integers(0, 4)),
        st.builds(put.ThrewIn, one, st.sampled_from(put.Cause)),
        st.builds(
            put.HandEnded, st.sampled_from(put.HandWon), st.one_of(st.none(), one), st.integers(0, 5), scores, flags
        ),
        st.builds(
            put.GameEnded, st.sampled_from(put.GameWon), one.map(lambda s: (s,)), scores, scores, scores, st.just(True)
        ),
    )
    sitting = ToldGame(number=1, is_whole=draw_(flags))
    for event in draw_(st.lists(happened, max_size=20)):
        sitting = sitting.with_event(event, "", event.hand if isinstance(event, put.Dealt) else None)
    return sitting


@st.composite
def tables(draw_: st.DrawFn) -> AtTable:
    seats = draw_(st.one_of(st.integers(2, 4), st.integers(5, 10)))
    viewer: Viewer = draw_(st.one_of(st.just(GALLERY), st.integers(0, seats - 1).map(Seat)))
    info = draw_(infos(seats))
    view = draw_(st.one_of(st.none(), views(seats, viewer)))
    legal = [Choice(put.Play(card), f"lead {card}") for card in (view.cards if view is not None else ())]
    others = (
        put.Put(),
        put.See(),
        put.ThrowIn(),
        put.Pass(),
        put.Double(),
        put.Give(),
        put.Let(),
        put.Redeal(),
        put.Abide(),
    )
    legal += draw_(st.lists(st.builds(Choice, st.sampled_from(others), texts), max_size=4))
    decision = Decision(table=info.id, decision=1, asks=draw_(texts), legal=tuple(legal), why=draw_(texts))
    entries = st.builds(LogEntry, texts, st.sampled_from(EntryKind), flags)
    log = tuple(draw_(st.lists(entries, max_size=12)))
    return AtTable(
        info=info,
        viewer=viewer,
        names=tuple(seat.name or "" for seat in info.seats),
        view=view,
        clock=draw_(
            st.one_of(
                st.none(),
                st.builds(
                    Clock,
                    seat=st.integers(0, seats - 1).map(Seat),
                    turn_ms=st.one_of(st.none(), st.integers(0, 86_400_000)),
                    bank_ms=st.one_of(st.none(), st.integers(0, 86_400_000)),
                    since=st.just(0),
                    is_away=flags,
                    paused_ms=st.one_of(st.none(), st.integers(0, 31 * 86_400_000)),
                ),
            )
        ),
        decision=draw_(st.sampled_from([None, decision])),
        is_answered=draw_(flags),
        chosen=draw_(st.one_of(st.none(), st.integers(0, len(legal) - 1))) if legal else None,
        log=TableLog(
            entries=log,
            talk=tuple(entry for entry in log if entry.kind is EntryKind.TALK),
            noted=len(log) + draw_(st.integers(0, 3)),
            unread=draw_(st.integers(0, 3)),
            unread_from=draw_(st.integers(0, 5)),
        ),
        told=draw_(st.one_of(st.just(ToldGame()), sittings(seats))),
        outcome=draw_(texts),
        result=draw_(texts),
    )


overlays: st.SearchStrategy[Overlay | None] = st.one_of(
    st.none(),
    st.builds(
        lambda text, prompt: Typing(prompt=prompt, text=text, at=len(text) // 2), texts, st.sampled_from(PromptKind)
    ),
    st.builds(lambda text, by_enter: Confirm(question=text, says=text, effects=(), by_enter=by_enter), texts, flags),
    st.builds(lambda page, down: Help(page=page, down=down), st.sampled_from(PageKind), st.none() | st.integers(0, 60)),
    st.builds(lambda at: HouseMenu(at=at), st.integers(0, 1)),
    st.just(open_form(WELCOME)),
)


@st.composite
def models(draw_: st.DrawFn) -> Model:
    listed = draw_(st.lists(infos(2), max_size=9, unique_by=lambda info: info.id))
    lobby = LobbyModel(
        tables=tuple(sorted(listed, key=lambda info: info.id)),
        people=tuple(draw_(st.lists(st.builds(PersonInfo, name=names, is_bot=flags, is_away=flags), max_size=12))),
        selected_table=draw_(st.sampled_from([None, *(info.id for info in listed)])),
    )
    return Model(
        welcome=WELCOME,
        lobby=lobby,
        table=draw_(st.one_of(st.none(), tables())),
        overlay=draw_(overlays),
        notice=draw_(texts),
        lost=draw_(st.one_of(st.none(), texts)),
        back=draw_(st.sampled_from(["", "put-client inn:1674"])),
    )


@OFTEN
@given(models(), sizes, flags, st.integers(0, 100_000))
def test_screen_fits_and_obeys_nobody(model: Model, size: Size, is_ascii: bool, now: int) -> None:
    """Exactly so many lines of exactly so many columns, of characters a terminal only draws; ASCII if so wanted."""
    shown = draw(model, size, ASCII if is_ascii else UNICODE, now)
    assert len(shown.lines) == size.height
    for line in shown.lines:
        text = "".join(part for _, part in line)
        assert get_cwidth(text) == size.width
        assert is_printable(text)
        assert text.isascii() or not is_ascii
    if shown.cursor is not None:
        x, y = shown.cursor
        assert 0 <= x < size.width
        assert 0 <= y < size.height


@OFTEN
@given(tables(), sizes)
def test_table_always_says_what_is_asked_of_whom(table: AtTable, size: Size) -> None:
    """Whatever the state, the question is on the screen in its line, or as much of it as the line holds."""
    model = Model(welcome=WELCOME, table=table)
    is_ours, says = question_of(model)
    assert says
    shown = frame(model, size)
    if size.width >= LEAST.width and size.height >= LEAST.height:
        line = "".join(part for _, part in shown.lines[size.height - lines_below(size.height) + 1])
        assert line.startswith(f" {UNICODE.pointer if is_ours else ' '} ")
        assert line[3:10] == says[:7] or not is_printable(says[:12]) or not says[:12].isascii()


@OFTEN
@given(tables(), st.builds(Size, st.integers(60, 200), st.integers(16, 60)))
def test_table_shows_its_viewer_their_cards(table: AtTable, size: Size) -> None:
    """Every card in the hand shows its rank and its suit where it is clicked, and the digit to play it by."""
    assert_hand_is_drawn(table, size)


@pytest.mark.parametrize("state", TableState)
@pytest.mark.parametrize("result", ["", "Moll wins the game. " * 12])
def test_nothing_covers_a_hand(state: TableState, result: str) -> None:
    """Neither the rules nor a result, in the smallest window, around the largest table, whatever is told of its state:
    no server tells of cards while nobody plays, but what is in a hand is shown."""
    seats = 10
    info = TableInfo(
        id=1, game="put-1674", options={"cut": "low " * 60}, seats=(SeatInfo(),) * seats, clock=ClockInfo(), state=state
    )
    view = put.PutView(
        target=5,
        scores=(0,) * seats,
        hand=1,
        cards=(Card("3s"), Card("10h"), Card("Kd")),
        counts=(0,) * (seats - 1) + (3,),
        playing=(True,) * seats,
        tricks=(0,) * seats,
        trick=TrickView((), ()),
    )
    table = AtTable(info=info, viewer=Seat(seats - 1), names=("",) * seats, view=view, result=result)
    assert_hand_is_drawn(table, LEAST)


def assert_hand_is_drawn(table: AtTable, size: Size) -> None:
    """Each card is seen in the place where it is clicked."""
    shown = frame(Model(welcome=WELCOME, table=table), size)
    hand = hand_of(table)
    places = (
        [spot for spot in shown.spots if spot.y < size.height - lines_below(size.height)][-len(hand) :] if hand else []
    )
    assert len(places) == len(hand)
    for number, (card, spot) in enumerate(zip(hand, places, strict=True), start=1):
        rows = [_columns(line, spot.x, spot.width) for line in shown.lines[spot.y : spot.y + spot.height]]
        assert rank_of(card) in "".join(rows)
        assert UNICODE.suits[suit_of(card)] in "".join(rows)
        assert str(number) in rows[-1] or number > 9


def _columns(line: Line, x: int, width: int) -> str:
    """What stands in these columns of a line."""
    cells: list[str] = []
    for character in "".join(part for _, part in line):
        wide = get_cwidth(character)
        cells += [character] + [""] * (wide - 1) if wide else []
    return "".join(cells[x : x + width])


@OFTEN
@given(
    models(),
    st.lists(
        st.sampled_from(sorted({key for binding in BINDINGS for key in binding.keys} | set("123456789pstyn x李"))),
        max_size=12,
    ),
)
def test_any_keys_in_any_state_keep_the_laws(model: Model, keys: list[str]) -> None:
    """No key in no state breaks anything: the model that comes of it can be drawn, and has one mode."""
    for key in keys:
        model, _ = update(model, KeyPress(key), 0)
    assert mode_of(model) in Mode
    assert len(frame(model).lines) == 24


def table_of_any(rng: Random, family: Family, info: TableInfo) -> AtTable:
    """A table at which a game of a family is played, whatever its view and its events say."""
    seats = len(info.seats)
    viewer: Viewer = rng.choice([GALLERY, *map(Seat, range(seats))])
    legal = [Choice(anything(rng, rng.choice(family.actions), seats), "do it") for _ in range(rng.randint(0, 24))]
    decision = Decision(table=info.id, decision=1, asks="Well?", legal=tuple(legal))
    table = AtTable(
        info=info,
        viewer=viewer,
        names=tuple(seat.name or "" for seat in info.seats),
        view=anything(rng, family.view, seats),
        decision=rng.choice([None, decision]),
        chosen=rng.choice([None, *range(len(legal))]),
        outcome="It is so." * rng.randint(0, 20),
        result="It is over." * rng.randint(0, 20),
    )
    table = board_of(table).arrived(table, None)
    for _ in range(rng.randint(0, 8)):
        table = board_of(table).after(table, anything(rng, rng.choice(family.events), seats), "It was so.")
    return table


@pytest.mark.parametrize("family", OTHERS, ids=lambda family: family.name)
@OFTEN
@given(st.integers(0, 2**32), st.integers(2, 10).flatmap(infos), sizes, flags)
def test_any_view_of_any_family_is_drawn(
    family: Family, seed: int, info: TableInfo, size: Size, is_ascii: bool
) -> None:
    """After any events, at any size, with any actions to choose from: nothing fails and nothing overflows, whatever
    key is pressed, and no line of the story is too long."""
    rng, theme = Random(seed), ASCII if is_ascii else UNICODE
    model = Model(welcome=WELCOME, table=table_of_any(rng, family, info))
    for _ in range(3):
        shown = draw(model, size, theme, 0)
        assert len(shown.lines) == size.height
        for line in shown.lines:
            text = "".join(part for _, part in line)
            assert get_cwidth(text) == size.width
            assert is_printable(text)
            assert text.isascii() or not is_ascii
        model, _ = update(model, KeyPress(rng.choice([*"123456789+fxkdsone?", "left", "right", "enter", "escape"])), 0)
    if model.table is not None:
        for line in board_of(model.table).story_page(model.table, 54, theme):
            assert sum(width_of(text) for _, text in line) <= 54


@OFTEN
@given(tables(), sizes)
def test_time_changes_nothing_but_the_clock(table: AtTable, size: Size) -> None:
    """Between two seconds only the line with the clock may differ."""
    model = Model(welcome=WELCOME, table=table)
    before, after = frame(model, size, now=0).lines, frame(model, size, now=1_000).lines
    changed = [number for number, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    assert changed in ([], [size.height - lines_below(size.height) + 1])


@OFTEN
@given(tables())
def test_any_table_is_retold_to_line_mode(table: AtTable) -> None:
    """Whoever goes on there hears of the same table."""
    after, said = listened(*retold(table, 5), heard=LineState())
    assert (after.text.table, after.text.viewer) == (table.id, table.viewer)
    assert said
