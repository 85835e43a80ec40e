### What a server told that does not hold: said where play stops, and by put-verify.

## Not as the rules have it
fault-shown-anew = The table was shown anew, and what happened before was not told.
fault-game-number = This is game { $known } here, and was told as game { $told }.
fault-other-players = A game of { $names } was told, and they do not all sit here.
fault-seated = { $name } was seated in the middle of a game.
fault-begun-early = A new game begins, and the last one is not over by the rules.
fault-dealer = By the rules { $dealers }, and not so: { $told }
fault-draw = the players draw for the deal
fault-deals = { $seat ->
    [you] you deal
   *[other] { $seat-name } deals
}
fault-not-done = You did not do this: { $told }
fault-not-given-up = You did not give up the game, and it was told: { $told }
fault-unsigned = Nobody signed what was told: { $told }
fault-too-soon = { $told } That was at least { $seconds } seconds too soon.
fault-not-now = By the rules this cannot happen now: { $told }
fault-differs = This is not told as the rules have it ({ $what }): { $expected }
fault-otherwise = It was told: { $told } By the rules it is: { $expected }
fault-missing = By the rules this follows at once, and was not told: { $missing }
fault-mover = The move was told to be that of { $told }; by the rules it is that of { $seat ->
    [nobody] nobody
   *[other] { $seat-name }
}.
fault-view = The table was shown otherwise than the rules have it: { $what }.
fault-not-this-game = not this game
fault-what-happened = what has happened
fault-not-your-turn = You were asked to move, and by the rules it is not your turn.
fault-offered = You were offered what the rules do not allow: { $choice }.
fault-not-offered = You were not offered what the rules allow: { $choice }.

## Not as the table was
fault-changed = The { $what ->
    [option] option { $option }
    [seats] number of seats
    [turn] time for a decision
    [bank] time for being away
   *[game] game
} was { $before } when you came, and is told as { $after }.
fault-time = { $seat ->
    [you] You have
   *[other] { $seat-name } has
} { $told } s { $what ->
    [turn] to decide, and the time for a decision
   *[bank] to be away, and the time for being away
} here is { $limit } s.
fault-games-begun = The number of games begun here is { $known }, and was told as { $told }.
fault-sitter = In seat { $seat } sits { $known }, and it was told: { $told }.
fault-no-player = no player
fault-player = { $name }{ $kind ->
    [house] {" "}(house)
    [bot] {" "}(bot)
   *[person] {""}
}
fault-over = The game was told as one that goes on; by the rules it is over.
fault-not-over = The game was told as one that is over; by the rules it is not over.
fault-purse = The purse of { $name } is { $purse } by the rules, and was told as { $told }.

## A deal that does not hold
fault-deal = Deal { $deal }: { $why }.
fault-told-before = Deal { $deal } was told otherwise before, when you gave your part of it.
fault-state = The state of the deal that the server gave is no good: { $why }.
fault-another-deal = After the connection was lost the server told another deal than before.
fault-table = The deal is one of table { $table }.
fault-pack = The pack is not the one that this table plays with.
fault-players = The deal is one for another number of players.
fault-begun-again = The server began a deal a second time.
fault-key = { $seat ->
    [you] You keep the key of your cards, and the server says that it has it.
   *[other] { $seat-name } keeps the key of their cards, and the server says that it has it.
}
fault-key-given = The server gives your key to other players, too.
fault-not-missed = The server says that { $name } missed a part of a deal, and it is not so.
fault-lost-hand = The server lets { $name } play a hand that is lost.
fault-hand-taken = The server takes a hand from { $name }, and no part of a deal was missed.
fault-terms = The deal begins with terms that are no good: { $why }.
fault-step = A step of a deal was told, and none has begun.
fault-signature = The server did not sign what it told of the deal: { $why }.
fault-reads = The server wants to read the pack, and the rules of this table do not need that.
fault-hands = Deal { $deal }: its hands are not as large as the rules deal them.
fault-deals-again = Deal { $deal } was not played, and the server deals again.
fault-opened = Cards were opened, and the server reads no deal.
fault-no-card = Deal { $deal }: you were dealt what is no card of the pack.
fault-dealt-to = Deal { $deal }: it was told to other players than it was dealt to.
fault-no-deal = Cards were shown, and no deal is in play.
fault-not-dealt = Deal { $deal }: { $card } was shown, and was not dealt to { $seat ->
    [nobody] the pack
   *[other] { $seat-name }
}.
fault-shown = { $cards } shown, and not dealt to who showed it
fault-shuffle = Deal { $deal }: the shuffle of seat { $seat } does not hold, and the cards were dealt all the same.
fault-other-story = { $seat ->
    [nobody] The server was
    [you] You were
   *[other] { $seat-name } was
} told another story than this, or a signed step was dropped.
fault-let-through = A step by { $seat ->
    [nobody] the server
   *[other] { $seat-name }
} was let through that does not hold: { $why }.

## Said at the table by the client that stops
fault-i-stop = I stop: what I was told of the deal or the game does not hold.{ $keeps ->
    [yes] {" "}I keep the evidence.
   *[no] {""}
}
