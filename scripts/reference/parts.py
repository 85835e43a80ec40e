"""The parts a page may ask for by name, and the files that are written whole."""

from base64 import b64encode
from collections.abc import Callable, Mapping

from put_protocol.seal.cuts import Chain
from scripts.reference.rules import all_options, moments_tables
from scripts.reference.schema import schema_file
from scripts.reference.tables import (
    action_tables,
    client_messages,
    event_tables,
    limits_table,
    refusal_table,
    server_messages,
    structure_tables,
    table,
    value_tables,
)
from scripts.reference.transcripts import frames_transcript, lines_transcript

_SECRET = bytes(range(32))
"""No secret, of course: a program makes its own."""


def chain_table() -> list[str]:
    """The first links of a chain, to try one's hashing on, in both ways of writing bytes."""
    chain = Chain(_SECRET)
    rows = [
        [f"`x[{k}]`", f"`{chain.link(k).hex()}`", f"`{b64encode(chain.link(k)).decode()}`"] for k in (0, 1, 2, 4096)
    ]
    return table(["link", "hexadecimal", "base64"], rows)


PARTS: Mapping[str, Callable[[], list[str]]] = {
    "client messages": client_messages,
    "server messages": server_messages,
    "structures": structure_tables,
    "values": value_tables,
    "actions": action_tables,
    "events with fields": event_tables,
    "refusals": refusal_table,
    "limits": limits_table,
    "options of all": all_options,
    "moments": moments_tables,
    "chain": chain_table,
    "conversation in lines": lines_transcript,
    "conversation in frames": frames_transcript,
}

FILES: Mapping[str, Callable[[], str]] = {"protocol.schema.json": schema_file}
"""By name, in docs/."""
