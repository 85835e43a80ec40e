"""The pages of the protocol: whole, true, and enough to play by."""

import asyncio
import json
import random
import re
import runpy
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from msgspec import Struct, convert, to_builtins

from put_protocol import messages
from put_protocol.games.put import PutView
from put_protocol.messages import Goodbye, Refused, Request
from put_protocol.refusals import RefusalCode
from put_protocol.seats import GALLERY
from put_rules.game import Turn
from put_rules.registry import GAMES
from put_server.lobby.inputs import Ask, Input, InputOutcome
from put_server.lobby.options import checked_options
from scripts.docs import FOLDER
from scripts.reference.rule_set_tables import GAMES_EACH, moments_of
from scripts.reference.shapes import (
    ACTIONS,
    CLIENT,
    EVENTS,
    SERVER,
    VIEWS,
    Undocumented,
    shapes,
    structures,
    tag_of,
    title_of,
)
from scripts.reference.tables import ANYWHERE, CODES
from tests.conformance.random_games import Setup, random_game, random_temper
from tests.docs.transcripts import transcript
from tests.lobby.lobby_harness import LobbyHarness
from tests.repetitions import TIMES, TURN
from tests.transport.sockets import ServerHarness, running_server

PLAY = (FOLDER / "protocol.md").read_text("utf-8")
PAGE = (FOLDER / "reference.md").read_text("utf-8")
PROGRAMS = FOLDER / "examples" / "protocol"
SMALL = re.compile(r"<!-- the tests run this bot -->\n```python\n(.*?)```", re.DOTALL)


def section(title: str) -> str:
    """What stands under a heading, up to the next."""
    _, _, rest = PAGE.partition(f"\n{title}\n")
    assert rest, f"no heading {title}"
    return re.split(r"\n#+ ", rest, maxsplit=1)[0]


def whole_section(title: str) -> str:
    """What stands under a heading, up to the next of the third order or above, with what is below it."""
    _, _, rest = PAGE.partition(f"\n{title}\n")
    return re.split(r"\n#{1,3} ", rest, maxsplit=1)[0]


def members_of(title: str) -> dict[str, list[str]]:
    """What is listed under a heading, each member with its fields."""
    listed: dict[str, list[str]] = {}
    for tag, name in re.findall(r"^- \*\*`([\w.]+)`\*\*|^  - `(\w+)`", whole_section(title), re.MULTILINE):
        if tag:
            assert tag not in listed
            listed[tag] = []
        elif name:
            listed[list(listed)[-1]].append(name)
    return listed


# --- whole -----------------------------------------------------------------------------------------------------------


def test_every_message_is_listed_with_every_field() -> None:
    """Once, below those of its side or in the appendix; but for the id of requests, of which the page speaks once."""
    titles = ("### From the client", "### From the server", "## Appendix: what decisions were worth")
    listed = {tag: fields for title in titles for tag, fields in members_of(title).items()}
    assert listed == {
        tag_of(kind): [name for name in kind.__struct_fields__ if name != "id" or kind not in CLIENT]
        for kind in (*CLIENT, *SERVER)
    }
    assert "Every request has an `id`" in whole_section(titles[0])
    assert {tag_of(kind) for kind in get_args(Request)} == {tag_of(k) for k in CLIENT if "id" in k.__struct_fields__}


@pytest.mark.parametrize("kind", [*structures(), *[kind for kind in VIEWS if kind is not PutView]], ids=title_of)
def test_structure_has_its_section_with_every_field(kind: type[Struct]) -> None:
    """Under its name."""
    rows = re.findall(r"^- `(\w+)`", section(f"#### {title_of(kind)}"), re.MULTILINE)
    assert [row for row in rows if row != kind.__struct_config__.tag_field] == list(kind.__struct_fields__)


def test_page_of_play_has_every_field_of_the_view_of_put() -> None:
    """In its table."""
    rows = re.findall(
        r"^\| `(\w+)` \|", PLAY.partition("<!-- put view -->")[2].partition("<!-- end -->")[0], re.MULTILINE
    )
    assert rows == list(PutView.__struct_fields__)


