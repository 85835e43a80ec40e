"""Journal: every input of the lobby is on disk before its outcome is sent; finished games are stored permanently.

`journal` writes the file, and `archive` reads it, even while a server runs. `journal_schema` has the schema, and
`journal_reader` reads the rows. `records` is the codec of the records, including secrets, and is never used for a
socket. `lobby_replay` replays records strictly; `journal_check` does so with the whole file.
"""
