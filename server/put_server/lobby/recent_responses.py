"""Recent responses to a person's requests, for who lost the connection before they heard them."""

from array import array

from put_protocol.limits import REQUEST_ARRAY_ITEMS
from put_protocol.messages import Ok


class Answers:
    """The last requests carried out on one connection. As many as a client may ask after in one list."""

    __slots__ = ("_ids", "_more")

    def __init__(self, answers: tuple[Ok, ...] = ()) -> None:
        self._ids = array("Q")  # eight bytes each: most answers are an id and no more
        self._more: dict[int, Ok] = {}
        for ok in answers:
            self.note(ok)

    def note(self, ok: Ok) -> None:
        """A request was carried out."""
        self._ids.append(ok.id)
        if ok.table is not None:
            self._more[ok.id] = ok
        if len(self._ids) > REQUEST_ARRAY_ITEMS:
            self._more.pop(self._ids.pop(0), None)

    def find(self, request: int) -> Ok | None:
        """The answer it had; None: it was refused, or never came, or is too long ago."""
        return self._more.get(request) or (Ok(request) if request in self._ids else None)

    def kept(self) -> tuple[Ok, ...]:
        return tuple([self._more.get(request) or Ok(request) for request in self._ids])
