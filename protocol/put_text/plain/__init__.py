"""Plain English in both directions: typed lines as requests, and the server's messages as sentences.

Both ends use it: the client's line mode, and the server's connection for people with only `nc`. No module does I/O or
reads a clock.

The modules, each reading only those before it: `offers_text` (rule sets in sentences, a table asked for in words),
`text_state` (the state of a session), `answers` and `telling` (messages as sentences), `commands` (typed lines),
`login`, `telnet`, `plain_connection` (the server's end).
"""
