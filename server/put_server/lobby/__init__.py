"""The lobby: who is here, which tables are open, who sits where; inputs in, an answer and effects out.

`inputs` lists everything that can happen to the lobby and what comes of it, and `lobby` dispatches each input once.
Its parts are `people`, `presence`, `capacity`, `open_tables`, `table_access`, `subscribers`, `house_players` and
`analysis_requests`; `policy` is what the operator allows. `settling` adds the packs and secrets that tables want. The
inputs in their order are the whole history: folded again they give the same lobby, for nothing in here asks a clock or
a source of chance.
"""
