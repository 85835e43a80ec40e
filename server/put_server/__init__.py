"""The server: all code with secrets or rules.

Import law, top to bottom: `app` > `transport` > `journal` > `lobby` > `table` > put_rules > put_protocol. `house`
imports only put_protocol, because it must see no more than a seat does. put_rules, `table` and `lobby` use no clock,
randomness, socket or log: inputs come in as arguments, and effects go out as values.
"""

__all__: list[str] = []
"""Empty: import the modules by name."""
