"""Conformance suite: plays with a client under test, and reports its faults.

Idea: the lobby, tables, rules and messages are the real ones. The opponents are scripted, and a fault injector stands
between the lobby and the client's connection: it drops the connection, delays, refuses or adds messages. Import law: it
imports the server; only the server's commands import it.

From the small to the large: `checks` (requirements, with references to the protocol, and results), `case_report`,
`fake_server` (a lobby, and the opponents in it), `client_connection`, `client_checker` (the checks of every case),
`case` (a case and its fault injector), `cases` (all cases), `case_runner` (runs one case), `suite` (runs a selection),
`cli` (the command line).
"""

__all__: list[str] = []
"""Empty: import the modules by name."""
