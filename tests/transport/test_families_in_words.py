"""Games of every family played to the end by somebody who types, as over `nc`, and reads sentences."""

import asyncio
import random
import re

import pytest

from put_rules.registry import GAMES
from put_text.presenters import PRESENTERS
from tests.transport.sockets import running_server

CHOICE = re.compile(r"(?:: |; )(\d+) ([^;]+)")


@pytest.mark.parametrize(
    ("game", "seats"), [("triomphe-forcee", 4), ("triomphe-forcee", 7), ("primero", 3), ("primero", 6), ("put-1674", 2)]
)
@pytest.mark.parametrize("is_plain", [False, True], ids=["presented", "plain values"])
async def test_game_is_played_to_its_end_in_plain_english(
    game: str, seats: int, is_plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing but typed lines and sentences, with the presenter of the family and without: each choice is understood by
    its number and by the server's phrase, questions are answered, and the end is told."""
    if is_plain:
        monkeypatch.delitem(PRESENTERS, GAMES[game].offer.family)
    dice = random.Random(f"{game} {seats}")
    said: list[str] = []
    async with running_server() as harness:
        reader, writer = await asyncio.open_connection("127.0.0.1", harness.server.port, limit=2**20)

        def type_line(line: str) -> None:
            writer.write(f"{line}\n".encode())

        type_line("name Ann")
        type_line("ask off")
        type_line(f"open {game} {seats}{'' if game.startswith('put') else ' hands=3'}")
        for _ in range(seats - 1):
            type_line("invite steady")
        while not said or not said[-1].startswith('Say "again" for another game'):
            line = (await reader.readline()).decode().rstrip()
            assert line, said[-5:]
            said.append(line)
            if line.startswith("Your move."):
                for question in ("table", "hand", "score", "why", "trick") if dice.random() < 0.1 else ():
                    type_line(question)
                type_line("legal")
            elif line.startswith("You can: "):
                number, phrase = dice.choice(CHOICE.findall(line.partition("You can")[2]))
                type_line(dice.choice((f"#{number}", phrase.removesuffix("."))))
        writer.close()
    assert not [line for line in said if "no choice of yours" in line or "Which one" in line or "could be" in line]
    assert any(line.startswith("Your move.") for line in said) or game.startswith("triomphe")
