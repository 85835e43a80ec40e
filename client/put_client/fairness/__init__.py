"""Checks of sealed deals at the client: what is proved, what is not, and the evidence of a table that cheats.

The modules: `evidence` (a transcript to show others) -> `deal_checks` (one person's tables) -> `fairness_text`
(sentences) -> `verify` (`put-verify`).
"""
