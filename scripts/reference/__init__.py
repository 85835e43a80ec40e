"""Reference of the protocol, made from what the code says of itself.

`shapes` reads fields, types and docstrings; `tables` writes them as tables of a page, and `schema` as a JSON Schema.
`moments` plays games to see what can be asked, and `bounds` lists limits and the reasons for refusals. Conversations
are recorded by `tests.docs.transcripts`.
"""