@pytest.mark.parametrize(("title", "kinds"), [("### Events, one by one", EVENTS), ("### Actions", ACTIONS)])
def test_every_event_and_action_is_listed_with_every_field(title: str, kinds: tuple[type[Struct], ...]) -> None:
    """In one table, or in one for each family, each with its fields below it."""
    assert members_of(title) == {tag_of(kind): list(kind.__struct_fields__) for kind in kinds}


def test_every_goodbye_is_explained() -> None:
    """With whether to come back."""
    codes = get_args(get_type_hints(Goodbye)["code"])
    head, *rows = re.findall(r"^\| `(\w+)` \|", section("### Goodbyes"), re.MULTILINE)
    assert head == "code"
    assert sorted(rows) == sorted(codes)


def test_every_refusal_is_explained() -> None:
    """Each once."""
    assert re.findall(r"^- `(\w+)`:", section("## Refusals"), re.MULTILINE) == [code.value for code in RefusalCode]


def anchors_in(page: str) -> Counter[str]:
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", page, flags=re.DOTALL), re.MULTILINE)
    return Counter(re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings)


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Within the page or to another one's heading, and to files that are there."""
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if ":" in target:
            continue
        file, _, anchor = target.partition("#")
        assert (FOLDER / file).exists(), target
        if anchor and (not file or file.endswith(".md")):
            assert anchors_in((FOLDER / file if file else page).read_text("utf-8"))[anchor] == 1, target


def test_page_of_play_can_be_read_in_an_evening() -> None:
    """It has 300 lines at most."""
    assert PLAY.count("\n") <= 300


class Bare(Struct):
    """Something about whose field nothing is said."""

    thing: int


def test_field_without_a_word_about_it_is_an_error() -> None:
    """Nobody adds a field that a stranger would have to guess at."""
    with pytest.raises(Undocumented, match=r"Bare\.thing"):
        shapes(Bare)


# --- true ------------------------------------------------------------------------------------------------------------


