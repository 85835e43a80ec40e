"""Durability: every input of the lobby is kept before anyone hears of what came of it.

`records` is the codec of what is kept, secrets included, and never meets a socket; `journal` is the file.
"""
