"""The refusal of a request: the misuse of a table by one of its people, which changes nothing."""

from put_protocol.messages import Refused
from put_protocol.refusals import RefusalCode
from put_server.table.table_effects import Effect
from put_text.catalogue import say_in_english


class RequestRefused(Exception):
    """Raised before anything has changed."""

    def __init__(
        self,
        code: RefusalCode,
        message: str,
        *,
        field: str | None = None,
        retry_after_ms: int | None = None,
        warns: tuple[Effect, ...] = (),
        **arguments: int | str | None,
    ) -> None:
        """`message`: its name in the catalogue, and `arguments` what it needs. `warns`: notices to others, whom it may
        concern that this was tried."""
        self.says = say_in_english(message, **arguments)
        super().__init__(self.says)
        self.code = code
        self.field = field
        self.retry_after_ms = retry_after_ms
        self.warns = warns

    def answer(self, request: int) -> Refused:
        return Refused(request, self.code, self.says, field=self.field, retry_after_ms=self.retry_after_ms)
