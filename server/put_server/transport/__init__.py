"""Transport: everything between bytes and the lobby. It decides no rules.

`listener` accepts connections within the limits of `admission`, and gives each a `session`: one peer's connection with
its outbox, which passes messages to a handler. The handler is `dispatcher`, which passes inputs to the lobby and
performs their outcomes. It imports `session`, never the other way round. `rate_limit` and `budgets` make peers wait,
`bans` refuses addresses, and `peer_log` informs the operator. `origins` turns addresses into keys for quotas, and
`proxy_header` reads addresses from proxies. `shuffler` is the only source of chance. `keepalive` sets socket options
for people who type.
"""
