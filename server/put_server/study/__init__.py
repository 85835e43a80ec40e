"""What comes after play: decisions weighed against perfect play, and positions to practise on.

Idea: whoever weighs a decision gets what its player saw when he took it, and nothing else. A record is folded here, and
every card in it that he did not see stays here; what goes on to the weighing he could have written down himself.
Import law: `games`, `table`'s effects, `house` and put_protocol. `app`, `commands` and nobody else import it.

From the small to the large: `turns` (what a seat faced, and did), `weighing` (an opinion made a verdict), `drilling`
(positions from numbers), `solved` (perfect play, where it is known), `jobs` (what may be asked of a worker), `worker`
(the process that answers), `analyst` (who asks it, and tells people).
"""
