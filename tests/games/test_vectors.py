"""The vector files: every case, as its source has it."""

from pathlib import Path

import pytest

from put_protocol.games.families import FAMILIES
from put_rules.put.rule_sets import RULE_SETS
from put_rules.put.rules import HandRules, PutRules
from put_rules.registry import GAMES
from put_rules.table_options import OFFERS as TABLE_OPTIONS
from tests.conformance.every_action import every_action
from tests.games.vectors import FOLDER, VectorError, action_of, files, main, notation, read, rewritten

FILES = files()
HIGH_GAME = FOLDER / "put-1674" / "high-game.txt"


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_vector_is_what_the_machine_does(path: Path) -> None:
    """Every viewer sees what the file says, scores and legal actions are as it says, and so is the result. The file
    says where it comes from, claims a sentence, lies in its rule set's folder, and shows something."""
    vector = read(path)
    assert rewritten(vector) == vector.text
    assert vector.source.strip()
    assert vector.claim[0].isupper()
    assert vector.claim.endswith(".")
    assert vector.setup.name == path.parent.name
    assert any(line.startswith("> ") for line in vector.lines)


@pytest.mark.parametrize("name", GAMES)
def test_rule_set_has_vectors(name: str) -> None:
    """A registered rule set has vectors for each number of seats; it, or one that plays as it does, has them for every
    option that a table may set, and for every value of those that have but a few."""
    offer = GAMES[name].offer
    vectors = [read(path) for path in FILES if path.parent.name in _alike(name)]
    assert {vector.setup.seats for vector in vectors if vector.setup.name == name} == set(offer.seats)
    of_tables = {option.name for option in TABLE_OPTIONS} if offer.family != "put" else {"dealing"}
    options = [option for option in offer.options if option.name not in of_tables]
    assert {option for vector in vectors for option in vector.chosen} >= {option.name for option in options}
    for option in options:
        seen = {vector.setup.options.get(option.name) for vector in vectors}
        assert set(option.values) <= seen, option.name


def _alike(name: str) -> set[str]:
    """The rule sets that are played as this one is, itself included."""
    plays = [_plays(rules) for rules in RULE_SETS if rules.name == name]
    return {name} | {rules.name for rules in RULE_SETS if _plays(rules) in plays}


def _plays(rules: PutRules) -> tuple[HandRules, bool]:
    """How a hand is played: two rule sets in which it is played alike differ in no transition."""
    return rules.play, rules.is_partnership


def test_folders_are_rule_sets() -> None:
    """No vectors lie where nothing would play them."""
    assert {path.name for path in FOLDER.iterdir() if path.is_dir()} == set(GAMES)
    assert set(FOLDER.rglob("*.txt")) == set(FILES)


def test_notation_of_an_action_reads_back() -> None:
    """An action's notation is read as the same action."""
    cards = ("play 10h", "discard 4c")
    for words in (*cards, "put", "see", "throw", "pass", "double", "give", "let", "redeal", "abide"):
        assert notation(action_of(words, FAMILIES["put"])) == words


def test_notation_of_every_family_reads_back() -> None:
    """An action with any kind of field has one."""
    for family in FAMILIES.values():
        for kind in family.actions:
            for action in every_action(kind):
                assert action_of(notation(action), family) == action


@pytest.mark.parametrize(
    ("was", "becomes", "complaint"),
    [
        ("> seat 1: put", "> seat 0: put", "seat 0 is not to move"),
        ("> seat 1: put", "> seat 1: play 4c", "IllegalAction"),
        ("> pack: 3s 2d", "> pack: 3s 3s", "different cards"),
        ("2h 3d\n", "2h 3d 9c; law 4, 9c\n", "no pack was found"),
        ("source: ", "sauce: ", "expected `source"),
    ],
    ids=["out-of-turn", "illegal", "card-twice", "no-accident", "header"],
)
def test_vector_that_cannot_be_played_is_refused(tmp_path: Path, was: str, becomes: str, complaint: str) -> None:
    """A file with an input that the game does not await, or with a bad header, is an error and not a pass."""
    path = tmp_path / "case.txt"
    path.write_text(HIGH_GAME.read_text("utf-8").replace(was, becomes, 1), "utf-8")
    with pytest.raises(VectorError, match=complaint):
        rewritten(read(path))


def test_write_restores_the_expected_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rewriting keeps header, comments and inputs, and puts the machine's outcome where another was."""
    text = HIGH_GAME.read_text("utf-8")
    path = tmp_path / "case.txt"
    path.write_text(text.replace("    all: 1 puts\n", "").replace("paid +1 -1", "paid +2 -2"), "utf-8")
    assert main(["--write", str(path)]) == 0
    assert path.read_text("utf-8") == text
    assert "rewritten" in capsys.readouterr().out


def test_module_without_files_tells_its_use(capsys: pytest.CaptureFixture[str]) -> None:
    """Called without files it writes nothing and says how it is called."""
    assert main([]) == 2
    assert "--write" in capsys.readouterr().err
