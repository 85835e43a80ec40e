### Put and its relatives. Clauses begin with a small letter, and end without a full stop.

## Events
put-drawn = for the deal { $draws }{ $tied-count ->
    [0] {""}
   *[other] ; { $tied } are tied and must draw again
}
    .brief = {""}
put-draws = { $seat ->
    [you] you draw
   *[other] { $seat-name } draws
} { $card }
put-dealer = { $seat ->
    [you] you deal
   *[other] { $seat-name } deals
} first
put-dealt = { $dealer ->
    [you] you deal
   *[other] { $dealer-name } deals
} hand { $hand }, { $dealt }; { $eldest ->
    [you] you are
   *[other] { $eldest-name } is
} eldest, first to play{ $cards-count ->
    [0] {""}
   *[other] ; { $own }
}
    .brief = hand { $hand }; { $eldest ->
        [you] you lead
       *[other] { $eldest-name } leads
    }{ $cards-count ->
        [0] {""}
       *[other] ; { $own }
    }
put-dealt-each = { words-cards } each
put-dealt-each-to = { words-cards } each to { $players }
put-dealt-to = { words-cards } to { $seat-name }
put-played = { words-plays }
    .brief = { $leads ->
        [yes] { words-plays }
       *[no] { $seat-name }: { $card }
    }
put-accident = { $law ->
    [1] { $seat ->
        [you] one of your cards is seen in the dealing
       *[other] one of { $seat-name }'s cards is seen in the dealing
    }
    [2] one of the dealer's own cards is seen in the dealing
    [3] a faced card is found in the pack
    [4] { $seat ->
        [you] you were dealt a card too many
       *[other] { $seat-name } was dealt a card too many
    }
   *[5] { $seat ->
        [you] you, the dealer, were dealt a card too many
       *[other] { $seat-name }, the dealer, was dealt a card too many
    }
}{ $card ->
    [none] {""}
   *[other] : { $card }
}
put-fresh-deal = { $seat ->
    [nobody] the pack is shuffled, and the same dealer deals again
    [you] you call a fresh deal{ $points ->
        [0] {""}
       *[other] { " " }and score { put-worth }: the score is { $scores }
    }; the same dealer deals again
   *[other] { $seat-name } calls a fresh deal{ $points ->
        [0] {""}
       *[other] { " " }and scores { put-worth }: the score is { $scores }
    }; the same dealer deals again
}
put-worth = { $points ->
    [1] a point
   *[other] { WORD($points) } points
}
put-extra-drawn = a card is drawn, unseen, out of { $seat ->
    [you] your
   *[other] { $seat-name }'s
} hand and out of play
put-taken-up = the deal stands, and the hands are taken up{ $cards-count ->
    [0] {""}
   *[other] ; { $own }
}
    .brief = the deal stands{ $cards-count ->
        [0] {""}
       *[other] ; { $own }
    }
put-let = { $seat ->
    [you] you let
   *[other] { $seat-name } lets
} { $partner } give
put-the-partner = the partner
put-gave = { $seat ->
    [you] you give
   *[other] { $seat-name } gives
} { $to-name } the best card{ $card ->
    [none] ,
   *[other] , { $card },
} and { $seat ->
    [you] throw
   *[other] throws
} the others away
    .brief = { $seat ->
        [you] you give
       *[other] { $seat-name } gives
    } { $to-name } { $card ->
        [none] the best card
       *[other] { $card }
    }
put-discarded = { $seat ->
    [you] you throw away
   *[other] { $seat-name } throws away
} { $card ->
    [none] a card, unseen
   *[other] { $card }
}
put-passed = { $seat ->
    [you] you say
   *[other] { $seat-name } says
} nothing
put-doubled = { $seat ->
    [you] you offer
   *[other] { $seat-name } offers
} to double the hand to { $value ->
    [1] one point
   *[other] { WORD($value) } points
}: { put-must-take }
    .brief = { $seat ->
        [you] you double
       *[other] { $seat-name } doubles
    } to { $value ->
        [1] one point
       *[other] { WORD($value) } points
    }
put-must-take = { $to ->
    [nobody] the opponents
   *[other] { $to-name }
} must take it or throw in
put-must-see = { $to ->
    [nobody] the opponents
   *[other] { $to-name }
} must see it or throw in
put-put = { $seat ->
    [you] you put
   *[other] { $seat-name } puts
}: { put-must-see }
    .brief = { $seat ->
        [you] you put
       *[other] { $seat-name } puts
    }
put-saw = { $value ->
    [0] { $seat ->
        [you] you see the put and play on
       *[other] { $seat-name } sees the put and plays on
    }
   *[other] { $seat ->
        [you] you take
       *[other] { $seat-name } takes
    } the double: the hand is worth { $value ->
        [1] one point
       *[other] { WORD($value) } points
    }
}
    .brief = { $value ->
        [0] { $seat ->
            [you] you see
           *[other] { $seat-name } sees
        }
       *[other] { $seat ->
            [you] you take it
           *[other] { $seat-name } takes it
        }
    }
