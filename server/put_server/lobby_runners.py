"""Runners beside the dispatcher of one lobby: house players, analysis of play, and parts of blind deals."""

from collections.abc import Coroutine

from put_rules.registry import GAMES
from put_server.analysis.service import AnalysisService, WorkerProcess
from put_server.house_runner import HouseRunner
from put_server.lobby.lobby import Lobby
from put_server.parts_runner import PartsRunner
from put_server.settings import Settings
from put_server.transport.dispatcher import Dispatcher


class LobbyRunners:
    """The runners of one lobby. They are made first, and serve once `dispatcher` is set."""

    dispatcher: Dispatcher

    def __init__(self, lobby: Lobby, settings: Settings, *, thinks: bool, worker: WorkerProcess | None = None) -> None:
        """`thinks`: house players pause before they act. `worker`: shared by several lobbies; None: two of their
        own."""
        self.houses = HouseRunner(
            lobby.is_followed, lobby.has_guests, seed=settings.seed, thinks=thinks, worker=worker or WorkerProcess()
        )
        self.analysis = AnalysisService(
            GAMES,
            tell=lambda person, message: self.dispatcher.tell(person, message),  # noqa: PLW0108  # it is made later
            sits_at=lobby.sits_at,
            origin_of=lobby.origin_of,
            charge=lambda person, cost: self.dispatcher.charge(person, cost),  # noqa: PLW0108  # as above
            worker=worker,
            seed=settings.seed,
        )
        self.parts = PartsRunner(lobby.opened_from)

    def works(self) -> list[Coroutine[None, None, None]]:
        """Work of each, for ever: owned tasks are to be made of it."""
        dispatcher = self.dispatcher
        return [
            self.analysis.run(),
            self.parts.run(dispatcher.parts_done, dispatcher.house_wait),
            self.houses.run(dispatcher.house_acts, work=dispatcher.house_work, wait=dispatcher.house_wait),
        ]
