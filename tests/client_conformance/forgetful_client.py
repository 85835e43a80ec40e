"""The SDK with one mistake: it does a part of a blind deal once, whether it was heard or not."""

from put_client.bots.cli import main
from put_client.sdk.table_check import TableCheck
from put_protocol.blind.blind_game import BlindGame
from put_protocol.blind.party import Party

_due = TableCheck._due
_done: set[bytes] = set()


def _once(check: TableCheck, party: Party, game: BlindGame) -> bytes | None:
    entry = _due(check, party, game)
    if entry is None or entry in _done:
        return None
    _done.add(entry)
    return entry


if __name__ == "__main__":
    TableCheck._due = _once  # type: ignore[method-assign,assignment]  # the mistake
    main()
