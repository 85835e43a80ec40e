"""Names: who may have which, for how long, which look alike, and that those of a former release stay."""

import unicodedata
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from put_protocol import messages
from put_protocol.refusals import RefusalCode
from put_protocol.text import NAME_LENGTH, flaw_of_name, is_printable, same_name
from put_server.lobby.inputs import Arrive, Restart, Return
from put_server.lobby.names import flaw_of_look, letters, looks, skeletons
from put_server.lobby.policy import EDITION, Policy
from put_server.lobby.presence import GRACE_MS
from put_server.table.table_effects import TableId
from tests.lobby.lobby_harness import LobbyHarness, folded, new_lobby, token_of

CYRILLIC_O, GREEK_NU = "\u043e", "\u039d"


def harness_now() -> LobbyHarness:
    return LobbyHarness(new_lobby(edition=EDITION))


def turned_away(harness: LobbyHarness, name: str) -> tuple[RefusalCode | None, str]:
    goodbye = harness.turned_away(Arrive(name, is_bot=False, token=token_of(f"another {name}")))
    return goodbye.refusal, goodbye.says


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Moll", "moll"),
        ("Moll", "M0ll"),
        ("Moll", "rnoll"),
        ("Ian", "lan"),
        ("Will", "Wi1l"),
        ("Will", "W\u0131ll"),
        ("BOB", "\u0412\u041e\u0412"),  # Cyrillic altogether
        ("cope", "\u0441\u043e\u0440\u0435"),
        ("\u53e3", "\u30ed"),  # a mouth, and the katakana ro
        ("Moll", "\uff2d\uff4f\uff4c\uff4c"),
    ],
)
def test_name_that_looks_like_one_here_is_taken(name: str, other: str) -> None:
    """Whichever came first; the sentence names who has it, unless it is the same name."""
    for first, second in ((name, other), (other, name)):
        harness = harness_now()
        harness.arrive(first)
        code, says = turned_away(harness, second)
        assert code == RefusalCode.NAME_TAKEN
        assert same_name(first) == same_name(second) or first in says


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Moll", "Molly"),
        ("Ann", "Anna"),
        ("Ben", "Len"),
        ("Player 1", "Player 2"),
        ("\u0930\u093e\u092e", "\u0930\u092e\u093e"),
    ],
)
def test_names_that_look_different_are_both_here(name: str, other: str) -> None:
    """Nobody is refused for what anybody can tell apart."""
    harness = harness_now()
    both = {harness.arrive(name), harness.arrive(other)}
    assert {harness.lobby.people[person].name for person in both} == {name, other}


@pytest.mark.parametrize("name", [f"M{CYRILLIC_O}ll", f"{GREEK_NU}ed", "\u0430dmin", "Ann\u0434"])
def test_name_of_several_alphabets_is_refused(name: str) -> None:
    """By a sentence that says which they are."""
    code, says = turned_away(harness_now(), name)
    assert code == RefusalCode.BAD_NAME
    assert "Latin" in says


@pytest.mark.parametrize(
    "name",
    [
        "Moll Cutpurse 17",
        "O'Brien-Smith, Jr.",
        "\u041c\u043e\u043b\u043b",  # Cyrillic
        "\u305f\u306a\u304b\u592a\u90ce \u30cb\u30b3 Jr",  # kana, kanji and Latin
        "\uae40\ucca0\uc218 Kim",
        "Ti\u1ebfng Vi\u1ec7t",
        "\u05e2\u05d1\u05e8\u05d9\u05ea",
        "\u0939\u093f\u0928\u094d\u0926\u0940",
        "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22",
        "Stra\xdfe",
        "Player 1",
        "\U0001f0a1 Ace",
        "Theodore",
        "Youssef",
        "Adminton",
    ],
)
def test_names_of_the_world_are_welcome(name: str) -> None:
    """One alphabet with digits and signs, or those that are written together."""
    harness = harness_now()
    assert harness.lobby.people[harness.arrive(name)].name == name


@pytest.mark.parametrize(
    "name",
    [
        "you",
        "You",
        "Y0U",
        "y o u",
        "The operator",
        "the  Operator",
        "0perator",
        "operator.",
        "thehouse",
        "Server",
        "adrnin",
        "\uff53\uff45\uff52\uff56\uff45\uff52",
        "\u041eperator",
        "Everyone",
        "*** admin ***",
        "The table",
        "t\xe4ble",
        "The \u1d1b\u1d00\u0299\u029f\u1d07",
        "\u0163he table",
        "\u24e2\u24d4\u24e1\u24e5\u24d4\u24e1",
        "\U0001f182erver",
    ],
)
def test_name_that_speaks_for_the_server_is_refused(name: str) -> None:
    """However it is spelt."""
    assert turned_away(harness_now(), name)[0] == RefusalCode.BAD_NAME


