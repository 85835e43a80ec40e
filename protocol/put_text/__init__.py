"""The game in words: sentences for people, and what people type as actions.

Line mode, the plain connection of the server, the log of the full screen and `put-server show` all take their words
from here, so one event has one sentence everywhere.
Import law: put_protocol only; no asyncio, clock or randomness.

The modules: `english` (events, views and choices as sentences), `analysis_text` (verdicts as sentences), `parse_action`
(a typed line as an action), `struct_text` (a Struct as one line and back), `notation` (a game as one viewer saw it, for
people and programs); `plain` (a whole connection in plain English).
"""
