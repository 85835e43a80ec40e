"""`put-bot` as an author starts it: what it loads, what it says, and how it ends."""

import asyncio
import json
import os
import random
import re
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from put_client import Played, Refusal, connect
from put_client.bots import cli
from put_client.bots.cli import GameCounts
from put_client.bots.loading import LoadError, load, maker

SHORT = ("--house", "beginner", "--option", "target=1", "--option", "dealing=plain")
"""A game of one hand, in which nothing is proved."""

BOLD = """
from put_client import Bot, RandomBot
from put_protocol.games.put import Put
class Bold(Bot):
    def choose(self, view, legal):
        return next((c.action for c in legal if c.action == Put()), legal[0].action)
"""


@pytest.fixture(autouse=True)
def imports_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test loads is forgotten after it."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    monkeypatch.chdir(tmp_path)


async def run(*arguments: object) -> tuple[int, str, str]:
    """The exit code, and what was said on both streams."""
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "put_client.bots.cli", *map(str, arguments)), stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(25):
        said, complained = await bot.communicate()
    assert bot.returncode is not None
    return bot.returncode, said.decode(), complained.decode()


def written(text: str, name: str = "my_bot.py") -> Path:
    file = Path(name)
    file.write_text(text, "utf-8")
    return file


# --- loading ---


@pytest.mark.parametrize("typed", ["my_bot.py", "my_bot.py:Bold", "my_bot", "my_bot:Bold", "./my_bot.py"])
def test_bot_is_found_by_file_or_module(typed: str) -> None:
    """With its name or without, if it is the only one there; what it imports does not count."""
    written(BOLD)
    assert load(typed).__name__ == "Bold"


@pytest.mark.parametrize("typed", ["{0} --house steady {1}", "--house steady {0} {1}", "{0} {1} --house steady"])
def test_address_and_options_may_stand_in_any_order(typed: str) -> None:
    given = cli.parse(typed.format("bot.py", "somehost:1675").split())
    assert (given.bot, given.house, given.address.port) == ("bot.py", "steady", 1675)


def test_bot_may_import_what_lies_beside_it() -> None:
    """From wherever it is started."""
    Path("mine").mkdir()
    written("LUCK = 7", "mine/luck_of_mine.py")
    written("from luck_of_mine import LUCK\n" + BOLD, "mine/bold_of_mine.py")
    assert load("mine/bold_of_mine.py").__name__ == "Bold"


def test_bots_in_files_of_one_name_are_two() -> None:
    """And neither takes the place of a module of Python's."""
    for folder in ("one", "two"):
        Path(folder).mkdir()
        written(BOLD.replace("Bold", folder.title()), f"{folder}/random.py")
    assert [load(f"{folder}/random.py").__name__ for folder in ("one", "two")] == ["One", "Two"]
    assert sys.modules["random"] is random


@pytest.mark.parametrize(
    ("typed", "text", "says"),
    [
        ("nowhere.py", "", "there is no file nowhere.py"),
        ("nowhere_at_all", "", "there is no module nowhere_at_all .looked for it in /"),
        (":Bold", "", "names no module"),
        ("my_bot.py:Bald", BOLD, "my_bot.py has no Bald; its bots are Bold"),
        ("my_bot.py", BOLD + BOLD.replace("Bold", "Meek"), "has 2 bots, Bold, Meek: say which, as in my_bot.py:Bold"),
        (
            "my_bot.py",
            "from put_client import RandomBot",
            "has no bot: no class derived from put_client.Bot",
        ),
        ("my_bot.py:Lazy", "from put_client import Bot\nclass Lazy(Bot): pass", "Lazy .* does not choose"),
        ("my_bot.py:os", "import os", "os in my_bot.py is no bot"),
        ("my_bot.py", "def choose(:", "cannot be imported: SyntaxError"),
        ("my_bot", "import nothing_of_that_name", "cannot be imported: ModuleNotFoundError: No module named 'nothing"),
    ],
)
def test_bot_that_cannot_be_loaded_is_told_why(typed: str, text: str, says: str) -> None:
    """What was looked for, where, and what there is instead."""
    written(text)
    with pytest.raises(LoadError, match=says):
        load(typed)


def test_bots_are_made_with_dice_of_their_own() -> None:
    """The same from the same seed, and different from each other; a bot that wants more cannot be made."""
    written(BOLD + "    def __init__(self, dice): self.dice = dice")
    kind = load("my_bot.py")
    rolls = [[make().dice.random() for _ in range(2)] for make in (maker(kind, 5), maker(kind, 5))]  # type: ignore[attr-defined]  # it has them
    assert rolls[0] == rolls[1]
    assert len(set(rolls[0])) == 2
    written(BOLD.replace("Bold", "Greedy") + "    def __init__(self, money, dice=None): ...", "greedy.py")
    with pytest.raises(LoadError, match="Greedy cannot be made: its __init__ needs money"):
        maker(load("greedy.py"))


# --- playing ---


