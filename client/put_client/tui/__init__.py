"""The full-screen client: one frozen model, one pure update, pure views, and a thin shell that owns the terminal.

Idea: what is on the screen is a function of what came over the wire and which keys were pressed, so every screen can be
had as text without a terminal. No rule of any game is here: what may be done comes with each decision.
A game whose view has no board here is shown as values with their names, and played by the server's words.
Import law: put_protocol and, in `terminal` and for the width of a character in `canvas`, prompt_toolkit;
only `app` and the `*_screen` modules know asyncio, `terminal` the signals, `kept_log` a file.

The modules: `effects`, `model` -> `keys` -> `moments` (what is held or moves, and changes by itself) -> `update` (the
next model and what it wants done); `widgets` -> `boards` (a board a family of games) -> `views` (the screens);
`ringing` (what calls the player); `terminal`, `kept_log`; `screens` (the record, practice and replay); and `app` over
all.
"""
