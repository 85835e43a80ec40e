"""Journal: every input of the lobby is on disk before anyone hears its outcome; finished games stay for good.

`journal` writes the file and `archive` reads it, also while a server runs; `schema` says what is in it, `reading` takes
it out, and `records` is the codec of the records, secrets included, and never meets a socket. `replay` folds records
again and accepts none that does not follow; `checking` does so with the whole file.
"""
