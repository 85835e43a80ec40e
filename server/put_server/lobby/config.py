"""Configuration of a lobby: what this server is called and what it offers; `policy` has what it allows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from put_protocol.offers import HouseOffer, Limits
from put_rules.game import OptionValue
from put_server.table.clock import NEWS_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyConfig:
    server_name: str
    limits: Limits
    houses: tuple[HouseOffer, ...]
    plays_as: Callable[[str, str, Mapping[str, OptionValue], int], str] = field(default=lambda house, *_: house)
    """The strategy that a kind of house player uses in a game with these options and seats, as everyone is told."""
    passcode_key: bytes = field(default=b"", repr=False)
    """The key with which passcodes are sealed: the journal's, because sealed ones are compared with later ones."""
    news_ms: int = NEWS_MS
    """Least time between two pieces of news of the lobby, in milliseconds; 0: every change is told."""
    first_table: int = 1
    table_stride: int = 1
    """Step from one table's number to the next: lobbies that are parts of one server have numbers of their own."""
    is_whole: bool = True
    """This lobby knows all people. In a shard it is False: there are people whom only others know."""
    is_solved: Callable[[str, Mapping[str, OptionValue], int], bool] = field(default=lambda *_: False)
    """A test for whether perfect play is known for a game with these options and so many seats."""
