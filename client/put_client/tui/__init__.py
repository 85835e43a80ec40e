"""The full-screen client: one frozen model, one pure update, pure views, and a thin shell that owns the terminal.

Idea: what is on the screen is a function of what came over the wire and which keys were pressed, so every screen can be
had as text without a terminal. No rule of any game is here: what may be done comes with each decision.
Import law: put_protocol and, in `app` and for the width of a character in `canvas`, prompt_toolkit; `app` alone knows
asyncio, signals and the clock.

The modules: effects, model -> keys -> update (hear, press, form, commands); theme, canvas, cards -> seats, field,
panes, asking -> table_view, lobby_view, overlays -> screen; and app over both.
"""
