### The page of what a game's decisions cost.

review-awaited = Your decisions are being weighed. It takes a moment.
review-more = More is being weighed.
review-assumed = Chances are those of winning the game if you and your opponent played perfectly from there on. You are judged by what you knew: their cards, where you did not see them, are weighed by how they would have played them.
review-place = hand, trick
review-cards = cards
review-did = you did
review-before = before
review-after = after
review-cost = cost
review-held = you held
review-perfect = Perfect play: { $best }.
review-moment = { $moment ->
    [last_say] last
    [reply] play
   *[other] { $moment }
}
review-quality = { $quality }
review-do-put = put
review-do-see = see
review-do-throw = throw in
review-do-pass = pass
review-do-double = double

## What decisions cost, and why, in sentences.
review-percent = { $limit ->
    [low] under 0.1%
    [high] over 99.9%
   *[none] { $tenth ->
        [0] { $whole }%
       *[other] { $whole }.{ $tenth }%
    }
}
review-nothing = nothing
review-something-else = something else
review-opponent = your opponent
review-at = hand { $hand }, trick { $trick }, { $task }
review-named = { $quality ->
    [fine] Well played
   *[other] A { $quality }
}
review-decision = { review-named } in { $place }, the score being { $scores }: you held { $cards }, and chose to { $done }.
review-judged = { $quality ->
    [fine] Right
   *[other] A { $quality }
}: you { $done }.
review-fine = That costs nothing: your chance of winning the game is { $after }.
review-lost = It took your chance of winning the game from { $before } to { $after }, which costs { $cost }.
review-best = Perfect play is to { $best }.
review-undecided = In game { $game } nothing was left for you to decide.
review-decisions = { $count ->
    [1] one decision
   *[other] { $count } decisions
}
review-free = Your { review-decisions } in game { $game } cost nothing against perfect play.
review-total = Your { review-decisions } in game { $game } cost { $cost } of a game against perfect play; { $costly ->
    [0] none of them costs 1% or more
    [1] one of them costs 1% or more
   *[other] { $costly } of them cost 1% or more each
}.
review-number = number { $number }
review-dearest = The dearest: { $numbers }.
review-line = { $number }. { $place } ({ $held }): { $done }; { $before } to { $after }, { $loses ->
    [yes] cost { $cost }
   *[no] cost nothing
}{ $quality ->
    [fine] {""}
   *[other] , a { $quality }
}; perfect play: { $best }
review-no-choice = There is nothing to choose here.
review-coach = The coach would { $best }.
review-weighed = { $choice }: { $chance } to win the game; perfect play { $often ->
    [never] never does it here
    [hardly] hardly ever does it here
    [always] always does it here
   *[other] does it { $share } of the time
}.
review-reason = { $best }: { $why }.
review-wins = it wins { $chance } of games
review-wins-more = it wins { $chance } of games, and to { $next } wins { $less }
review-score = at { $own } to { $other } { $means }
review-beaten = { $count ->
    [0] none of the { $of } cards that the others may hold beats it
    [1] one of the { $of } cards that the others may hold beats it
   *[other] { WORD($count) } of the { $of } cards that the others may hold beat it
}
review-won = played out, { $prize ->
    [hand] the hand
    [pool] the pool
   *[pot] the pot of { $worth }
} is won { $times } times in 100
