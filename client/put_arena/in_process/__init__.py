"""Matches in one process, without server and sockets: for classes and house players whose authors trust each other.

Idea: the bots get the same packs, views and decisions as from a server, by function calls. A worker process plays whole
rounds; there is one for each job. Import law: beside `match_terms`, `bot_table` and `round_worker` are the only modules
in which the arena imports the server.

The modules: `bot_table` (one table) -> `round_worker` (the process) -> `foreman` (in the arena).
"""

__all__: list[str] = []
