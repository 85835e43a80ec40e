"""Durability: every input of the lobby is kept before anyone hears of what came of it; every finished game, for good.

`journal` writes the file and `archive` reads it, also while a server runs; `schema` says what is in it, `reading` takes
it out, and `records` is the codec of what is kept, secrets included, and never meets a socket. `replay` folds records
again and accepts none that does not follow; `checking` does so with the whole file.
"""
