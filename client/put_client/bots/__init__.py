"""Bots: the interface of a bot, and its runners at one or many tables.

The modules: `bot` (the interface) -> `bot_session` (one seat) -> `playing` (many tables over one connection); `loading`
(a class from a file) -> `cli` (`put-bot`).
"""
