### Deals, and what is proved of them.

deal-nothing = Nothing was dealt here yet.
deal-awaited = The cards are being shuffled, by everybody who holds a key.
deal-proved = Everybody who holds a key shuffled the deal in play, and all you saw of it is proved.
deal-broken = The dealer was caught: nothing more is played here.
deal-unproved = This deal is not proved{ $why ->
    [none] {""}
   *[other] : { deal-why }
}.
deal-unproved-before = The deal before is not proved: { deal-why }.
deal-many-unproved = { $count } deals are not proved: { deal-why }.
deal-why = { $why ->
    [plain] the server deals alone
    [missed] a part of it was lost with the connection
    [blind] the package coincurve is missing here
   *[pack] the pack of this game is not known here
}
deal-short = not proved{ $why ->
    [plain] : plain
    [missed] : part missed
    [blind] : blind
    [pack] : pack unknown
   *[none] {""}
}
deal-mark = blind { $mark }
deal-mark-broken = BROKEN
deal-plain = This server deals the cards alone, and sees them all: { $why }.
deal-read = This server can read every hand in this game, and cannot choose them.
deal-sees = Only { $seat ->
    [you] you can see your cards
   *[other] { $seat-name } can see { $seat-name }'s cards
}.
deal-server-sees = This server holds the cards of { $names }, and can see them.
deal-one-unproved = The one deal so far was not proved: { deal-why }.
deal-one-proved = The one deal so far was proved.
deal-all-proved = { $dealt ->
    [2] Both
   *[other] All { $dealt }
} deals so far were proved.
deal-some-proved = { $proved } of { $dealt } deals so far were proved.
deal-were-not = { $count } { $count ->
    [1] was
   *[other] were
} not: { deal-why }.
deal-was-made-anew = Deal { $deal } was made anew because of { $seat-name }, { $ruling ->
    [yes] as the server says
   *[no] which is proved
}.
deal-nobody = nobody yet
deal-shuffled = Deal { $deal } was shuffled by { $names }; every shuffle is proved.
deal-shuffle-awaited = Deal { $deal } was shuffled by { $names }; awaited: { $awaited }.
deal-was-read = The rules have to see hands: the server can read them all, and choose none.
deal-was-held = The server can see the cards of { $names } in it.
deal-cards-of = Seen: { $cards } ({ $who }).
deal-not-shown = Not shown to you: { $unseen }.
deal-for-all = turned up for all
deal-unseen = { $count ->
    [1] 1 card
   *[other] { $count } cards
} of { $seat-name }

## The page of a deal on the screen
deal-heading = Deal { $deal }
deal-beside = deal { $deal }
deal-by = by { $names }, each proved
deal-by-nobody = by nobody yet
deal-held = the server can see the cards of { $names }
deal-label-shuffle = shuffle
deal-label-awaited = awaited
deal-label-keys = keys
deal-label-cards = cards
deal-label-unseen = unseen
