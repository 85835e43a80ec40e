"""Observations of a seat at a server's table and of an episode: arrays, masks, spaces, and the table in English."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from numpy import float32, frombuffer, int8

from put_env.env_table import Table
from put_env.episode import Episode
from put_env.families import codec_of
from put_env.families.codec import Codec
from put_protocol.games.unions import Action, Choice, GameView
from put_protocol.seats import Seat
from put_text.presenters import format_view

Observation = dict[str, npt.NDArray[Any]]
"""`observation`, numbers as `float32`, and `action_mask`, 0 or 1 for each action, as `int8`."""

RENDER_MODES = ("ansi", "human")

Illegal = Literal["expire", "error"]
"""Result of an action that the mask forbids: the same as a turn that ran out, or `ValueError`."""


class Translator:
    """Translator of one seat at a table: from the server's messages to numbers, and from a number to an action.

    observation = translator.observe(view, legal)
    action = translator.act(number)
    """

    def __init__(self, table: Table, seat: Seat) -> None:
        self._codec = codec_of(table)
        self._seat = seat
        self._legal: list[Action] = []
        self._codes: list[int] = []

    def observe(self, view: GameView, legal: Sequence[Choice] = ()) -> Observation:
        """The observation of a view, with the choices of its decision; no choices: the seat is not to move."""
        self._legal = [choice.action for choice in legal]
        self._codes = self._codec.codes(view, self._legal)
        return _observation(self._codec, view, self._seat, self._codes)

    def act(self, number: int) -> Action:
        """The action with this number in the last observed decision.

        :raises ValueError: this action is not legal there.
        """
        if number not in self._codes:
            raise _illegal(self._codec, self._codes, number)
        return self._legal[self._codes.index(number)]


def _observation(codec: Codec, view: Any, seat: Seat, codes: Iterable[int]) -> Observation:
    mask = bytearray(len(codec.actions))
    for code in codes:
        mask[code] = 1
    return {"observation": frombuffer(codec.encode(view, seat), float32), "action_mask": frombuffer(mask, int8)}


def _illegal(codec: Codec, codes: Iterable[int], code: Any) -> ValueError:
    legal = ", ".join(f"{each} ({codec.actions[each]})" for each in sorted(set(codes))) or "none"
    return ValueError(f"action {code!r} is not legal now: legal are {legal}")


class Observer:
    """Observations of one episode.

    :raises ValueError: the result of an illegal action, or the render mode, does not exist.
    """

    def __init__(self, episode: Episode, illegal: Illegal = "error", render_mode: str | None = None) -> None:
        if illegal not in get_args(Illegal):
            raise ValueError(f"illegal must be {' or '.join(get_args(Illegal))}, not {illegal!r}")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode must be {' or '.join(RENDER_MODES)}, not {render_mode!r}")
        self.illegal = illegal
        self.render_mode = render_mode
        self._episode = episode

    def space(self) -> spaces.Space[Observation]:
        codec = self._episode.codec
        least, most = (np.array(bounds, dtype=float32) for bounds in (codec.layout.least, codec.layout.most))
        mask = spaces.Box(0, 1, (len(codec.actions),), int8)
        space: Any = spaces.Dict({"observation": spaces.Box(least, most, dtype=float32), "action_mask": mask})
        observations: spaces.Space[Observation] = space
        return observations

    def actions(self) -> spaces.Space[Any]:
        return spaces.Discrete(len(self._episode.codec.actions))

    def observe(self, seat: Seat) -> Observation:
        """The observation of a seat, from its view and, if it is to move, its legal actions."""
        episode = self._episode
        view, codes = episode.decision() if seat == episode.seat else (episode.view(seat), [])
        return _observation(episode.codec, view, seat, codes)

    def act(self, code: Any) -> bool:
        """Play the action with this number for the seat to move. Returns whether it was legal.

        :raises ValueError: it was not legal, and `illegal` is `error`. Nothing changed.
        """
        episode = self._episode
        _, codes = episode.decision()
        if code in codes:
            episode.act(episode.legal[codes.index(code)])
            return True
        if self.illegal == "error":
            raise _illegal(episode.codec, codes, code)
        episode.expire()
        return False

    def render(self, names: tuple[str, ...], seat: Seat) -> str | None:
        """The table as this seat sees it, in English, with its choices if it is to move: `ansi` returns it, `human`
        prints it.

        :raises ValueError: there is no render mode.
        """
        if self.render_mode is None:
            raise ValueError("this environment was made without a render_mode")
        episode = self._episode
        lines = [*format_view(episode.view(seat), names, seat)]
        if seat == episode.seat:
            lines.append(f"{names[seat]} may: {'; '.join(choice.says for choice in episode.choices())}.")
        text = "\n".join(lines)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None
