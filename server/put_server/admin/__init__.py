"""The admin socket: status of a running server, and commands to it, for users who may write its files.

`admin_calls` is what may be asked and answered, `socket` the Unix socket, `handler` makes the answers, `admin_client`
is the other end, `audit` notes what was asked, `sentences` has the sentences, and `format` puts a status in lines. A
cluster takes the same calls by NATS. No card, token, passcode or talk comes out of it: an answer holds counts, names
and sentences made from those.
"""