class Eavesdropper(LobbyHarness):
    """A harness that notes every refusal."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self.heard: set[tuple[str, RefusalCode]] = set()

    def handle(self, event: Input, *, must_succeed: bool = False) -> InputOutcome:
        outcome = super().handle(event, must_succeed=must_succeed)
        if isinstance(event, Ask) and isinstance(outcome.answer, Refused):
            self.heard.add((tag_of(type(event.request)), outcome.answer.code))
        return outcome


@pytest.mark.parametrize("seed", range(2 * TIMES) if TURN else [1])
def test_requests_are_refused_as_the_page_says(seed: int) -> None:
    """Over a long random evening nothing is refused with a code that is not listed for it, and most of the codes that
    are do come."""
    harness = Eavesdropper(seed + 2 * TIMES * int(TURN or 0))
    for _ in range(1_000):
        harness.random_step()
    listed = {(tag, code) for tag, codes in CODES.items() for code in codes}
    assert harness.heard <= listed
    assert len(harness.heard) > 40, "too peaceful an evening to prove anything"


def test_refusals_are_listed_for_every_request_and_no_other() -> None:
    """Each code is given to something, or to anything."""
    requests = {tag_of(kind) for kind in get_args(Request)}
    assert set(CODES) - {"hello"} == requests - {"look", "look_away"}
    assert {code for codes in CODES.values() for code in codes} | {*ANYWHERE} == set(RefusalCode)


@pytest.mark.parametrize("name", GAMES)
def test_other_games_ask_nothing_that_the_page_does_not_say(name: str) -> None:
    """As many random games again, and no moment or action that was not found before, nor one missing that was always
    there."""
    before, after = moments_of(name), moments_of(name, first=GAMES_EACH)
    assert set(after) <= set(before)
    for moment, asked in after.items():
        assert asked.ever <= before[moment].ever
        assert asked.always >= before[moment].always
        assert asked.when >= before[moment].when


@pytest.mark.parametrize("is_framed", [False, True])
def test_conversation_is_the_same_each_time(is_framed: bool) -> None:
    """Nothing in it depends on chance, on the clock or on the machine."""
    assert transcript.__wrapped__(is_framed=is_framed) == transcript(is_framed=is_framed)


# --- enough ----------------------------------------------------------------------------------------------------------


def program() -> str:
    return (PROGRAMS / "resuming.py").read_text("utf-8")


def small_bot() -> str:
    found = SMALL.search(PLAY)
    assert found is not None
    return found[1]


def test_small_bot_has_25_lines() -> None:
    """Of code, as its heading says, or fewer."""
    assert len([line for line in small_bot().splitlines() if line]) <= 25


async def test_small_bot_plays_game_after_game(tmp_path: Path) -> None:
    """With the house; here it ends when the third is over."""
    ask = 'ask(type="again", table=table)'
    assert small_bot().count(ask) == 1
    text = small_bot().replace(ask, f'connection.shutdown(2) if message["info"].get("games") == 3 else {ask}')
    text += "connection.close()\n"
    async with running_server() as harness:
        assert await calls_of_program(harness, [], tmp_path, text) == 1
        assert harness.server.dispatcher.games_finished == 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Snip:
    """Where a line is cut."""

    after: int = sys.maxsize
    """So many bytes from the server."""
    at: str = ""
    """A request of this type: when the server has answered it, and before the answer is heard."""
    is_lost: bool = False
    """That request does not reach the server either."""
    before: bytes = b""
    """In the message from the server that has this in it."""
    is_unnoticed: bool = False
    """The server does not learn that the line was cut."""


class Scissors:
    """Lines to the server that are cut, one after the other; those beyond are left alone."""

    def __init__(self, harness: ServerHarness, snips: list[Snip]) -> None:
        self._harness = harness
        self._snips = [*snips]
        self._is_mute = False
        self._kept: list[asyncio.StreamWriter] = []
        """Ends that the server believes in."""
        self.calls = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls += 1
        self._is_mute = False
        snip = self._snips.pop(0) if self._snips else Snip()
        its_reader, its_writer = await asyncio.open_connection("127.0.0.1", self._harness.server.port, limit=2**20)
        ways = {
            asyncio.create_task(self._up(reader, its_writer, snip)),
            asyncio.create_task(self._down(its_reader, writer, snip)),
        }
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.wait(ways)
            if snip.is_unnoticed:
                self._kept.append(its_writer)
            for end in (writer,) if snip.is_unnoticed else (writer, its_writer):
                await _cut(end)

    async def close(self) -> None:
        """Let the server notice."""
        while self._kept:
            await _cut(self._kept.pop())

    async def _up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, snip: Snip) -> None:
        while line := await reader.readline():
            if snip.at and json.loads(line)["type"] == snip.at:
                if snip.is_lost:
                    return
                self._is_mute = True
            writer.write(line)

    async def _down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, snip: Snip) -> None:
        left, heard = snip.after, b""
        while left > 0 and (data := await reader.read(min(left, 4096))) and not self._is_mute:
            left -= len(data)
            heard = heard[-len(snip.before) :] + data
            if snip.before and snip.before in heard:
                return
            writer.write(data)


async def _cut(end: asyncio.StreamWriter) -> None:
    end.transport.abort()
    with suppress(ConnectionError):
        await end.wait_closed()


REQUESTS = ("open", "sit", "invite", "act", "again")
"""All that the program asks."""


@pytest.mark.parametrize(
    "snips",
    [
        [],
        [Snip(after=count) for count in (36_000, 28_000, 31_000, 26_500, 27_500)],
        [Snip(at=request) for request in REQUESTS],
        [Snip(at=request, is_lost=True) for request in REQUESTS],
    ],
    ids=["whole", "anywhere", "answer lost", "request lost"],
)
async def test_program_of_the_page_plays_through_cut_lines(snips: list[Snip], tmp_path: Path) -> None:
    """It plays two games with the house to their end, whatever its line does, and leaves nothing behind."""
    async with running_server() as harness:
        assert await calls_of_program(harness, snips, tmp_path) == len(snips) + 1
        assert harness.server.dispatcher.games_finished == 2
        assert not harness.server.dispatcher.lobby.people


async def test_program_of_the_page_comes_in_though_its_welcome_was_lost(tmp_path: Path) -> None:
    """The server lets it in, it does not hear of that, and the name is taken by a line that only the server believes
    in: it comes in by another name, and plays its two games."""
    async with running_server() as harness:
        snips = [Snip(at="hello", is_unnoticed=True)]
        assert await calls_of_program(harness, snips, tmp_path) == len(snips) + 2
        assert harness.server.dispatcher.games_finished == 2
        assert [person.name for person in harness.server.dispatcher.lobby.people.values()] == ["Moll"]


async def test_program_of_the_page_plays_no_game_too_many(tmp_path: Path) -> None:
    """It never hears the event that ends a game: the line is cut at it, and the table is shown whole afterwards."""
    forgetful = program().replace('"number": n}', '"number": 2**40}')
    assert forgetful != program()
    async with running_server() as harness:
        snips = [Snip(before=b'"event":"game"') for _ in range(2)]
        assert await calls_of_program(harness, snips, tmp_path, forgetful) == len(snips) + 1
        assert harness.server.dispatcher.games_finished == 2
        assert not harness.server.dispatcher.lobby.people


async def calls_of_program(harness: ServerHarness, snips: list[Snip], folder: Path, text: str | None = None) -> int:
    """How often it had to connect to play two games."""
    (folder / "bot.py").write_text(text or program(), "utf-8")
    scissors = Scissors(harness, snips)
    async with await asyncio.start_server(scissors.serve, "127.0.0.1", 0, limit=2**20) as line:
        port = line.sockets[0].getsockname()[1]
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, "-W", "error", str(folder / "bot.py"), "127.0.0.1", str(port), "Moll", "2"),
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            _, errors = await bot.communicate()
        finally:
            if bot.returncode is None:
                bot.kill()
                await bot.wait()
            people = len(harness.server.dispatcher.lobby.people)
            await scissors.close()
    assert bot.returncode == 0, (errors.decode(), people)
    return scissors.calls


# --- enough to fold --------------------------------------------------------------------------------------------------


def test_fold_of_the_page_gives_the_view() -> None:
    """At every step of random games with time-outs and departures, for each viewer, read as JSON is; whether all is
    folded or, as after a return, a whole view came at any step."""
    names = runpy.run_path(str(PROGRAMS / "folding.py"))
    folds = 0
    for seed in range(30):
        rng = random.Random(seed)
        setup = Setup(
            name="put-1674", seats=2, options=checked_options(GAMES["put-1674"].offer, {"target": 2}), dealer=None
        )
        game = setup.game()
        first, *steps = random_game(rng, setup, random_temper(rng))
        views = {viewer: to_builtins(game.view(first.state, viewer)) for viewer in setup.viewers}
        for step in steps:
            awaits, moment = game.awaits(step.state), game.moment(step.state) or ""
            turn = messages.Turn(awaits.seat) if isinstance(awaits, Turn) else None
            for viewer in setup.viewers:
                message = messages.Events(1, 1, step.seen_by(viewer), turn=turn, moment=moment)
                views[viewer] = names["fold"](views[viewer], to_builtins(message), viewer)
                assert convert(views[viewer], PutView) == game.view(step.state, viewer)
                if rng.random() < 0.2:
                    views[viewer] = json.loads(json.dumps(to_builtins(game.view(step.state, viewer))))
                folds += 1
        whole = messages.Events(1, 1, (), view=game.view(first.state, GALLERY))
        assert names["fold"](None, to_builtins(whole), GALLERY) == to_builtins(whole.view)
    assert folds > 500
