"""Journal: every input of the lobby is on disk before anyone hears its outcome; finished games stay for good.

`journal` writes the file and `archive` reads it, also while a server runs; `journal_schema` says what is in it,
`journal_reader` takes it out, and `records` is the codec of the records, secrets included, and never meets a socket.
`lobby_replay` folds records again and accepts none that does not follow; `journal_check` does so with the whole file.
"""
