"""The local record: the games this person has played, what their decisions cost, and their practice.

Idea: one SQLite file beside the saved sessions. It contains only what the player was shown: sheets in notation, the
server's analyses, answers to practice positions, and the beginner's notes already shown. Import law: put_protocol,
put_text, and of the client `recording`; no screen and no line mode.

The modules: `store` (entries, and the file that keeps them), `summary` (figures over entries, and their sentences),
`game_recorder` (fills the store from the messages of a connection), `trainer` (practice).
"""
