"""Transport: everything between bytes and the lobby, and nothing that decides a rule.

`listener` accepts connections, as far as `admission` has room for them, and gives each a `session`: one peer's
connection with its outbox, which hands what the peer says to a handler. The handler is `dispatcher`, which hands inputs
to the lobby and performs their outcomes. It imports `session`, never the other way round. `rate_limit` and `budgets`
say who has to wait, `bans` who is not let in, and `peer_log` tells the operator. `origins` names the addresses that
quotas are kept for, and `proxy_header` reads those that proxies tell. `shuffler` is the only source of chance, and
`keepalive` sets the socket options of people who type.
"""
