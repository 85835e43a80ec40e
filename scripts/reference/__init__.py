"""Reference of the protocol, made from what the code says of itself.

`shapes` reads fields, types and docstrings; `tables` writes them as tables of a page, and `schema` as a JSON Schema.
`rules` plays games to see what can be asked, and `limits` lists bounds and the reasons for refusals. Conversations are
recorded by `tests.docs.transcripts`.
"""
