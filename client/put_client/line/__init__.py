"""Line mode: a line in, sentences out; for pipes, dumb terminals and screen readers.

The modules: `prompt` (lines typed at a terminal) -> `line_mode` -> `drill` (practice positions).
"""
