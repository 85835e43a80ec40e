### Events of every table. Clauses begin with a small letter, and end without a full stop.

table-sat = { $seat ->
    [you] you sit
   *[other] { $kind ->
        [house] { $name }, of the house, sits
        [bot] { $name }, a bot, sits
       *[person] { $name } sits
    }
} down in seat { $number }
table-stood = { $seat ->
    [you] you give
   *[other] { $name } gives
} up seat { $number }
table-started = game { $game } begins: { $players } play
    .brief = { $game ->
        [1] { table-started }
       *[other] game { $game } begins
    }
table-deals-alone = The server deals alone: { $why }
table-agreed = { $seat ->
    [you] you are
   *[other] { $seat-name } is
} ready for another game
table-presence = { $away ->
    [yes] { $seat ->
        [you] you have
       *[other] { $seat-name } has
    } lost the connection
   *[no] { $seat ->
        [you] you are
       *[other] { $seat-name } is
    } back
}
table-pause-asked = { $seat ->
    [you] you ask
   *[other] { $seat-name } asks
} for a pause of at most { $length }
table-paused = all agree to a pause of at most { $length }: the clocks stand still
table-go-on-asked = { $seat ->
    [you] you are
   *[other] { $seat-name } is
} ready to go on
table-went-on = { $by_time ->
    [yes] the pause is over, for its time is up
   *[no] the pause is over, and the game goes on
}
table-said = { $seat ->
    [you] you say
   *[other] { $name } says
}{ $seat ->
    [nobody] { " " }from the gallery
   *[other] {""}
}: "{ $text }"
table-said-muted = { $name }, whom you muted, says something
table-timed-out = { $seat ->
    [you] your time is up
   *[other] { $seat-name }'s time is up
}
    .brief = { $seat ->
        [you] your time is up
       *[other] {""}
    }
table-left-game = { $seat ->
    [you] you leave
   *[other] { $seat-name } leaves
} the game
table-over = the game is over{ $winners-are ->
    [nobody] {""}
   *[other] , won by { $winners }
}: { $gained }
table-blind = the cards are dealt blind: { $sees }
table-blind-sees = { $seat ->
    [you] only you can see your cards
   *[other] only { $seat-name } can see { $seat-name }'s cards
}
table-blind-server = this server can see the cards of { $names }
table-blind-read = the cards are dealt blind: this server can read every hand in this game, and cannot choose them
table-part-missed = { $seat ->
    [you] you did not do your part of the deal, and you lose
   *[other] { $seat-name } did not do their part of the deal, and loses
} the { $loses ->
    [seat] seat
   *[other] next hand
} ({ $missed } in this game)
table-a-player = a player
