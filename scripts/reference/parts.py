"""The parts a page may ask for by name, and the files that are written whole."""

from base64 import b64encode
from collections.abc import Callable, Mapping

from put_protocol.seal.cuts import Chain
from scripts.reference import tables
from scripts.reference.dealing import packs_table, page_tables, rule_sets_file
from scripts.reference.rules import moments_tables
from scripts.reference.schema import schema_file
from tests.docs.transcripts import frames_transcript, lines_transcript

_SECRET = bytes(range(32))
"""No secret, of course: a program makes its own."""


def chain_table() -> list[str]:
    """The first links of a chain, to try one's hashing on, in both ways of writing bytes."""
    chain = Chain(_SECRET)
    rows = [
        [f"`x[{k}]`", f"`{chain.link(k).hex()}`", f"`{b64encode(chain.link(k)).decode()}`"] for k in (0, 1, 2, 4096)
    ]
    return tables.table(["link", "hexadecimal", "base64"], rows)


PARTS: Mapping[str, Callable[[], list[str]]] = {
    "client messages": tables.client_messages,
    "server messages": tables.server_messages,
    "practice": tables.practice_messages,
    "practice structures": tables.practice_structures,
    "structures": tables.structure_tables,
    "views": tables.view_tables,
    "put view": tables.put_view,
    "values": tables.value_tables,
    "actions": tables.action_tables,
    "events with fields": tables.event_tables,
    "refusals": tables.refusal_table,
    "limits": tables.limits_table,
    "moments": moments_tables,
    "chain": chain_table,
    "conversation in lines": lines_transcript,
    "conversation in frames": frames_transcript,
    "packs": packs_table,
}

FILES: Mapping[str, Callable[[], str]] = {
    "docs/protocol.schema.json": schema_file,
    "protocol/put_protocol/seal/rule_sets.json": rule_sets_file,
    "server/put_server/web/seal/tables.js": page_tables,
}
"""Whole files, by their place in the project."""
