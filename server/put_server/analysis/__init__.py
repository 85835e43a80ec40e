"""Analysis after play: a player's decisions evaluated against perfect play, and positions to practise on.

Idea: the code that evaluates a decision gets what its player saw on taking it, and nothing else.
Import law: `put_rules`, `table`'s effects, `house` and put_protocol. Only `app` and `record_commands` import it.

From the small to the large: `evaluation` (what a seat faced and did, and what it cost), `practice_positions` (positions
that follow from their numbers), `solved_oracle` (perfect play, where it is known), `analysis_worker` (the process that
evaluates), `service` (which asks it, and answers players).
"""
