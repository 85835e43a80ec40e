"""Observations of an episode: arrays, masks, their spaces, and the table in English."""

from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from put_env.episode import Episode
from put_protocol.games.unions import Action
from put_protocol.seats import Seat
from put_text.english import format_view

Observation = dict[str, npt.NDArray[Any]]
"""`observation`, numbers as `float32`, and `action_mask`, 0 or 1 for each action, as `int8`."""

RENDER_MODES = ("ansi", "human")

Illegal = Literal["expire", "error"]
"""Result of an action that the mask rules out: what the rules make of a turn whose time is spent, or `ValueError`."""


def checked_illegal(illegal: str) -> Illegal:
    """The policy.

    :raises ValueError: there is no such policy.
    """
    if illegal not in get_args(Illegal):
        raise ValueError(f"illegal must be {' or '.join(get_args(Illegal))}, not {illegal!r}")
    return illegal  # type: ignore[return-value]  # as was just checked


class Observer:
    """Observations of one episode. A decision is coded once, however often it is looked at.

    :raises ValueError: there is no such render mode.
    """

    def __init__(self, episode: Episode, render_mode: str | None = None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode must be {' or '.join(RENDER_MODES)}, not {render_mode!r}")
        self.render_mode = render_mode
        self._episode = episode
        self._codec = episode.codec
        self._none = bytes(len(self._codec.actions))
        self._coded: dict[int, Any] = {}
        self._coded_for: Any = None
        """The state whose decision that is."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Observer, (self._episode, self.render_mode)

    def space(self) -> spaces.Space[Observation]:
        """A space of its observations."""
        layout = self._codec.layout
        least, most = (np.array(bounds, dtype=np.float32) for bounds in (layout.least, layout.most))
        mask = spaces.Box(0, 1, (len(self._codec.actions),), np.int8)
        space: Any = spaces.Dict({"observation": spaces.Box(least, most, dtype=np.float32), "action_mask": mask})
        observations: spaces.Space[Observation] = space
        return observations

    def actions(self) -> spaces.Space[Any]:
        """A space of its actions."""
        return spaces.Discrete(len(self._codec.actions))

    def observe(self, seat: Seat) -> Observation:
        """The observation of a seat, from its view and, where it is to move, from its legal actions."""
        episode = self._episode
        view = episode.view(seat)
        mask = bytearray(self._none)
        if seat == episode.seat:
            if self._coded_for is not episode.state:
                self._coded = self._codec.coded(view, episode.legal)
                self._coded_for = episode.state
            for code in self._coded:
                mask[code] = 1
        numbers = self._codec.encode(view, seat)
        return {"observation": np.frombuffer(numbers, np.float32), "action_mask": np.frombuffer(mask, np.int8)}

    def act(self, code: Any, illegal: Illegal) -> bool:
        """The seat to move does what this number stands for. Returns whether that was legal.

        :raises ValueError: it was not, and that is an error; nothing changed.
        """
        try:
            action = self.action(code)
        except ValueError:
            if illegal == "error":
                raise
            self._episode.expire()
            return False
        self._episode.act(action)
        return True

    def action(self, code: Any) -> Action:
        """The action of the seat to move that this number stands for.

        :raises ValueError: it is none that is legal now.
        """
        episode = self._episode
        if self._coded_for is not episode.state:
            assert episode.seat is not None
            self._coded = self._codec.coded(episode.view(episode.seat), episode.legal)
            self._coded_for = episode.state
        action: Action | None = self._coded.get(code)
        if action is None:
            names = self._codec.actions
            legal = ", ".join(f"{each} ({names[each]})" for each in sorted(self._coded))
            raise ValueError(f"action {code!r} is not legal now: legal are {legal}")
        return action

    def render(self, names: tuple[str, ...], seat: Seat) -> str | None:
        """The table as this seat sees it, in English, with its choices if it is to move: `ansi` returns it, `human`
        prints it.

        :raises ValueError: there is no mode.
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
        print(text)
        return None
