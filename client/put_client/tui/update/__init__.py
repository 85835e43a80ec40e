"""The one transition of the full screen: a model and an input give the next model and effects. Pure.

The modules: `form` (the form that opens a table), `typed_line` (a command or talk) -> `update_message` (from the
server) and `update_input` (keys and mouse) -> `dispatch`.
"""
