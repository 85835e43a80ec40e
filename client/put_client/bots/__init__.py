"""Bots: the interface of a bot, and what plays it at one table or many.

The modules: `bot` (the interface) -> `bot_session` (one seat) -> `playing` (many tables over one connection); `loading`
(a class from a file) -> `cli` (`put-bot`).
"""
