"""The admin socket: status of a running server, and commands to it, for users who may write its files.

`admin_calls` has the calls and answers, `socket` the Unix socket, `handler` makes the answers, `admin_client` is the
client, `audit` records calls, `sentences` has the sentences, and `format` formats a status in lines. A cluster takes
the same calls by NATS. Answers never contain a card, token, passcode or talk: only counts, names and sentences made
from those.
"""
