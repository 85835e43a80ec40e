"""Plain English in both directions: typed lines as requests, and the server's messages as sentences.

One language for both ends: the client's line mode, and the server's connection for people who have only `nc`. Nothing
here reads, writes or looks at a clock.

The modules, each reading only those before it: `offers` (rule sets in sentences, a table asked for in words) and
`text_state` (messages as sentences), `commands` (typed lines), `login`, `telnet`, `connection` (the server's end).
"""
