"""Messages of a server with what they say in the language of this context. Pure.

The server says everything in English, and beside it, to who names a language in `hello`, by messages of the catalogue.
A text that is not known here stays English.
"""

from msgspec.structs import replace

from put_protocol.messages import Decision, ServerMessage
from put_text.catalogue import ENGLISH, LANGUAGE, translated


def in_language(message: ServerMessage) -> ServerMessage:
    """The message, as it is to be shown and told."""
    if LANGUAGE.get() == ENGLISH:
        return message
    match message:
        case Decision():
            choices = [replace(choice, says=translated(choice.phrase, choice.says)) for choice in message.legal]
            return replace(
                message,
                asks=translated(message.asks_phrase, message.asks),
                why=translated(message.why_phrase, message.why),
                legal=tuple(choices),
            )
        case _:
            return message
