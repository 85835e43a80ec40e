"""The server: everything that knows a secret or decides a rule.

Import law, top to bottom: `app` > `transport` > `journal` > `lobby` > `table` > put_rules > put_protocol. `house` reads
put_protocol and nothing else, for it must see no more than a seat does. put_rules, `table` and `lobby` know no clock,
no randomness, no socket and no log: those come in as arguments and go out as values.
"""

__all__: list[str] = []
"""Nothing at the top: import the modules by name."""
