"""Conformance suite: plays against a client under test and reports what it does right and wrong.

Idea: the lobby, tables, rules and messages are the real ones. The opponents are scripted, and a fault injector stands
between the lobby and the client's connection: it drops the connection, delays, refuses or adds messages.
Import law: reads the layers of the server; nothing of the server imports it but the commands that start it.

From the small to the large: `checks` (requirements, where the protocol says so, and results), `case_report`,
`fake_server` (a lobby, and the opponents in it), `client_connection`, `client_checker` (the checks of every case),
`case` (a case and its fault injector), `cases` (all cases), `case_runner` (runs one case), `suite` (runs those asked
for), `cli` (the command line).
"""

__all__: list[str] = []
"""Nothing at the top: import the modules by name."""
