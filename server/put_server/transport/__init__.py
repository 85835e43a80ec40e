"""Sockets: everything between bytes and the lobby, and nothing that decides a rule.

`socket` is the asyncio protocol, `session` one peer's connection and its bounded outbox, `pace` the limit on how fast
one may ask, `dispatcher` the doorkeeper that hands inputs to the lobby and carries out its effects, `shuffler` the only
place where chance comes from, `listener` opens the port and closes it again.
"""
