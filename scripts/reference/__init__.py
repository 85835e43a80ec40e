"""The reference of the protocol, made from what the code says of itself.

`shapes` reads fields, types and docstrings; `tables` writes them as tables of a page, and `schema` as a JSON Schema.
`moments` plays games to see what can be asked, `refusing` tells what a request may be refused for, `bounds` lists the
limits, and `transcripts` takes two conversations with a real server. `parts` names what a page may ask for.
"""
