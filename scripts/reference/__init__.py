"""Reference of the protocol, made from what the code says of itself.

`shapes` reads fields, types and docstrings; `tables` writes them as tables of a page, with limits and the reasons for
refusals, and `schema` as a JSON Schema. `rule_set_tables` plays games to see what can be asked. Conversations are
recorded by `tests.docs.transcripts`.
"""
