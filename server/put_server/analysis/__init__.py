"""Study after play: decisions weighed against perfect play, and positions to practise on.

Idea: whoever weighs a decision gets what its player saw on taking it, and nothing else. A record is folded here, and
every card in it that the player did not see stays here; all that goes on to the weighing, the player could have noted.
Import law: `games`, `table`'s effects, `house` and put_protocol. `app`, `commands` and nobody else import it.

From the small to the large: `turns` (what a seat faced, and did), `weighing` (an opinion made a verdict), `drilling`
(positions from numbers), `solved` (perfect play, where it is known), `jobs` (what may be asked of a worker), `worker`
(the process that answers), `analyst` (who asks it, and tells people).
"""
