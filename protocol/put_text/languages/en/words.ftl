### Parts of sentences: persons, lists, numbers, cards, times.

words-language = en | english | anglais
words-one = 1
words-elided = {""}
words-you = you
words-seat = seat { $number }
words-and = { $most } and { $last }
words-or = { $most } or { $last }
words-semicolon = ;{" "}
words-minus = minus { $number }
words-number = { $number ->
    [0] no
    [1] one
    [2] two
    [3] three
    [4] four
    [5] five
    [6] six
    [7] seven
    [8] eight
    [9] nine
    [10] ten
   *[other] { $number }
}
## Cards: $rank is as on the card, a Roman number for a trump, or "fool"; $suit is the letter of the notation.
words-decimal = { $whole }.{ $tenth }
words-rank = { $rank ->
    [J] knave
    [C] cavalier
    [Q] queen
    [K] king
    [A] ace
   *[other] { $rank }
}
words-card = { $suit ->
    [t] { $rank ->
        [fool] the Fool
        [I] trump I, Le Basteleur
        [XIII] trump XIII, La Mort
       *[other] trump { $rank }
    }
   *[other] the { words-rank } of { words-suit }
}
    .brief = { $suit ->
        [t] { $rank ->
            [fool] Fool
            [I] Le Basteleur
            [XIII] La Mort
           *[other] trump { $rank }
        }
       *[other] { words-rank } of { words-suit }
    }
words-suit = { $suit ->
    [s] spades
    [h] hearts
    [d] diamonds
    [c] clubs
    [w] swords
    [b] batons
    [u] cups
    [o] coins
    [t] trumps
   *[other] { $suit }
}
words-of-suit = { $suit ->
    [t] trumps { $ranks }
   *[other] { $ranks } of { words-suit }
}
words-place = the card at place { $number }
words-no-cards = no cards

## Counts: $count is in words up to ten.
words-cards = { WORD($count) } { $count ->
    [1] card
   *[other] cards
}
words-points = { WORD($count) } { $count ->
    [1] point
   *[other] points
}
words-tricks = { WORD($count) } { $count ->
    [1] trick
   *[other] tricks
}
words-hands = { WORD($count) } { $count ->
    [1] hand
   *[other] hands
}
words-deals = { WORD($count) } { $count ->
    [1] deal
   *[other] deals
}
words-stakes = { WORD($count) } { $count ->
    [1] stake
   *[other] stakes
}
words-players = { WORD($count) } { $count ->
    [1] player
   *[other] players
}
words-spectators = { WORD($count) } { $count ->
    [1] spectator
   *[other] spectators
}
words-days = { WORD($count) } { $count ->
    [1] day
   *[other] days
}
words-hours = { WORD($count) } { $count ->
    [1] hour
   *[other] hours
}
words-minutes = { WORD($count) } { $count ->
    [1] minute
   *[other] minutes
}
words-seconds = { $seconds } { $seconds ->
    [1] second
   *[other] seconds
}
words-minutes-seconds = { $minutes } minutes{ $seconds ->
    [0] {""}
   *[other] { " " }and { $seconds } seconds
}

## What every game has. A person is "you", "other" or "nobody".
words-holds = { $seat ->
    [you] you hold
   *[other] { $seat-name } holds
} { $cards }
    .brief = { words-holds }
words-holds-count = { $seat ->
    [you] you hold
   *[other] { $seat-name } holds
} { words-cards }
words-plays = { $leads ->
    [yes] { $seat ->
        [you] you lead
       *[other] { $seat-name } leads
    }
   *[no] { $seat ->
        [you] you play
       *[other] { $seat-name } plays
    }
} { $card }
    .brief = { $leads ->
        [yes] { words-plays }
       *[no] { $seat-name }: { $card }
    }
words-played = { $seat-name } { $leads ->
    [yes] led
   *[no] played
} { $card }
words-trick = trick { $number }: { $played }; { $winner ->
    [nobody] it was tied, and no player took it
   *[other] { $winner-name } took it
}
words-tricks-taken = tricks taken so far: { $tricks }
words-gain = { $how ->
    [won] { $seat ->
        [you] you win
       *[other] { $seat-name } wins
    } { $amount }
    [lost] { $seat ->
        [you] you lose
       *[other] { $seat-name } loses
    } { $amount }
   *[even] { $seat ->
        [you] you break even
       *[other] { $seat-name } breaks even
    }
}
words-gain-so-far = { $how ->
    [won] { $seat ->
        [you] you have won
       *[other] { $seat-name } has won
    } { $amount }
    [lost] { $seat ->
        [you] you have lost
       *[other] { $seat-name } has lost
    } { $amount }
   *[even] { $seat ->
        [you] you are even
       *[other] { $seat-name } is even
    }
}
words-is-to = { $seat ->
    [nobody] no player is to move
    [you] you are { $task }
   *[other] { $seat-name } is { $task }
}
words-task-move = to move

## What is typed for a card
words-typed-the = the
words-typed-of = of
words-typed-play = play | lead | discard | throw away | i play | i lead | i discard | i throw away
words-typed-card-0t = 0t | fool | le fou | fou | the fool
words-typed-card-1t = le basteleur | basteleur | the basteleur | trump i, le basteleur
words-typed-card-13t = la mort | mort | death | trump xiii, la mort
words-typed-rank-J = knave | jack
words-typed-rank-C = cavalier | knight
words-typed-rank-Q = queen
words-typed-rank-K = king
words-typed-rank-A = ace
words-typed-number-1 = one
words-typed-number-2 = two
words-typed-number-3 = three
words-typed-number-4 = four
words-typed-number-5 = five
words-typed-number-6 = six
words-typed-number-7 = seven
words-typed-number-8 = eight
words-typed-number-9 = nine
words-typed-number-10 = ten
words-typed-suit-s = spades | spade
words-typed-suit-h = hearts | heart
words-typed-suit-d = diamonds | diamond
words-typed-suit-c = clubs | club
words-typed-suit-w = swords | sword
words-typed-suit-b = batons | baton
words-typed-suit-u = cups | cup
words-typed-suit-o = coins | coin
words-typed-suit-t = trumps | trump
