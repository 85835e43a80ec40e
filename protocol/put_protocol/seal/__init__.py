"""Sealed deals: every player can check each card while it is played, and a card that is not shown stays secret.

Why a sealed deal cannot be cheated. The claim: if one player who cuts is honest, then no party, not even the server
together with all other players, can choose or foresee who gets which card; the checks catch a party that tries.

- Commitment. Before anybody cuts, the server tells the roots of two hash trees, each over a shuffled pack. A leaf
  hashes a card with its place and a random salt. The root fixes every card, and the salt hides it.
- Promises. A player who cuts has told `x[k]` of a hash chain before. Their cut is `x[k-1]`, the one value known to hash
  to it. So every cut is fixed before the seal, and none can be chosen after the others are seen. Nor can the server
  prepare packs for an honest cut: that is 32 bytes which it has not seen.
- Cuts. Which pack is played, and which position each slot takes, is a hash over the roots, the slots, the cards and all
  cuts. One unknown cut makes it uniform, however the packs were arranged: a pack in perfect order deals a fair hand.
- Openings. Each card that is shown comes with its salt and its path to the root. So it lay at the position which its
  holder's slot took. The pack that is not played is opened whole; a pack with a wrong card in it is that one half the
  time. The labels in every hash bind it to one table, deal, pack and position, so no opening serves elsewhere.
- Stocks. Cards that come back in the middle of a hand are listed by a seal of their own before they are drawn from.
  How many they are is public, and each player knows of their own cards whether they must be among them.
- Calling off. The freedom that is left is not to cut, or to stop. A deal that is called off names a player who had not
  cut or who left, and opens both packs. Who is named twice running gets no more cards, and every such deal is counted.

What would break it, and what prevents it:

- A link given for two seals: the server would know the cut before the second seal. `Checker.cut` gives a link once.
- A secret that can be guessed: chains and packs begin with 32 bytes of the operating system's randomness.
- Two players shown different seals: each proof still rests on its reader's own cut, and the four words tell them apart.
- A gap in what was told: events are numbered, a table shown anew without a drop is a fault, and a deal of which a part
  was missed counts as unproved.
- A broken SHA-256 or SHAKE-256. Nothing here prevents that.

It proves that no party stacked the cards. It does not keep the server, which deals them, from looking at them.
docs/fair-dealing.md tells it for players, and to the byte for implementers.

Import law: that of `put_protocol`, whose other modules do not read `seal`. Secrets come in as arguments.

    hashing -> packs (the server's part), cuts (the players'), accidents; terms (what a table's deals must be)
    findings -> proving (one deal) -> whereabouts (of a hand) -> checker (one viewer at one table)
"""