put-threw-in = { $cause ->
    [choice] { $seat ->
        [you] you throw in
       *[other] { $seat-name } throws in
    }, and the cards go away unseen
    [time] { $seat ->
        [you] you run out of time and so throw in
       *[other] { $seat-name } runs out of time and so throws in
    }
   *[left] { $seat ->
        [you] you give up the game
       *[other] { $seat-name } gives up the game
    }
}
    .brief = { $cause ->
        [choice] { $seat ->
            [you] you throw in
           *[other] { $seat-name } throws in
        }
       *[other] { put-threw-in }
    }
put-trick = { $winner ->
    [nobody] trick { $number } is tied, and no player takes it
    [you] you take trick { $number }
   *[other] { $winner-name } takes trick { $number }
}; { words-tricks-taken }
    .brief = { $winner ->
        [nobody] trick { $number } is tied
        [you] you take trick { $number }
       *[other] { $winner-name } takes trick { $number }
    }
put-hand = { $how ->
    [tricks] { $winner ->
        [you] you win
       *[other] { $winner-name } wins
    } the hand by tricks{ put-for-points }
    [thrown_in] { $winner ->
        [you] you win
       *[other] { $winner-name } wins
    } the hand, as everyone else has thrown in{ put-for-points }
   *[drawn] the hand is drawn, so no player wins it, and { $anew ->
        [yes] all scores go back to nothing
       *[no] the score stays { $scores }
    }
}
    .brief = { $anew ->
        [yes] { put-hand }
       *[no] { $winner ->
            [nobody] the hand is drawn
            [you] you win the hand{ $players ->
                [2] : { $scores }
               *[other] { " " }and have { $score }
            }
           *[other] { $winner-name } wins the hand{ $players ->
                [2] : { $scores }
               *[other] { " " }and has { $score }
            }
        }
    }
put-for-points = { $points ->
    [0] {""}
   *[other] , for { put-worth }: the score is { $scores }
}
put-game = { put-won }, with the score at { $scores }{ put-payments }
    .brief = { put-won }: { $scores }{ put-payments }
put-won = { $winners-are ->
    [nobody] no player wins
    [other] { $winners } wins
   *[many] { $winners } win
} the game { $how ->
    [points] on points
    [put] by the put
    [outright] outright
   *[forfeit] by forfeit
}
put-payments = { $flows ->
    [0] {""}
   *[other] ; { $payments }
}{ $games ->
    [0] {""}
   *[other] ; { put-rubber }
}{ $goes_on ->
    [yes] , and the next one begins
   *[no] {""}
}
put-rubber = games won in the rubber: { $rubber }
put-pays = { $seat ->
    [you] you pay
   *[other] { $seat-name } pays
} { words-stakes }
put-receives = { $seat ->
    [you] you receive
   *[other] { $seat-name } receives
} { words-stakes }

## The table
put-to-points = the game is to { words-points }
put-score = the score is { $scores }
put-to-points-score = { put-to-points }, and { put-score }
put-undealt = no hand has been dealt yet
put-over = hand { $hand } is over
put-dealing = this is hand { $hand }{ $dealer ->
    [nobody] {""}
   *[other] , dealt by { $dealer-name }
}{ $eldest ->
    [nobody] {""}
    [you] ; you are eldest
   *[other] ; { $eldest-name } is eldest
}
put-your-partner = { $seat-name } is your partner
put-partners = { $names } are partners
put-ranks = cards rank, the best first, { $ranks }
put-given = { $seat-name } gave the best card to { $partner }
put-you-gave = you gave away { $card }
put-you-threw = you threw away { $cards }
put-out = { $seat ->
    [you] you are out
   *[other] { $seat-name } is out
} of this hand
put-on-the-table = on the table { $played }
put-empty-table = no card is on the table
put-has-put = { $seat-name } put{ put-seen }
put-seen = { $seers ->
    [0] {""}
   *[other] , and { $seen } saw it
}
put-has-doubled = { $seat-name } offered to double{ $seers ->
    [0] : the hand is worth { words-points } so far
   *[other] , and { $seen } took it: the hand is worth { words-points }
}

## The task of the player to move, behind "you are"
put-task-accident = to say what becomes of the deal
put-task-give = to give the best card, or be given one
put-task-discard = to throw a card away
put-task-opening = to put, or say nothing
put-task-lead = to lead
put-task-reply = to play to the trick
put-task-answer = to see the put, or throw in
put-task-answer-double = to take the double, or throw in
put-task-last-say = to put, or throw in

