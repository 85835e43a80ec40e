"""Environments for programs that learn: every game, in process, in the forms of the usual libraries.

Idea: the machines of `put_rules` play. An agent's observation is computed only from the view and the choices that the
server would send to its seat. So a trained agent can play at any table. Import law: `put_rules`, the checks of a
table's options, the house players as opponents, `put_text` to print; `network_bot` also imports the interface of a bot.
No package imports this one.

From the small to the large:

    env_table       what is played: a rule set, seats, options; what is an episode, and what is rewarded
    families        a family of games as numbers, one module each: its observations and its actions
    episode         one game or hand, driven step by step, and the shuffled packs for it
    observing       observations and actions of an episode, and of a seat at a server's table
    aec             PettingZoo, one agent after another, and its parallel form
    single          Gymnasium, one agent against players of the house
    spiel           OpenSpiel, with chance, histories and information states
    vector          thousands of tables at once, compiled; the families' rules for it are in `kernels`
    network_bot     a bot that plays by a saved network

It needs `put-cards[env]`: numpy, pettingzoo, gymnasium, numba; `spiel` also needs `put-cards[spiel]`.
"""

from put_env.env_table import Rewards, Table, Unit
from put_env.families import action_names, observation_names

__all__ = ["Rewards", "Table", "Unit", "action_names", "observation_names"]
