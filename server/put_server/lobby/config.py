"""Configuration of a lobby: the server's name and offers; `policy` has the limits."""

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
    """The strategy of a kind of house player in a game with these options and seats, as shown to everyone."""
    passcode_key: bytes = field(default=b"", repr=False)
    """The key that seals passcodes. It is the journal's, because sealed passcodes are compared with later ones."""
    news_ms: int = NEWS_MS
    """Least time between two pieces of news of the lobby, in milliseconds; 0: each change is sent."""
    first_table: int = 1
    table_stride: int = 1
    """Step between table numbers: the lobbies of one server use disjoint numbers."""
    is_whole: bool = True
    """True if this lobby knows all people; False in a shard."""
    is_solved: Callable[[str, Mapping[str, OptionValue], int], bool] = field(default=lambda *_: False)
    """Test whether perfect play is known for a game with these options and this number of seats."""
