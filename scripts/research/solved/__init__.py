"""The contents of the tables of solved Put, counted, drawn and told: the parts of `scripts/research/solution`.

`counts` (how often what is done, over all deals) and `figures` (the numbers of the page) read tables; `page`, with its
words in page.md, and `plots` only what was counted; `head` knows whether that is still so.
"""
