"""The SDK with one mistake: it does a part of a blind deal once, whether it was heard or not."""

from put_client.bots.cli import main
from put_client.sdk import table_check
from put_protocol.messages import Blind, Look

_done: set[bytes] = set()


def _once(request: int, *, table: int, entry: bytes) -> Blind | Look:
    if entry in _done:
        return Look(request)
    _done.add(entry)
    return Blind(request, table=table, entry=entry)


if __name__ == "__main__":
    table_check.Blind = _once  # type: ignore[assignment,attr-defined]  # the mistake
    main()
