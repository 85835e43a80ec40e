"""The lobby: people, open tables, and seats. Inputs go in; an answer and effects come out.

`inputs` lists every input and its outcome, and `lobby` dispatches each input. Its parts are `people`, `presence`,
`capacity`, `open_tables`, `table_access`, `subscribers`, `house_players` and `analysis_requests`; `policy` has the
operator's limits. `settling` adds the packs and secrets that tables want. The inputs in order are the whole history:
replaying them gives the same lobby, because nothing here uses a clock or a source of chance.
"""
