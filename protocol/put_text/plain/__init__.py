"""Plain English in both directions: typed lines as requests, and the server's messages as sentences.

One language for both ends: the client's line mode, and the server's connection for people who have only `nc`. Nothing
here reads, writes or looks at a clock.

The modules, each reading only those before it: `offers_text` (rule sets in sentences, a table asked for in words),
`text_state` (the state of a session), `answers` and `telling` (messages as sentences), `commands` (typed lines),
`login`, `telnet`, `plain_connection` (the server's end).
"""
