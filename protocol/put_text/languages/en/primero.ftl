### Primero. Clauses begin with a small letter, and end without a full stop.

## Events
primero-turned-up = cards are turned up for the deal: { $turned }; { $dealer ->
    [you] you have the first ace and deal
   *[other] { $dealer-name } has the first ace and deals
} first
    .brief = { $dealer ->
        [you] you deal
       *[other] { $dealer-name } deals
    } first
primero-turned-card = { $seat-name } { $card }
primero-dealt = { $dealer ->
    [you] you deal
   *[other] { $dealer-name } deals
} hand { $hand }{ $again ->
    [yes] {" "}again
   *[no] {""}
}, two cards each{ $to ->
    [everyone] {""}
   *[other] {" "}to { $to }
}{ $again ->
    [yes] {""}
   *[no] ; everyone who plays pays one into the pot
}; { primero-speaks }
    .brief = hand { $hand }{ $again ->
        [yes] {" "}again
       *[no] {""}
    }; { primero-speaks }
primero-speaks = { $eldest ->
    [you] you speak
   *[other] { $eldest-name } speaks
} first{ $own ->
    [none] {""}
   *[other] ; { $own }
}
primero-more = two more cards are dealt to { $names }{ $own ->
    [none] {""}
   *[other] ; { $own } besides
}
    .brief = { $gets ->
        [none] two more cards each
       *[other] { $gets }
    }
primero-gets = { $seat ->
    [you] you get
   *[other] { $seat-name } gets
} { $cards }
    .brief = { primero-gets }
primero-thrown-in = no player has bet, so the cards are thrown in and dealt again{ $ends_trading ->
    [yes] , and no player may trade in the next deal
   *[no] {""}
}; the pot stays
    .brief = no bet: the cards are dealt again{ $ends_trading ->
        [yes] , and no player may trade
       *[no] {""}
    }
primero-traded = { $seat ->
    [you] you lay
   *[other] { $seat-name } lays
} down { primero-cards }
    .brief = { $seat ->
        [you] {""}
       *[other] { $seat-name } trades { WORD($count) }
    }
primero-cards = { $cards-count ->
    [0] { words-cards }, unseen
   *[other] { $cards }
}
primero-drew = { $seat ->
    [you] you draw
   *[other] { $seat-name } draws
} { primero-cards }; { primero-in-stock }
    .brief = { $cards-count ->
        [0] {""}
       *[other] { $seat ->
            [you] you draw
           *[other] { $seat-name } draws
        } { $cards }
    }
primero-in-stock = { $left } { $stock ->
    [1] is
   *[other] are
} left in the stock
primero-stock-renewed = the stock has run out: the cards laid down and those of players who are out are shuffled into a new one of { $left }
    .brief = the stock is shuffled anew
primero-raised = { $seat ->
    [you] you raise the bet by { $amount } and pay
   *[other] { $seat-name } raises the bet by { $amount } and pays
} { $paid }: to see it takes { $level } in all
    .brief = { $seat ->
        [you] you raise
       *[other] { $seat-name } raises
    } by { $amount }, to { $level }
primero-bid = { $seat ->
    [you] you bet
   *[other] { $seat-name } bets
} { $amount }
    .brief = { primero-bid }
primero-saw = { $seat ->
    [you] you see the bet and pay
   *[other] { $seat-name } sees the bet and pays
} { $paid }
    .brief = { $seat ->
        [you] you see
       *[other] { $seat-name } sees
    }
primero-refused = { $seat ->
    [you] you refuse
   *[other] { $seat-name } refuses
} the bet
    .brief = { $seat ->
        [you] you refuse
       *[other] { $seat-name } refuses
    }
primero-withdrawn = no player takes the bet, so { $seat ->
    [you] you take
   *[other] { $seat-name } takes
} back { $paid } and may raise no more in this round{ $bettor ->
    [nobody] {""}
    [you] ; your bet stands again, { $level } in all
   *[other] ; { $bettor-name }'s bet stands again, { $level } in all
}
    .brief = no taker: { $seat ->
        [you] you take
       *[other] { $seat-name } takes
    } back { $paid }{ $bettor ->
        [nobody] {""}
        [you] ; your bet of { $level } stands
       *[other] ; { $bettor-name }'s bet of { $level } stands
    }
primero-passed = { $seat ->
    [you] you pass
   *[other] { $seat-name } passes
}
primero-out = { $seats } { $seats-are ->
    [other] is
   *[many] are
} out of the hand, and the cards go away unseen
    .brief = { $seats } { $seats-are ->
        [other] is
       *[many] are
    } out
primero-vada = { $seat ->
    [you] you call
   *[other] { $seat-name } calls
} vada: everyone shows at once
primero-went-on = { $seat ->
    [you] you go
   *[other] { $seat-name } goes
} on
    .brief = {""}
primero-announced = { $seat ->
    [you] you announce
   *[other] { $seat-name } announces
} { primero-category }
primero-category = { $category ->
    [numerus] a Numerus
    [primero] a Primero
    [supremus] a Supremus
    [fluxus] a Fluxus
   *[chorus] a Chorus
}
primero-stood = { $seat ->
    [you] you stand and keep
   *[other] { $seat-name } stands and keeps
} all cards
    .brief = { $seat ->
        [you] you stand
       *[other] { $seat-name } stands
    }
primero-betting-over = this round of betting is over
    .brief = {""}
