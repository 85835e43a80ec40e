"""The paper's figures, text and drawings: the parts of `scripts/solution`.

`counts` (how often each thing is done, over all deals) and `figures` (the numbers of the paper) read tables; `page`,
with its words in page.md, and `plots` read only what was counted.
"""
