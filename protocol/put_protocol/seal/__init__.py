"""A deal that every player can check, card by card and while it is played; what nobody is shown stays secret for ever.

Idea: the server seals two shuffled packs before anybody cuts; the cuts, which it cannot foresee, choose one of them and
the order in which its cards are dealt; the other is turned up, to show that packs here are whole. A card comes with a
proof that it lay where it was sealed. docs/fair-dealing.md tells it for players, and to the byte for implementers.
Import law: that of `put_protocol`. No secret is made here: they come in as arguments.

    hashing -> packs (the server's part), cuts (the players'), accidents; terms (what a table's deals must be)
    findings -> proving (one deal) -> checking (one viewer at one table)
"""
