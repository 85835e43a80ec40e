"""The one transition of the full screen: a model and an input give the next model and effects. Pure.

The modules: `typed_line` (a command or talk), `form` (the form that opens a table) -> `update_message` (from the
server) and `update_input` (keys and mouse) -> `dispatch`.
"""