def test_stacked_marks_are_refused() -> None:
    """More than three on one letter, in names and in talk: they climb over the lines of others."""
    harness = harness_now()
    zalgo = "Zal\u0300\u0301\u0302\u0303go"
    eva = harness.arrive("\u1ebf\u0323va")  # circumflex, acute and a dot below
    assert turned_away(harness, zalgo)[0] == RefusalCode.BAD_NAME
    assert turned_away(harness, "\u0300\u0301\u0302\u0303")[0] == RefusalCode.BAD_NAME
    table = harness.open(eva)
    harness.sit(table, eva)
    assert "marks" in harness.refused(eva, messages.Say(harness.request_id(), table, zalgo)).says
    harness.ok(eva, messages.Say(harness.request_id(), table, "Zal\u0300\u0301\u0302go"))


def test_lost_guest_keeps_no_look_from_anybody() -> None:
    """As with the same name: who sits nowhere and is away gives it up, and who plays keeps it."""
    harness = harness_now()
    moll, ian = harness.arrive("Moll"), harness.arrive("Ian")
    harness.sit(harness.open(ian), ian)
    harness.lose(moll, ian)
    harness.arrive("M0ll")
    assert moll not in harness.lobby.people
    assert turned_away(harness, "lan")[0] == RefusalCode.NAME_TAKEN


def test_people_of_a_former_release_keep_their_names() -> None:
    """Two that look alike, a mixed one and a reserved one are folded, come back and stay; nobody new is like them."""
    harness = LobbyHarness()
    harness.handle(Restart())
    old = [harness.arrive(name) for name in ("Moll", "M0ll", f"M{CYRILLIC_O}ll", "The operator")]
    again = folded(harness.records, new_lobby())
    again.handle(Restart(policy=Policy(people=50, tables=50, edition=EDITION)))
    for person in old:
        again.come_back(person)
    for name in ("moll", "rnoll"):
        assert turned_away(again, name)[0] == RefusalCode.NAME_TAKEN
    for person in old:
        again.depart(person)
    again.arrive("Moll")
    assert not [people for people in again.lobby.people._by_look.values() if len(people) > 1]


def disguises(name: str) -> Iterator[str]:
    """The name with one letter replaced by each that looks like it, by each width and style, with each mark at it."""
    marks = [mark for mark in map(chr, range(0x300, 0x370)) if is_printable(mark)]
    marks += map(chr, (*range(0x64B, 0x656), *range(0x1AB0, 0x1ACF), *range(0x20D0, 0x20F1)))
    styled = [c for c in map(chr, range(0x110000)) if unicodedata.decomposition(c)]
    plain = {c: "".join([p for p in unicodedata.normalize("NFKD", c) if not unicodedata.combining(p)]) for c in styled}
    for at, letter in enumerate(name):
        others = [mark_at for mark in marks for mark_at in (letter + mark, mark + letter)]
        for table in (looks(), letters()):
            others += [chr(other) for other, target in table.items() if target.casefold() == letter.casefold()]
        others += [c for c in styled if plain[c].casefold() == letter.casefold()]
        yield from (f"{name[:at]}{other}{name[at + 1 :]}" for other in others)


@pytest.mark.parametrize("name", ["Moll", "Ian"])
def test_name_in_any_disguise_is_refused(name: str) -> None:
    """Whatever a letter is replaced by that is like it, and whatever mark is at it."""
    tried = [disguise for disguise in disguises(name) if is_printable(disguise) and disguise[0] != " "]
    assert len(tried) > 300 * len(name)
    assert [each for each in tried if skeletons(each).isdisjoint(skeletons(name)) and not flaw_of_look(each)] == []


def test_journal_of_an_earlier_edition_goes_by_its_likeness() -> None:
    """Who is away kept their place from one whose name differed by a mark, and so does the replay."""
    harness = LobbyHarness(new_lobby(edition=1))
    jose = harness.arrive("Jose")
    harness.lose(jose)
    harness.arrive("Jos\xe9")
    assert jose in harness.lobby.people
    again = folded(harness.records, new_lobby(edition=1))
    again.come_back(jose)


@given(name=st.text(max_size=NAME_LENGTH))
def test_names_are_judged_whatever_they_are(name: str) -> None:
    """By a sentence or none, and a name always looks like itself in other case."""
    if flaw_of_name(name) is None:
        assert flaw_of_look(name) is None or flaw_of_look(name)
        assert skeletons(name) & skeletons(same_name(name))


