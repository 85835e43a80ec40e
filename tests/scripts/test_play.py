"""The command that shows the table to whoever has just cloned it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from put_client.sdk.errors import Cheated, Objection
from put_text.catalogue import speaking
from scripts import play
from tests.text.english_words import english_in


def watched(seed: int) -> list[str]:
    """What a spectator is told of a game between house players, in processes of their own."""
    command = [sys.executable, "-m", "scripts.play", "--watch", "--games", "1", "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=25, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_show_repeats_exactly_from_its_seed() -> None:
    """The same seed deals the same game, to the last word; another seed another one."""
    first = watched(7)
    assert any("Game 1 is over" in line or "wins the game" in line for line in first), first[-3:]
    assert watched(7) == first
    assert watched(8) != first


def test_practice_needs_no_server(tmp_path: Path) -> None:
    """Lines can be piped in; of a game that nobody has solved it says so, and ends."""
    command = [sys.executable, "-m", "scripts.play", "--drill", "--game", "truc", "--name", "Moll"]
    home = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    done = subprocess.run(command, input="quit\n", capture_output=True, text=True, timeout=25, check=False, env=home)
    assert done.returncode == os.EX_UNAVAILABLE
    assert done.stderr == ""
    assert "\nPerfect play is not known for truc" in f"\n{done.stdout}"  # a slow machine says first that it looks


def test_any_python_starts_it() -> None:
    """As on Windows: it finds the environment by itself, before it imports anything of it."""
    bare = [getattr(sys, "_base_executable", sys.executable), "-I", str(Path(play.__file__)), "--help"]
    french = {**os.environ, "LC_ALL": "fr_FR.UTF-8"}
    done = subprocess.run(bare, capture_output=True, text=True, timeout=25, check=False, env=french)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage\u00a0: scripts/play")
    told = done.stdout.partition("options\u00a0:")[2].replace("--seats", "")
    assert not english_in(told)


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        ("--nonsense", "arguments inconnus\u00a0: --nonsense"),
        ("--games=x", "argument --games\u00a0: valeur impossible de type int\u00a0: 'x'"),
        ("--games=0", "--games doit être un nombre entier de 1 à 999"),
        ("--seed", "argument --seed\u00a0: il lui faut un argument"),
        ("--house=Nell", "argument --house\u00a0: choix inconnu\u00a0: 'Nell' (au choix"),
    ],
)
def test_mistake_on_the_command_line_is_told_in_french(
    mistake: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the words of the catalogue, also where argparse made them."""
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    monkeypatch.setattr(sys, "argv", ["scripts/play", mistake])
    with speaking("en"), pytest.raises(SystemExit) as ended:  # of which the program makes its own
        play.main()
    assert ended.value.code == os.EX_USAGE
    assert capsys.readouterr().err.startswith(f"scripts/play: {says}")


FAILURE = Objection("Deal 3 was stacked.", 3)


def test_watched_dealer_who_cheats_ends_the_show_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Players find it out at once, each for themselves: one sentence, and an exit code that says so."""

    async def cheated(*_: object) -> None:
        raise Cheated(1, (FAILURE,), Path("evidence.json"))

    monkeypatch.setattr(play, "_house_bot", cheated)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["scripts/play", "--watch"])
    assert play.main() == os.EX_DATAERR
    assert capsys.readouterr().err == f"scripts/play: Table 1 is not played fairly. {FAILURE.says}\n"
