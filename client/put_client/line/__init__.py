"""Line mode: a line in, sentences out; for pipes, dumb terminals and screen readers.

The modules: `lines`, `prompt` (where lines come from), `line_state` (what line mode remembers) -> `line_mode` ->
`drill` (practice positions).
"""
