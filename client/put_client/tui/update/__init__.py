"""The one transition of the full screen: a model and an input give the next model and effects. Pure.

The modules: `story` and `form` (parts of the model), `commands` (a typed line) -> `update_message` (from the server)
and `update_input` (keys and mouse) -> `dispatch`.
"""
