"""Practice at the drawn table: the position as in play, its answer, and what it was worth."""

import asyncio
from pathlib import Path

import pytest

from put_client.record.trainer import PracticeProcess, Trainer
from put_client.tui.drill_screen import DrillScreen
from put_client.tui.effects import Show
from put_client.tui.model import Model
from put_client.tui.widgets.canvas import Size
from put_client.tui.widgets.theme import ASCII, UNICODE, Theme
from put_text.catalogue import speaking
from tests.client.record.games import NOW
from tests.client.record.test_trainer import NO_PROCESS, Person
from tests.client.tui.sample_models import WELCOME, send_keys, text_of
from tests.client.tui.test_record_screen import SIZES, Nobody


class Sitting:
    """A screen with its task, up to where it waits."""

    def __init__(self, folder: Path, theme: Theme = UNICODE) -> None:
        self.person = Person(folder)
        self.person.played()
        self.host = Nobody(theme)
        self.trainer = Trainer(self.person.record, "put-1674", lambda: NOW, PracticeProcess(NO_PROCESS))
        self.screen = DrillScreen(self.host, self.trainer)
        self.task = asyncio.create_task(self.screen.run())

    async def settles(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)

    async def presses(self, key: str) -> None:
        self.screen.on_key(key)
        await self.settles()

    def shown(self, size: Size = SIZES[2]) -> str:
        return text_of(self.screen.draw(size, ""))

    async def ends(self) -> None:
        self.task.cancel()
        await asyncio.wait({self.task})


@pytest.mark.parametrize("size", SIZES)
async def test_help_says_how_to_practise(tmp_path: Path, size: Size) -> None:
    """Any key closes it, and answers nothing."""
    sitting = Sitting(tmp_path)
    await sitting.settles()
    await sitting.presses("?")
    said = " ".join(sitting.shown(size).split())
    assert "Answer with the key beside a choice." in said
    assert "closes this." in said
    await sitting.presses("t")
    assert "closes this." not in sitting.shown(size)
    assert "0 of 0 right" in sitting.shown(size)
    await sitting.presses("?")
    await sitting.presses("escape")
    assert "? help" in sitting.shown(size).splitlines()[-1]
    await sitting.presses("t")
    assert "0 of 1 right" in sitting.shown(size)
    await sitting.ends()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", [UNICODE, ASCII])
async def test_mistake_is_asked_and_judged_at_the_table(tmp_path: Path, size: Size, theme: Theme) -> None:
    """With the cards, the put and the choices by the keys of play; then what each was worth, and the score."""
    sitting = Sitting(tmp_path, theme)
    await sitting.settles()
    said = sitting.shown(size)
    assert "a mistake of yours" in said
    assert "0 of 0 right" in said
    assert "You are to" in said
    assert "t " in said.splitlines()[-2]
    assert theme is UNICODE or said.isascii()
    await sitting.presses("t")
    said = sitting.shown(size)
    assert "0 of 1 right" in said
    assert "A mistake: you" in said
    assert "60%" in said
    assert "57.4%" in said
    assert "Enter the next" in said
    assert len(sitting.person.record.answers()) == 1
    await sitting.ends()


async def test_key_that_is_no_choice_does_nothing(tmp_path: Path) -> None:
    """And a second answer neither."""
    sitting = Sitting(tmp_path)
    await sitting.settles()
    before = sitting.shown()
    for key in ("z", "1", "enter"):
        await sitting.presses(key)
    assert sitting.shown() == before
    await sitting.presses("s")
    await sitting.presses("t")
    assert len(sitting.person.record.answers()) == 1
    await sitting.ends()


async def test_escape_ends_it(tmp_path: Path) -> None:
    """Whatever is on the screen."""
    sitting = Sitting(tmp_path)
    await sitting.settles()
    await sitting.presses("escape")
    assert sitting.host.closed == 1
    await sitting.ends()


def test_practice_is_asked_for_in_the_lobby() -> None:
    """With one key."""
    assert send_keys(Model(welcome=WELCOME), "d")[1] == (Show("drill"),)


async def test_players_of_a_position_have_names_of_the_language(tmp_path: Path) -> None:
    """Both of them, whole."""
    with speaking("fr"):
        sitting = Sitting(tmp_path)
        await sitting.settles()
        shown = sitting.shown(Size(80, 24))
        assert "Toi" in shown
        assert "You" not in shown
        await sitting.ends()
