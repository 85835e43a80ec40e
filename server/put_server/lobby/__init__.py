"""The lobby: who is here, which tables are open, who sits where; inputs in, effects out.

`inputs` lists everything that can happen to the lobby, `lobby` says what comes of it, `people` and `options` hold the
checks of names and of what a table is opened with. The inputs in their order are the whole history: folded again
they give the same lobby, for nothing in here asks a clock or a die.
"""