async def test_bot_plays_the_house_and_tells_how_it_did(port: int) -> None:
    """In a sentence, or as JSON; the name is the class's."""
    written(BOLD)
    how = (*SHORT, "--games", 4, "--tables", 2, "--turn", 60)
    code, said, complained = await run("my_bot.py", f"127.0.0.1:{port}", *how)
    assert (code, complained) == (0, "")
    assert said.startswith("Bold played 4 games and won ")
    code, said, _ = await run("my_bot.py", f"127.0.0.1:{port}", *how, "--json", "--name", "Tib")
    told = json.loads(said)
    assert (code, told["name"], told["games"], len(told["tables"])) == (0, "Tib", 4, 2)
    assert told["won"] - (4 - told["won"]) == told["purse"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return view.nonsense", "AttributeError: 'PutView' object has no attribute 'nonsense'"),
        ("return None", "Bold chose nothing (did it forget to return?), which is none of the legal actions: "),
    ],
)
async def test_bot_that_fails_is_shown_where(port: int, body: str, says: str) -> None:
    """Its own lines of the traceback and none of ours; with --on-error first it plays on."""
    written(f"from put_client import Bot\nclass Bold(Bot):\n    def choose(self, view, legal):\n        {body}\n")
    how = (f"127.0.0.1:{port}", *SHORT)
    code, said, complained = await run("my_bot.py", *how)
    assert (code, said) == (os.EX_SOFTWARE, "")
    assert says in complained
    assert "bot_session.py" not in complained
    assert ("line 4, in choose" in complained) == ("nonsense" in body)
    code, said, complained = await run("my_bot.py", *how, "--on-error", "first")
    assert code == 0
    assert "played 1 game " in said
    assert says in complained


async def test_bot_that_waits_ends_well_when_it_is_told_to(port: int) -> None:
    """Its seats and its name are free at once."""
    written(BOLD)
    for _ in range(2):
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "put_client.bots.cli", "my_bot.py", f"127.0.0.1:{port}", "--invited"),
            *("--log-level", "info"),
            stdout=PIPE,
            stderr=PIPE,
        )
        assert bot.stderr is not None
        async with asyncio.timeout(25):
            assert b"waits to be invited" in await bot.stderr.readline()
            bot.send_signal(signal.SIGTERM)
            said, _ = await bot.communicate()
        assert (bot.returncode, said) == (0, b"Bold played no game to its end.\n")


async def test_bot_that_was_killed_has_its_name_again(port: int) -> None:
    """The name is kept for its token, which is saved; and the seat that it left is empty."""
    written(BOLD)
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "put_client.bots.cli", "my_bot.py", f"127.0.0.1:{port}", "--log-level", "debug"),
        stdout=PIPE,
        stderr=PIPE,
    )
    assert bot.stderr is not None
    async with asyncio.timeout(25):
        table = None
        while table is None:
            table = re.search(rb"table (\d+): ", await bot.stderr.readline())
        bot.kill()
        await bot.communicate()
    for _ in range(2):
        code, said, complained = await run("my_bot.py", f"127.0.0.1:{port}", *SHORT)
        assert (code, complained) == (0, "")
        assert "played 1 game " in said
    async with connect("127.0.0.1", port, name="Moll") as client:
        with pytest.raises(Refusal, match="table"):
            await client.watch(int(table[1]))


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("my_bot.py", "127.0.0.1:1"), os.EX_UNAVAILABLE, "No put server at 127.0.0.1:1: no server listens there."),
        (("other.py", "127.0.0.1:{port}"), os.EX_NOINPUT, "put-bot: there is no file other.py"),
        (("my_bot.py", "127.0.0.1:{port}", "--game", "whist"), os.EX_DATAERR, "No such rule set; there are put-1674"),
        (("my_bot.py", "127.0.0.1:{port}", "--table", "99"), os.EX_DATAERR, "99"),
        (("my_bot.py", "127.0.0.1:{port}", "--name", " "), os.EX_DATAERR, "name"),
        (("my_bot.py", "127.0.0.1:{port}", "--tables", "2"), os.EX_USAGE, "1 game cannot be played at 2 tables"),
    ],
)
async def test_failure_has_a_sentence_and_a_code(port: int, arguments: tuple[str, ...], code: int, says: str) -> None:
    """Without a traceback: it is no fault of the bot's."""
    written(BOLD)
    got, _, complained = await run(*(one.format(port=port) for one in arguments))
    assert (got, says in complained, "Traceback" in complained) == (code, True, False), complained


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("b.py", "host:x"),
        ("b.py", "--games", "0"),
        ("b.py", "--invited", "--table", "1"),
        ("b.py", "--invited", "--game", "truc"),
        ("b.py", "--table", "3", "--option", "target=1"),
        ("b.py", "--table", "3", "--tables", "2"),
        ("b.py", "--option", "target"),
        ("b.py", "--on-error", "shout"),
    ],
)
def test_arguments_that_are_wrong_end_with_usage(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is loaded or dialled."""
    with pytest.raises(SystemExit) as caught:
        cli.parse(arguments)
    assert caught.value.code == os.EX_USAGE
    assert capsys.readouterr().err.startswith("put-bot: ")


def test_interval_is_wilsons() -> None:
    """Against figures of the textbook: 10 of 100 is 5.5% to 17.4%; and nobody is sure of never."""
    tally = GameCounts()
    for number in range(100):
        tally.count(Played(table=1, won=number < 10, paid=1 if number < 10 else -1))
    assert [round(bound, 3) for bound in tally.interval()] == [0.055, 0.174]
    assert tally.in_words("Tib") == "Tib played 100 games and won 10: 10.0% (95%: 5.5% to 17.4%), purse -80."
    never = GameCounts(games=5)
    assert never.interval()[0] == 0.0
    assert never.interval()[1] > 0.4
