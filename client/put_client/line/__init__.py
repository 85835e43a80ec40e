"""Line mode: a line in, sentences out; for pipes, dumb terminals and screen readers.

The modules: `line_state` (what line mode remembers) -> `line_mode` -> `drill` (practice positions); `prompt` (lines
that are typed at a terminal).
"""