primero-shown = { $seat ->
    [you] you show
   *[other] { $seat-name } shows
} { $cards }, { primero-category } of { words-points }
    .brief = { $seat ->
        [you] you show
       *[other] { $seat-name } shows
    } { primero-category } of { $count }
primero-shows-none = no player shows a hand
primero-hand = { $winner ->
    [you] you take
   *[other] { $winner-name } takes
} the pot of { $paid }, { $how ->
    [showdown] for the best hand
   *[alone] as the only one left
}
    .brief = { $winner ->
        [you] you take
       *[other] { $winner-name } takes
    } the pot of { $paid }

## Views
primero-running = { $count ->
    [1] one deal was
   *[other] { words-deals } running were
} thrown in, because everyone traded
primero-undealt = no hand has been dealt yet
primero-over = hand { $hand } of { $hands } { $pot ->
    [0] is over
   *[other] is to be dealt again
}
primero-this-is = this is hand { $hand } of { $hands }{ $dealer ->
    [nobody] {""}
   *[other] , dealt by { $dealer-name }
}{ $eldest ->
    [nobody] {""}
    [you] ; you speak first
   *[other] ; { $eldest-name } speaks first
}
primero-laid-down = you laid down { $cards }
primero-has-announced = { $seat-name } announced { primero-category }
primero-is-out = { $seat ->
    [you] you are
   *[other] { $seat-name } is
} out of this hand
primero-holds = { words-holds-count }{ $traded ->
    [0] {""}
   *[other] , having traded { $trades }
}
primero-the-bet = the bet is { $seat ->
    [you] yours
   *[other] { $seat-name }'s
}: to see it takes { $level } in all in this round
primero-put-in = put in so far: { $counts }
primero-refused-it = { $names } refused it
primero-barred = { $names } had a bet withdrawn and may raise no more
primero-sitting = the sitting is { words-hands }, and a bet or a raise is { $limit } at most
primero-pack = the pack has 40 cards, without the eights, nines and tens
primero-way-round = the turn passes to the right, counter-clockwise
primero-gains = in this sitting { $gains }
primero-pot = the pot holds { $pot }
primero-task-open = to bet or trade
primero-task-answer = to answer the bet
primero-task-vada = to call vada or go on
primero-task-announce = to announce a category
primero-task-bet = to bet or pass
primero-task-trade = to trade or stand

## Choices, questions and reasons, as the rules have them
primero-choose-bet = bet { $amount }
primero-choose-raise = raise by { $amount }: pay { $paid }
primero-choose-see = see the bet: pay { $paid }
primero-choose-refuse = refuse the bet
primero-choose-out = refuse the bet: you are out
primero-choose-pass = pass
primero-choose-trade = trade { $cards }
primero-choose-vada = call vada: everyone shows now
primero-choose-stand = stand: keep { primero-own }
primero-choose-go-on = go on: you hold { primero-own }
primero-choose-announce = announce { primero-category }: { $beside ->
    [more] more than you hold
    [less] less than you hold
   *[own] you hold { primero-category } of { $points }
}
primero-own = { primero-category } of { $points }
primero-asks-open = Bet, or trade one card or both.
primero-asks-answer = Do you see the bet, raise it, or refuse it?
primero-asks-vada = Vada, an immediate showdown? Or go on?
primero-asks-announce = Announce the category of your hand.
primero-asks-bet = Bet, or pass.
primero-asks-trade = Trade one or two cards, or stand.
primero-asks-taker = Do you see the bet, or raise it?
primero-asks-no-raise = See the bet, or refuse?
primero-asks-no-trade = Bet: nobody may trade in this deal.
primero-why-open = After the first bet nobody may trade. If everyone trades, it is dealt again.
primero-why-answer = Who refuses is out if anybody takes it; if nobody does, it is withdrawn.
primero-why-vada = Everyone is asked; only who holds a Primero or a Fluxus may call it.
primero-why-announce = Not below your hand; but a Chorus may repeat a Primero, Supremus or Fluxus.
primero-why-bet = Nobody has to take a bet in this round; if all refuse, it goes back to you.
primero-why-trade = The showdown follows. You cannot draw back what you lay down.
primero-why-taker = All others refused the first bet of the hand, so you must take it.
primero-why-taken = Somebody has taken the bet, so who refuses it is out of the hand.
primero-why-no-raise = Who refuses is out if anybody takes the bet. You may not raise any more.
primero-why-no-trade = Everyone traded in three deals running, so now the first to speak bets.

## What is typed, and what is said where it cannot be done now
primero-typed-bet = bet
primero-typed-raise = raise | raise it | see and raise | see it and raise
primero-typed-see = see | see it | see the bet | take | take it | take the bet | call
primero-typed-refuse = refuse | refuse it | refuse the bet | fold
primero-typed-pass = pass | check | make no bet
primero-typed-trade = trade | lay down | exchange | swap
primero-typed-stand = stand | keep | keep all | keep my cards
primero-typed-vada = vada | call vada
primero-typed-go-on = go on | no | no vada
primero-typed-announce = announce | say
primero-cannot-see = There is no bet for you to see now.
primero-cannot-refuse = There is no bet for you to refuse now, or it is one that you must take.
primero-cannot-raise = You cannot raise now.
primero-cannot-bet = You cannot bet now.
primero-cannot-vada = You cannot call vada: only a Primero or a Fluxus may, and only when you are asked.
primero-cannot-pass = You cannot pass now.
primero-cannot-trade = You cannot trade now.
primero-cannot-stand = You cannot stand now.
primero-cannot-go-on = You cannot go on now.
primero-cannot-announce = You cannot announce now.
