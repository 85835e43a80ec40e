"""Analysis after play: a player's decisions evaluated against perfect play, and positions to practise on.

Idea: the code that evaluates a decision gets only what its player saw at that time. Import law: `put_rules`, `table`'s
effects, `house` and put_protocol. Only `app` and `record_commands` import it.

From the small to the large: `evaluation` (a seat's decisions and their cost), `practice_positions` (positions derived
from their numbers), `solved_oracle` (perfect play, if known), `analysis_worker` (the worker process), `service` (which
uses the worker, and answers players).
"""
