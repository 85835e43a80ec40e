"""The SDK with one mistake: it does a part of a blind deal once, whether it was heard or not."""

from put_client.bots.cli import main
from put_client.sdk.table_check import TableCheck
from put_protocol.messages import Look, Request

_part = TableCheck._part
_done: set[bytes] = set()


def _once(check: TableCheck, entry: bytes, request: int) -> Request:
    if entry in _done:
        return Look(request)
    _done.add(entry)
    return _part(check, entry, request)


if __name__ == "__main__":
    TableCheck._part = _once  # type: ignore[method-assign,assignment]  # the mistake
    main()
