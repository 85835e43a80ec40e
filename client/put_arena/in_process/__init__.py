"""Matches in one process, without server and sockets: for classes and house players whose authors trust each other.

Idea: the same rules, packs, views and decisions as a server would have and send, handed to the bots by function calls.
A worker process plays whole rounds; there is one a job.
Import law: `table` and `worker` are the only modules in which the arena imports the server.

The modules: `orders` (what goes over the pipes), `table` (one table) -> `worker` (the process) -> `foreman` (in the
arena).
"""

__all__: list[str] = []
