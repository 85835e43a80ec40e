"""The results of the SDK's checks of sealed deals, for people.

The modules: `fairness_text` (sentences) -> `verify` (`put-verify`, which checks a recorded game).
"""
