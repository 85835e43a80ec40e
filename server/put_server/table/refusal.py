"""The refusal of a request: the misuse of a table by one of its people, which changes nothing."""

from put_protocol.refusals import RefusalCode


class Refusal(Exception):
    """Raised before anything has changed."""

    def __init__(self, code: RefusalCode, says: str, *, field: str | None = None) -> None:
        super().__init__(says)
        self.code = code
        self.says = says
        self.field = field
