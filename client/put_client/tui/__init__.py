"""The full-screen client: one frozen model, one pure update, pure views, and a thin shell that owns the terminal.

Idea: the screen is a function of received messages and pressed keys, so every screen can be rendered as text without a
terminal. There are no rules of games: legal actions come with each decision. A game without a board here is shown as
named values, and played with the server's text. Import law: put_protocol and, in `terminal` and for the width of a
character in `canvas`, prompt_toolkit; only `app`, `terminal` and the `*_screen` modules know asyncio, `terminal`
the signals, `kept_log` a file.

The modules: `effects`, `model` -> `keys` -> `moments` (animations and delays) -> `update` (the next model and effects);
`widgets` -> `boards` (a board for each family of games) -> `views` (the screens); `ringing` (notifications);
`screens` (what all screens share) -> `terminal`; `kept_log`; the record, practice and replay; and `app` over all.
"""
