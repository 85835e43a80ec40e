"""The parts a page may ask for by name, and the files that are written whole."""

from collections.abc import Callable, Mapping

from scripts.reference.bounds import limits_table
from scripts.reference.chains import chain_table
from scripts.reference.choosing import all_options
from scripts.reference.moments import moments_tables
from scripts.reference.schema import schema_file
from scripts.reference.tables import (
    action_tables,
    client_messages,
    event_tables,
    refusal_table,
    server_messages,
    structure_tables,
    value_tables,
)
from scripts.reference.transcripts import frames_transcript, lines_transcript

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
