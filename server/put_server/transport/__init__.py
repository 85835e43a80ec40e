"""Transport: everything between bytes and the lobby, and nothing that decides a rule.

`session` is one peer's connection with its outbox and its `rate_limit`; it hands what the peer says to a handler. The
handler is `dispatcher`, which hands inputs to the lobby and performs their outcomes. It imports `session`, never the
other way round. `shuffler` is the only source of chance, and `keepalive` sets the socket options of people who type.
"""
