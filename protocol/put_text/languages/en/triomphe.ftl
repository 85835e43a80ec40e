### Triomphe Forcée. Clauses begin with a small letter, and end without a full stop.

## Events
triomphe-turned-up = cards are turned up for the deal, until the first trump: { $turned }; { triomphe-deals-first }
    .brief = { triomphe-deals-first }
triomphe-turned-card = { $card } for { $seat-name }
triomphe-deals-first = { $dealer ->
    [you] you deal
   *[other] { $dealer-name } deals
} first
triomphe-dealt = { $dealer ->
    [you] you deal
   *[other] { $dealer-name } deals
} hand { $hand }, { $dealt }; { $staked }, so the pool holds { $pool }; { $eldest ->
    [you] you are
   *[other] { $eldest-name } is
} the first to play{ $cards-count ->
    [0] {""}
   *[other] ; { $own }
}
    .brief = hand { $hand }{ $eldest ->
        [you] ; you lead
       *[other] {""}
    }{ $cards-count ->
        [0] {""}
       *[other] ; { $own }
    }
triomphe-dealt-each = { words-cards } each
triomphe-dealt-each-to = { words-cards } each to { $players }
triomphe-dealt-uneven = cards dealt: { $counts }
triomphe-dealt-uneven-to = cards dealt: { $counts } to { $players }
triomphe-stakes-each = each stakes { $stake }
triomphe-stakes-uneven = the stakes are { $stakes }
triomphe-la-mort = { $seat ->
    [you] you show
   *[other] { $seat-name } shows
} { $card }
    .brief = { triomphe-la-mort }
triomphe-declared = { $seat ->
    [you] you declare
   *[other] { $seat-name } declares
} { $declared }, and { $seat ->
    [you] get
   *[other] gets
} { $paid ->
    [0] nothing
   *[other] { $paid }
} from the pool
    .brief = { $seat ->
        [you] you declare
       *[other] { $seat-name } declares
    } { $declared }
triomphe-the-fool = the Fool
triomphe-la-force = La Force, { $card }
    .brief = La Force
triomphe-played = { words-plays }
    .brief = { $leads ->
        [yes] { words-plays }
       *[no] { $seat-name }: { $card }
    }
triomphe-trick = { $winner ->
    [you] you take
   *[other] { $winner-name } takes
} trick { $number }; { words-tricks-taken }
    .brief = { $winner ->
        [you] you take
       *[other] { $winner-name } takes
    } trick { $number }
triomphe-hand = { $how ->
    [la_mort] { triomphe-wins } with La Mort, and { $winner ->
        [you] take
       *[other] takes
    } the stakes, { $paid }
    [emptied] { $winner ->
        [nobody] the hand is over, because nothing is left of the pool
       *[other] the declarations have emptied the pool, so the hand is over; { $winner-name } { triomphe-takes }
    }
    [most] { triomphe-wins } with the most tricks, and { triomphe-takes }
    [second_first] { triomphe-wins }, as the first of two players to have two tricks, and { triomphe-takes }
    [first_trick] { triomphe-wins }, with the first of five tricks to five players, and { triomphe-takes }
   *[alone] { triomphe-wins }, as everyone else has left, and { triomphe-takes }
}
    .brief = { $winner ->
        [nobody] { triomphe-hand }
       *[other] { triomphe-wins }: { $paid ->
            [0] nothing
           *[other] { $paid }
        }
    }
triomphe-wins = { $winner ->
    [you] you win
   *[other] { $winner-name } wins
} the hand
triomphe-takes = { $winner ->
    [you] take
   *[other] takes
} { $paid ->
    [0] nothing
   *[other] { $paid }
} from the pool

## The table
triomphe-sitting = the sitting is of { words-hands }, and each player stakes { $stake } on a hand
triomphe-force = La Force is { $card }
triomphe-undealt = no hand has been dealt yet
triomphe-over = hand { $hand } is over
triomphe-dealing = this is hand { $hand }{ $dealer ->
    [nobody] {""}
   *[other] , dealt by { $dealer-name }
}{ $eldest ->
    [nobody] {""}
    [you] ; you were the first to play
   *[other] ; { $eldest-name } was the first to play
}
triomphe-on-the-table = on the table { $played }
triomphe-empty-table = no card is on the table
triomphe-task-lead = to lead
triomphe-task-follow = to play to the trick
triomphe-showed = { $seat-name } showed { $cards }
triomphe-gains = in this sitting { $gains }
triomphe-pool = the pool holds { $pool }
triomphe-trumps = trumps rank from XXI, the best, down to I, and beat every suit; the Fool beats nothing
triomphe-suits = swords and batons rank king, queen, cavalier, knave, and from 10 down to 1; cups and coins king, queen, cavalier, knave, and from 1 down to 10
triomphe-typed-play = play | lead
## Choices, questions and reasons, from the server
triomphe-lead = lead { $card }
triomphe-play = play { $card }
triomphe-lead-fool = lead the Fool: it never takes a trick
triomphe-play-fool = play the Fool: it never takes a trick
triomphe-asks-lead = Lead to trick { $number }.
triomphe-asks-play = Play to trick { $number }.
triomphe-why-lead = The leader may lead any card.
triomphe-why-fool = Only the Fool was led: play anything, and your card sets the suit.
triomphe-why-follow = { $suit ->
    [t] Trumps led: play one if you can, else any card; the Fool always.
    [w] Swords led: follow suit, else trump, else any card; the Fool always.
    [b] Batons led: follow suit, else trump, else any card; the Fool always.
    [u] Cups led: follow suit, else trump, else any card; the Fool always.
   *[o] Coins led: follow suit, else trump, else any card; the Fool always.
}
