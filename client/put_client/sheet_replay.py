"""A replay of a game, step by step, from its viewer's sheet.

`Replay` is a position in a sheet, and pure; `load` reads a file, and `speak` replays it without a screen. No rules are
needed: the views follow from the events, as for the original viewer.
"""

from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from msgspec import structs

from put_protocol.blind_events import BlindEvent
from put_protocol.games.families import apply_event, deals_hand, mover_of
from put_protocol.games.unions import GameView
from put_protocol.seats import GALLERY
from put_protocol.table_events import seated_names
from put_protocol.text import printable
from put_text.catalogue import say
from put_text.notation import FILE_LENGTH, NotationError, Sheet, read
from put_text.presenters import format_event


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    sheet: Sheet
    deals: tuple[tuple[int, GameView], ...]
    """The beginning and every position just after a deal, with its view. Other views are folded from the last of these,
    so that going back folds at most one hand."""
    sentences: tuple[tuple[str, ...], ...]
    """Sentences of each step, one for each event, for its viewer."""
    position: int = 0
    """Steps shown; 0: the beginning."""

    @classmethod
    def of(cls, sheet: Sheet) -> Self:
        view, names = sheet.opening, sheet.names
        deals, every = [(0, view)], []
        for position, step in enumerate(sheet.steps, 1):
            sentences = []
            for event in step.events:
                names = seated_names(names, event)
                if not isinstance(event, BlindEvent):
                    sentences.append(format_event(event, names, you=sheet.viewer))
                view = apply_event(view, event, sheet.viewer)
            every.append(tuple(sentences))
            if any(map(deals_hand, step.events)):
                deals.append((position, view))
        return cls(sheet=sheet, deals=tuple(deals), sentences=tuple(every))

    @property
    def length(self) -> int:
        return len(self.sheet.steps)

    @property
    def is_at_end(self) -> bool:
        return self.position == self.length

    @property
    def at_ms(self) -> int:
        """Time of the last step shown, since the game began."""
        return self.sheet.steps[self.position - 1].at_ms if self.position else 0

    @property
    def hands(self) -> int:
        """Hands in all, fresh deals counted too."""
        return len(self.deals) - 1

    @property
    def hand(self) -> int:
        """Number of this hand; 0 before the first."""
        return bisect_right(self.deals, self.position, key=lambda deal: deal[0]) - 1

    @property
    def view(self) -> GameView:
        """The view at this position, with the seat that moves next."""
        start, view = self.deals[self.hand]
        for step in self.sheet.steps[start : self.position]:
            for event in step.events:
                view = apply_event(view, event, self.sheet.viewer)
        mover = None if self.is_at_end else mover_of(view, self.sheet.steps[self.position].events)
        return structs.replace(view, to_move=mover, moment=None)

    @property
    def last_sentences(self) -> tuple[str, ...]:
        return self.sentences[self.position - 1] if self.position else ()

    def to(self, position: int) -> Self:
        """Another position; limited to the beginning and the end."""
        return replace(self, position=min(max(position, 0), self.length))

    def stepped(self, steps: int) -> Self:
        return self.to(self.position + steps)

    def at_next_hand(self) -> Self:
        """The position after the next deal; otherwise the end."""
        return self.to(min((deal for deal, _ in self.deals if deal > self.position), default=self.length))

    def at_last_hand(self) -> Self:
        """The position after this hand's deal or, from there, the previous hand's; otherwise the beginning."""
        return self.to(max((deal for deal, _ in self.deals if deal < self.position), default=0))


def load(path: Path) -> Sheet:
    """The sheet in a file.

    :raises OSError: the file cannot be read.
    :raises NotationError: it contains no sheet.
    """
    with path.open("rb") as file:
        data = file.read(FILE_LENGTH + 1)
    if len(data) > FILE_LENGTH:
        raise NotationError(1, say("record-file-long", bytes=FILE_LENGTH))
    try:
        return read(data.decode())
    except UnicodeDecodeError as error:
        raise NotationError(data.count(b"\n", 0, error.start) + 1, say("record-file-no-text")) from None


def heading(sheet: Sheet) -> str:
    players = []
    for one in sheet.players:
        kind = "house" if one.is_house else "bot" if one.is_bot else "person"
        players.append(say("record-replay-player", name=one.name, kind=kind))
    return printable(
        say(
            "record-replay-heading",
            number=sheet.number,
            table=sheet.table,
            server=sheet.server or "none",
            date=sheet.date or "none",
            game=sheet.game,
            exhibition=sheet.is_exhibition,
            players=", ".join(players),
            viewer="gallery" if sheet.viewer == GALLERY else sheet.names[sheet.viewer],
        )
    )


def speak(sheet: Sheet, tell: Callable[[str], None], ask: Callable[[], str] | None) -> None:
    """Print the game in sentences: all at once or, with `ask`, step by step.

    `ask` raises EOFError at the end of the input.
    """
    shown = Replay.of(sheet)
    tell(heading(sheet))
    if ask is None:
        for sentences in shown.sentences:
            for sentence in sentences:
                tell(sentence)
        return
    tell(say("record-replay-keys"))
    with suppress(EOFError):
        while (after := _answered(shown, printable(ask()).strip().casefold(), tell)) is not None:
            shown = after


def _answered(shown: Replay, answer: str, tell: Callable[[str], None]) -> Replay | None:
    """The replay after an answer; None: it is over."""
    match answer:
        case "" if shown.is_at_end:
            return None
        case "":
            after = shown.stepped(1)
        case "h":
            after = shown.at_next_hand()
        case "b":
            after = shown.stepped(-1)
            shown = after.stepped(-1)
        case "q":
            return None
        case _:
            tell(say("record-replay-keys"))
            return shown
    for sentences in after.sentences[shown.position : after.position]:
        for sentence in sentences:
            tell(sentence)
    if after.is_at_end:
        tell(say("record-replay-ends"))
    elif not after.position:
        tell(say("record-replay-begins"))
    return after
