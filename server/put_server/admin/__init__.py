"""The operator's door: how a running server is asked how it is, and told things, by who may write its files.

`calls` is what may be asked and answered, `door` the Unix socket, `steward` the answers, `asking` the other side of the
door. No card, token, passcode or talk comes out of it: an answer holds counts, names and sentences made from those.
"""
