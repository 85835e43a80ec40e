"""Bots: the interface of a bot, and what plays it at one table or many.

The modules: `bot` (the interface) -> `bot_thread`, `bot_session` (one seat) -> `table_router` (many tables over one
connection) -> `playing`; `loading` (a class from a file) -> `cli` (`put-bot`).
"""