## What is typed, and what is said where it cannot be done now
put-typed-put = put | i put | say "i put" | say i put
put-typed-see = see | i see | see it | see the put | i see it | take | take it | i take it
put-typed-throw = throw | throw in | i throw in | throw it in | throw in my cards | throw in your cards
put-typed-pass = pass | nothing | say nothing | i pass
put-typed-double = double | i double | offer to double
put-typed-give = give | i give | give my best card
put-typed-let = let | let them | let them give | let him | let him give | let my partner give
put-typed-redeal = redeal | fresh | fresh deal | call a fresh deal | deal again
put-typed-abide = abide | stand | let it stand | let the deal stand | draw | draw it
put-cannot-put = You cannot put now.
put-cannot-see = There is nothing for you to see now.
put-cannot-throw = You cannot throw in now.
put-cannot-pass = You cannot pass now.
put-cannot-double = You cannot double now.
put-cannot-give = You cannot give now.
put-cannot-let = You cannot let your partner give now.
put-cannot-redeal = You cannot call a fresh deal now.
put-cannot-abide = There is no deal for you to let stand now.

## Choices, from the server; what follows of one stands behind a colon
put-lead = lead { $card }
put-play = play { $card }
put-throw-away = throw away { $card }
put-say-put = say "I put": they throw in for a point, or this hand decides the game
put-say-put-inviting = say "I put": invite the other to throw in for a point
put-offer-to-double = offer to double: the hand to be worth { put-choice-points }
put-take-double = take the double: the hand is worth { put-choice-points }
put-see-put = see the put: this hand decides the game
put-see-inviting = see the put and play on
put-throw-in = throw in your cards and give up { put-choice-points }
put-throw-in-if-seen = throw in your cards: the others play for the game
put-throw-in-if-all = throw in your cards: if all do, the putter has a point
put-say-nothing = say nothing
put-give = give your partner your best card, and let them play for both
put-let-give = let your partner give you their best card, and play for both
put-redeal = call a fresh deal
put-redeal-for-a-point = score a point and call a fresh deal
put-abide = let the deal stand
put-abide-drawn = have the card too many drawn, unseen, and play on
put-choice-points = { $points ->
    [1] a point
    [2] two points
    [3] three points
    [4] four points
    [8] eight points
   *[other] { $points } points
}

## Questions
put-asks-accident = An accident in the dealing: what is to become of it?
put-asks-give = Do you give your partner your best card, or let them give you theirs?
put-asks-discard = You have four cards: throw one away.
put-asks-opening = Before the first trick: put, or say nothing.
put-asks-lead = Lead to trick { $number }{ put-asks-more }.
put-asks-reply = Play to trick { $number }{ put-asks-more }.
put-asks-more = { $more ->
    [double] , or double first
    [put] , or put first
    [throw] , or put, or throw in
   *[none] {""}
}
put-asks-last-say = The first trick is over, and you have the last say: put, or throw in.
put-asks-answer = Do you see the put, or throw in?
put-asks-answer-double = Do you take the double, or throw in?

## Reasons: a line of a terminal each
put-why-accident = The Laws of Put leave it to you, before anybody looks at their cards.
put-why-give = One of each side plays for both; who gives throws their other cards away.
put-why-discard = Your partner gave you their best card, and you play for both with three.
put-why-opening = Now or never: nobody may put once the first card is led.
put-why-last-say = No second trick is played unless a put is seen: put, or give up a point.
put-why-nobody-put = Nobody put before the first card, so the hand is played out for a point.
put-why-follow = Only who leads may put or throw in; whoever follows must play.
put-why-put = Nobody has put: the hand is for a point, until somebody does.
put-why-lead-final = Only who leads may put or throw in. Who wins this hand wins the game.
put-why-lead = You speak first; if you lead, the other may put or throw in before playing.
put-why-reply = Your only chance to put or throw in: if you play, eldest has the last say.
put-why-bound = Your put was seen: now you must lead.
put-why-bound-double = Your double was taken: now you must play.
put-why-bound-final = The put was seen: whoever wins this hand wins the game.
put-why-double = The hand is worth { put-choice-points }; who is to play may offer to double that.
put-why-no-double = The hand is worth all that anybody needs, so nobody may double it.
put-why-take = Throw in, and give { put-choice-points }; take it, and you play for { $taken ->
    [1] a point
    [2] two points
    [3] three points
    [4] four points
    [8] eight points
   *[other] { $taken } points
}.
put-why-see-inviting = Throw in: the other has a point. See: they must lead, and you play on.
put-why-see-too = The put is seen: see it, too, and play for the game, or throw in and be out.
put-why-see-among-many = If all throw in, they have a point; if any sees, this hand decides the game.
put-why-see = Throw in, and the other has a point; see, and this hand decides the game.