def test_tables_of_looks_are_as_journals_know_them() -> None:
    """The lobby decides by them, so a replay of this edition needs them as they are; a new edition has others."""
    text = (files("put_server.lobby") / "lookalikes.txt").read_text("ascii")
    _, _, tables = text.partition("\n\n")
    assert (EDITION, sha256(tables.encode()).hexdigest()[:16]) == (3, "3e27e7e017e25805")
    assert [looks()[ord(c)] for c in ("\u043e", "\u0430", "I", "1", "0", "m")] == ["o", "a", "l", "l", "O", "rn"]


def test_tables_of_looks_have_what_a_name_may_have() -> None:
    """Each character is one that a composed name may have, and is like another, in a composed form."""
    for source, target in (*looks().items(), *letters().items()):
        assert is_printable(chr(source))
        assert unicodedata.is_normalized("NFKC", chr(source))
        assert target != chr(source)
    assert all(unicodedata.is_normalized("NFKC", target) for target in looks().values())


@pytest.mark.parametrize("name", ["", "   ", " Ann", "Ann ", "x" * 25, "A\x1b[2J", "A\u202eB", "A\u200bB", "A\nB"])
def test_name_that_cannot_be_shown_is_turned_away(name: str) -> None:
    """Empty, padded, overlong and unprintable names do not come in."""
    harness = LobbyHarness()
    goodbye = harness.turned_away(Arrive(name, is_bot=False, token=token_of(name)))
    assert (goodbye.code, goodbye.refusal) == ("refused", RefusalCode.BAD_NAME)
    assert not harness.lobby.people


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN", "\uff21\uff4e\uff4e"])
def test_name_that_looks_the_same_is_taken(name: str) -> None:
    """Case and width do not make another person."""
    harness = LobbyHarness()
    harness.arrive("Ann")
    goodbye = harness.turned_away(Arrive(name, is_bot=False, token=token_of("other")))
    assert goodbye.refusal == RefusalCode.NAME_TAKEN


def test_name_composed_otherwise_is_taken() -> None:
    """An accent written apart from its letter does not make another person."""
    harness = LobbyHarness()
    harness.arrive("Zo\u00eb")
    goodbye = harness.turned_away(Arrive("Zoe\u0308", is_bot=False, token=token_of("other")))
    assert goodbye.refusal == RefusalCode.NAME_TAKEN


def test_name_is_free_again_after_departure() -> None:
    """A wilful end frees the name at once, and ends the token."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    harness.depart(ann)
    assert harness.turned_away(Return(token_of("Ann"), ())).refusal == RefusalCode.BAD_TOKEN
    assert harness.arrive("ann") != ann


def test_name_of_a_lost_player_is_kept_and_of_a_lost_guest_given_away() -> None:
    """Who is lost keeps the name while they sit; who only looked on loses it to whoever asks."""
    harness = LobbyHarness()
    ann, ben, cat = map(harness.arrive, ("Ann", "Ben", "Cat"))
    table = harness.open(ann)
    harness.sit(table, ann)
    harness.watch(table, ben)
    harness.lose(ann, ben, cat)
    assert harness.turned_away(Arrive("Ann", is_bot=False, token=b"a")).refusal == RefusalCode.NAME_TAKEN
    harness.handle(Arrive("Ben", is_bot=False, token=b"b"))
    assert harness.turned_away(Return(token_of("Ben"), ())).refusal == RefusalCode.BAD_TOKEN
    assert ben not in harness.lobby.people
    assert harness.lobby.tables[TableId(table)].seating.viewer_of(ben) is None


def test_name_of_a_lost_guest_is_kept_while_their_table_waits() -> None:
    """Its owner is about to sit at it; and once somebody else has, it waits for them no more."""
    harness = LobbyHarness()
    ann, ben = map(harness.arrive, ("Ann", "Ben"))
    table = harness.open(ann)
    harness.lose(ann)
    assert harness.turned_away(Arrive("Ann", is_bot=False, token=b"a")).refusal == RefusalCode.NAME_TAKEN
    assert ann in harness.lobby.people
    harness.sit(table, ben)
    harness.handle(Arrive("Ann", is_bot=False, token=b"a"))
    assert ann not in harness.lobby.people


def test_name_of_a_lost_guest_is_free_after_the_grace() -> None:
    """Nobody is expected back for ever."""
    harness = LobbyHarness()
    ann = harness.arrive("Ann")
    harness.lose(ann)
    harness.tick(GRACE_MS - 1)
    assert ann in harness.lobby.people
    harness.tick(1)
    assert not harness.lobby.people


def test_house_names_are_unlike_those_at_the_table() -> None:
    """A house player never sits beside its own name."""
    harness = LobbyHarness()
    doll = harness.arrive("doll")
    table = harness.open(doll, seats=4)
    harness.sit(table, doll)
    for _ in range(3):
        harness.ok(doll, messages.Invite(harness.request_id(), table))
    names = [seat.name or "" for seat in harness.lobby.tables[TableId(table)].info.seats]
    assert len({name.casefold() for name in names}) == 4
